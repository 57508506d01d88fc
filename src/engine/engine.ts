/** The contract of an engine. */
import type { AgentEvent } from '../model/agent-event.ts';
import type { MockAnswer } from '../model/case.ts';
import type { Provider } from '../model/usage.ts';

/** Translates between a trial and one agent CLI. Pure: launches nothing, reads no files. */
export interface Engine {
  readonly id: string;
  /** The API it speaks to its model; null when aam does not bring the model. */
  readonly provider: Provider | null;
  /** Hook events, in the package's spelling, of which the CLI itself tells when one blocked. */
  readonly confirmsBlocks: readonly string[];
  /** The one HTTP status after which the CLI asks its model no more; null: it heeds `x-should-retry`. */
  readonly finalStatus: number | null;
  /** What its events would tell if it had happened: of what is false here, nothing can be shown to be absent. */
  readonly shows: { readonly actions: boolean; readonly hooks: boolean; readonly skills: boolean };
  /** It can go on with a session. */
  readonly keepsSessions: boolean;
  /** It has a way to take instructions. */
  readonly takesInstructions: boolean;
  /** What to run inside the sandbox. */
  command(request: EngineRequest): EngineCommand;
  /** Turns the CLI's output into events. Must not throw: an unreadable line becomes an `unreadable` event. */
  read(lines: AsyncIterable<string>): AsyncIterable<AgentEvent>;
  /** Events that the CLI tells only on standard error, which is given whole once it has ended. Must not throw. */
  readErrors?(stderr: string): readonly AgentEvent[];
}

/** All paths are as seen inside the sandbox. */
export interface EngineRequest {
  readonly prompt: string;
  /** For the agent, beside the prompt and beside its own. */
  readonly instructions?: string | undefined;
  /** For commands of the user's that ask for it. */
  readonly about?: TrialFacts | undefined;
  /** Of the engine "mock". */
  readonly mock?: MockAnswer | undefined;
  /** Left out: the prompt is all there is, and nothing of the session is kept. */
  readonly turn?: SessionTurn | undefined;
  /** null: the CLI's own default. */
  readonly model: string | null;
  readonly workspace: string;
  /** What the workspace holds at the start, by paths relative to it. */
  readonly files: readonly string[];
  /** False: nothing but the gateway can be reached, so tools that need more are not offered. */
  readonly network: boolean;
  /** What the session may cost from here on, for CLIs that keep count, and may tell their model; null: any amount. */
  readonly budgetUsd: number | null;
  /** The CLI itself; of a bare model: the program that asks it (src/inside/completion.ts). */
  readonly program: string;
  /** The command that the user wrote for an agent of their own, with its placeholders; null for the other engines. */
  readonly template: readonly string[] | null;
  /** A fresh writable folder for the CLI's config and state, outside the workspace and outside /tmp. */
  readonly configDir: string;
  /** The gateway's unix socket: plain HTTP, the paths of the provider's API below `/`. */
  readonly socket: string;
  /** Node, and the program that lets TCP clients reach the socket (src/inside/bridge.ts). */
  readonly node: string;
  readonly bridge: string;
}

interface TrialFacts {
  readonly evalId: string;
  /** Counted from 0. */
  readonly attempt: number;
  /** Those of the case, by paths relative to the workspace. */
  readonly files: readonly string[];
}

/** One of several prompts in one session, which is kept in the config folder between them. */
export interface SessionTurn {
  /** Id of the session to go on with; null: it begins here. */
  readonly resumes: string | null;
}

export interface EngineCommand {
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string | null;
  /** Files the CLI needs in its config folder, by path relative to it. */
  readonly configFiles: Readonly<Record<string, string>>;
  /** The config folder must be there also without files. */
  readonly needsConfig?: boolean;
  /** Nothing is run: these are the events. */
  readonly pretended?: readonly AgentEvent[];
}
