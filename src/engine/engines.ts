/** The engines there are. */
import { UserError } from '../model/errors.ts';
import { nearest } from '../model/nearest.ts';
import { claudeCode } from './claude-code.ts';
import { codex } from './codex.ts';
import { command } from './command.ts';
import { completionOf } from './completion.ts';
import type { Engine } from './engine.ts';
import { mock } from './mock.ts';

export const ENGINES = {
  'claude-code': claudeCode,
  codex,
  command,
  /** Of the provider that is meant: see completionOf. */
  completion: completionOf('anthropic'),
  mock,
} as const satisfies Record<string, Engine>;

export type EngineName = keyof typeof ENGINES;

/** Throws a UserError for a name that stands for no engine. */
export function engineNamed(name: string): EngineName {
  if (Object.hasOwn(ENGINES, name)) return name as EngineName;
  throw unsupportedEngine(name);
}

/** Names that the specification sets aside for agents without a way to run them here. */
const RESERVED: readonly string[] = ['copilot', 'cursor'];

function unsupportedEngine(name: string): UserError {
  const names = Object.keys(ENGINES);
  const reserved = RESERVED.includes(name);
  const meant = reserved ? undefined : nearest(name, names);
  return new UserError(
    `unsupported-engine: ${reserved ? `${name} cannot be run yet` : `there is no engine ${JSON.stringify(name)}`}`,
    ...(meant === undefined ? [] : [`did you mean ${meant}?`]),
    `engines: ${names.join(', ')}`,
    'any other agent:  "engine": "command", "command": ["my-agent", "{prompt}"]  in eval-config.json',
  );
}
