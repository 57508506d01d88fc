/** What an agent did, in one vocabulary for every engine. */
import type { Json } from './tests.ts';
import type { Usage } from './usage.ts';

export type AgentEvent =
  | {
      readonly type: 'session';
      readonly sessionId: string | null;
      readonly model: string | null;
      readonly engineVersion: string | null;
      /** What the engine says it found, its own included; null when it says nothing. */
      readonly skills: readonly string[] | null;
      readonly agents: readonly string[] | null;
    }
  /** Text the agent wrote for people. */
  | { readonly type: 'message'; readonly text: string; readonly subAgent: boolean }
  | {
      readonly type: 'tool-call';
      readonly id: string;
      readonly tool: string;
      readonly input: Json;
      readonly subAgent: boolean;
    }
  | {
      readonly type: 'tool-result';
      readonly id: string;
      readonly output: string;
      readonly isError: boolean;
      /** Left out: the engine does not tell. */
      readonly durationMs?: number;
    }
  /** `tool`: by the engine's own way of loading a skill. `read`: the agent read its SKILL.md. */
  | { readonly type: 'skill'; readonly name: string; readonly how: 'tool' | 'read' }
  /** One was started. null: the engine does not say which. */
  | { readonly type: 'sub-agent'; readonly name: string | null }
  /** A hook as the engine itself reports it; the shim's own log is separate evidence. */
  | {
      readonly type: 'hook';
      /** In the engine's spelling: PreToolUse, Stop… */
      readonly event: string;
      readonly blocked: boolean;
      readonly exitCode: number | null;
      readonly detail: string;
    }
  /** A tool call that was not let through. */
  | {
      readonly type: 'denied';
      readonly tool: string;
      readonly by: 'hook' | 'permissions';
      readonly reason: string;
    }
  /** The agent has answered, and the user goes on in the same session. Not before the first prompt. */
  | { readonly type: 'turn'; readonly answer: string; readonly prompt: string }
  /** Something went wrong; the session may well have recovered from it. */
  | { readonly type: 'error'; readonly message: string }
  /** Comes at most once, as the last event: those of earlier turns are in `turn`. Missing when the engine did not get to its end. */
  | {
      readonly type: 'end';
      /** The engine says the session ended as it should. */
      readonly ok: boolean;
      /** The final answer. */
      readonly output: string;
      /** Engine's own word for how it ended, for messages. */
      readonly reason: string | null;
      /** Of the whole session so far, as the engine computes it from list prices; null when it does not. */
      readonly costUsd: number | null;
      /** Tokens as the agent itself tells them, where aam does not see its traffic. */
      readonly claimed?: Pick<Usage, 'inputTokens' | 'outputTokens' | 'cacheReadTokens'>;
      /** It stopped because it had spent what it was allowed to. */
      readonly outOfBudget?: true;
      /** The failure is the model's, not the agent's: HTTP status, or null when there was none. */
      readonly modelError: { readonly status: number | null; readonly message: string } | null;
    }
  /** From here on something is missing: what should not be there cannot be shown to be absent. */
  | { readonly type: 'cut'; readonly what: string }
  /** The beginning of a line that makes no sense. */
  | { readonly type: 'unreadable'; readonly line: string };
