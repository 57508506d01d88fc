/** The messages of a case → what the agent is told. */
import type { Finding, Path } from '../../../model/diagnostic.ts';
import type { FixtureCase } from '../../../model/fixture.ts';

export interface Input {
  readonly prompt: string;
  readonly followUps: readonly string[];
  readonly instructions: string | null;
}

export interface InputNotes {
  error(path: Path, it: Finding): void;
  warnOnce(path: Path, it: Finding): void;
}

/** Messages of the user with nothing between them are one turn. */
export function readInput({ messages, context }: FixtureCase['input'], notes: InputNotes): Input | null {
  const instructions: string[] = [];
  const turns: string[][] = [];
  let isAnswered = true;
  for (const [index, { role, content }] of messages.entries()) {
    const path = ['input', 'messages', index];
    if (role === 'system') instructions.push(content);
    else if (role === 'user') {
      if (content.trim() === '' || content.includes('\0'))
        notes.error([...path, 'content'], {
          rule: 'wrong-value',
          message: `a message of the user ${content.includes('\0') ? 'must not contain a NUL character' : 'must not be empty'}`,
        });
      if (isAnswered) turns.push([]);
      isAnswered = false;
      turns.at(-1)?.push(content);
    } else {
      isAnswered = true;
      notes.warnOnce([...path, 'role'], {
        rule: 'scripted-answer',
        message: `messages of the role "${role}" are not played: the agent answers itself`,
        hint: 'each message of the user after one is a turn of its own in the same session',
      });
    }
  }
  const [first, ...followUps] = turns.map((texts) => texts.join('\n\n'));
  if (first === undefined) {
    notes.error(['input', 'messages'], { rule: 'missing-key', message: 'there is no message of the user' });
    return null;
  }
  return {
    prompt: withContext(first, context ?? {}),
    followUps,
    instructions: instructions.length > 0 ? instructions.join('\n\n') : null,
  };
}

function withContext(prompt: string, context: NonNullable<FixtureCase['input']['context']>): string {
  if (Object.keys(context).length === 0) return prompt;
  return `${prompt.trimEnd()}\n\nContext:\n${JSON.stringify(context, null, 2)}\n`;
}
