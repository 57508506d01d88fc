import { describe, expect, it } from 'vitest';
import { ENGINES, engineNamed } from '../../src/engine/engines.ts';
import { UserError } from '../../src/model/errors.ts';

describe('names of engines', () => {
  it('are those of the engines', () => {
    for (const [name, engine] of Object.entries(ENGINES)) {
      expect(engineNamed(name)).toBe(name);
      expect(engine.id).toBe(name);
    }
  });

  it.each([
    ['copilot', 'unsupported-engine: copilot cannot be run yet', undefined],
    ['cursor', 'unsupported-engine: cursor cannot be run yet', undefined],
    ['cladue-code', 'unsupported-engine: there is no engine "cladue-code"', 'did you mean claude-code?'],
    ['Codex', 'unsupported-engine: there is no engine "Codex"', 'did you mean codex?'],
    ['toString', 'unsupported-engine: there is no engine "toString"', undefined],
    ['', 'unsupported-engine: there is no engine ""', undefined],
  ])('do not include %j', (name, message, suggestion) => {
    const error = catchError(() => engineNamed(name));
    expect(error).toBeInstanceOf(UserError);
    expect(error).toMatchObject({ message });
    const { hints } = error as UserError;
    expect(hints).toEqual([
      ...(suggestion === undefined ? [] : [suggestion]),
      'engines: claude-code, codex, command, completion, mock',
      expect.stringContaining('"engine": "command"'),
    ]);
  });
});

function catchError(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  return undefined;
}
