/** `mode: conversation`: turns, each with what is said, expected and asserted. */
import { readAssertions } from './assertions.ts';
import { readExpected } from './expected.ts';
import type { Graded, Subject } from './graded.ts';
import { type Fields, fieldOf, isFields, itemsOf, type Part } from './part.ts';
import type { Reading } from './reading.ts';
import { fieldsIn, listIn, wordIn } from './values.ts';

export interface Turn {
  readonly part: Fields;
  readonly input: Part;
}

/** null: it is no conversation. Empty after reporting that there is nothing in it. */
export function turnsIn(test: Fields, { findings }: Reading): Turn[] | null {
  const mode = fieldOf(test, 'mode');
  const turns = fieldOf(test, 'turns');
  if (mode !== null && wordIn(mode, ['conversation', 'single'] as const, findings) === null) return null;
  if (turns === null && mode?.value !== 'conversation') return null;
  const list = listIn(turns, findings) ?? [];
  if (list.length === 0) findings.error(test, { rule: 'missing-key', message: 'a conversation needs turns' });
  return list.flatMap((it) => {
    const part = fieldsIn(it, findings);
    if (part === null) return [];
    findings.keys(part, ['input', 'expected_output', ...ASSERTIONS]);
    const input = fieldOf(part, 'input');
    if (input === null) findings.error(part, { rule: 'missing-key', message: 'a turn needs an input' });
    return input === null ? [] : [{ part, input }];
  });
}

const ASSERTIONS = ['assertions', 'assert', 'evaluators'];

/** What is expected of each turn, for the judge. */
export function expectedOfTurns(turns: readonly Turn[], reading: Reading): string | null {
  const texts = turns.flatMap(({ part }, index) => {
    const { text } = readExpected(fieldOf(part, 'expected_output'), reading);
    return text === null ? [] : [`Expected in turn ${index + 1}: ${text}`];
  });
  return texts.join('\n\n') || null;
}

/** A judge is told which turn is meant; checks look at the last answer, so they can only be of the last turn. */
export function readTurnAssertions(
  turns: readonly Turn[],
  into: Graded,
  subject: Subject,
  reading: Reading,
): void {
  for (const [index, { part }] of turns.entries()) {
    const isLast = index === turns.length - 1;
    const before = into.graders.length;
    for (const list of ASSERTIONS.flatMap((key) => fieldOf(part, key) ?? [])) {
      const { expected } = { expected: readExpected(fieldOf(part, 'expected_output'), reading).data };
      const preface = `In turn ${index + 1} of the conversation: `;
      readAssertions(list, into, { ...subject, expected, preface }, reading);
      if (isLast || into.graders.length === before) continue;
      const check = itemsOf(list).find((it) => isFields(it));
      reading.findings.error(check ?? list, {
        rule: 'unsupported',
        message: 'checks of a turn other than the last cannot be run: they look at the last answer',
        hint: 'write it as a text for the judge, or move it to the last turn',
      });
    }
  }
}

/** What cannot be done otherwise than it is. */
export function refuseTurnRules(test: Fields, { findings }: Reading): void {
  const aggregation = fieldOf(test, 'aggregation');
  if (aggregation !== null && aggregation.value !== 'mean')
    findings.error(aggregation, {
      rule: 'unsupported',
      message: `aggregation: ${String(aggregation.value)} over turns cannot be computed; only mean`,
    });
  const failing = fieldOf(test, 'on_turn_failure');
  if (failing?.value === 'stop')
    findings.warnOnce(failing, {
      rule: 'not-honoured',
      message: 'on_turn_failure: stop is not used: all turns are played, then graded',
    });
  const window = fieldOf(test, 'window_size');
  if (window !== null)
    findings.warnOnce(window, {
      rule: 'not-honoured',
      message: 'window_size is not used: the agent keeps its whole session',
    });
}
