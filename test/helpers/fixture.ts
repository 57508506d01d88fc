/** A small agentcarousel fixture with nothing wrong in it; tests add what they are about. */
import { stringify } from 'yaml';
import type { Files } from './package.ts';

export interface CaseFields {
  readonly id?: string;
  readonly [key: string]: unknown;
}

export function fixtureCase(name: string, fields: CaseFields = {}): CaseFields {
  return {
    id: `note-taker/${name}`,
    tags: ['smoke'],
    input: { messages: [{ role: 'user', content: 'Take a note.' }] },
    expected: { output: [{ kind: 'contains', value: 'noted' }] },
    ...fields,
  };
}

export function fixtureOf(cases: readonly unknown[], more: object = {}): Record<string, unknown> {
  return { schema_version: 1, skill_or_agent: 'note-taker', ...more, cases };
}

export function fixtureText(cases: readonly unknown[], more: object = {}): string {
  return stringify(fixtureOf(cases, more));
}

/** case → what the agent is said to answer. */
export function mocksOf(answers: Readonly<Record<string, unknown>>): Files {
  const stubs = Object.entries(answers).map(([name, response]) => ({
    tool: 'agent_response',
    args_match: { case_id: `note-taker/${name}` },
    response,
  }));
  return { 'mocks/answers.json': JSON.stringify(stubs) };
}
