/** Programs of the author that grade. */
import { resolve } from 'node:path';
import { type GraderProgram, grader } from '../../../../model/grader.ts';
import type { Json } from '../../../../model/tests.ts';
import { statsOf } from '../../../stats-of.ts';
import { expectedPath, findPath, isFolder } from '../files.ts';
import { type Draft, type Graded, PASS_MARK } from '../graded.ts';
import { type Fields, fieldOf, type Part } from '../part.ts';
import type { Reading } from '../reading.ts';
import { SHARED_KEYS } from '../share.ts';
import { fieldsIn, numberIn, oneOf, textIn, textsIn } from '../values.ts';

const TIMEOUT_MS = 60_000;
const OWN_KEYS = ['command', 'script', 'path', 'cwd', 'config', 'target', 'timeout_ms', 'timeout_seconds'];

/** Programs of these generations are told the text of the answer as `output`. */
const LATER_TYPES = /^(?:not-)?(?:code[-_]grader|script)$/i;

export function programGrader(draft: Draft): string | null {
  const { part, reading, into } = draft;
  const program = readProgram(part, reading, into, configIn(part, reading));
  if (program === null) return null;
  const id = draft.name('code-judge');
  const isLater = LATER_TYPES.test(String(fieldOf(part, 'type')?.value));
  const options: GraderProgram = { ...program, ...(isLater && { output: 'text' }) };
  into.graders.push(grader(id, 'program', options, { minScore: PASS_MARK, ...draft.share }));
  return id;
}

/** null after reporting why it cannot be run. */
export function readProgram(
  part: Fields,
  reading: Reading,
  into: Graded,
  config: Json = {},
): GraderProgram | null {
  const { findings, place } = reading;
  const command = oneOf(part, ['command', 'script', 'path', 'value'], findings);
  if (command === null) {
    findings.error(part, { rule: 'missing-key', message: 'a program that grades needs a command' });
    return null;
  }
  const argv = commandIn(command, reading);
  const proxy = fieldOf(part, 'target');
  if (proxy !== null && proxy.value !== false) {
    findings.error(proxy, {
      rule: 'unsupported',
      message: 'a program that grades cannot call a model: target is not offered to it',
      hint: 'let the judge decide what needs a model, as an llm-judge beside it',
    });
    return null;
  }
  const written = fieldOf(part, 'cwd');
  const cwd = folderIn(written, part, reading);
  const ms = numberIn(fieldOf(part, 'timeout_ms'), findings, { min: 0, above: true });
  const seconds = numberIn(fieldOf(part, 'timeout_seconds'), findings, { min: 0, above: true });
  if (argv === null || cwd === null) return null;
  for (const word of fileWords(argv)) {
    const path = resolve(cwd, word);
    if (statsOf(path)?.isFile()) into.files.add(path);
    else if (findPath(word, part.doc, place) === null)
      findings.warnOnce(command, {
        rule: 'missing-file',
        message: `a program names the file ${word}, which does not exist: without it the test is undecided`,
        hint: 'paths are relative to cwd, and that to the eval file',
      });
  }
  return { argv, cwd, config, timeoutMs: ms ?? (seconds === null ? TIMEOUT_MS : seconds * 1000) };
}

/** A text is for the shell. null after reporting what is wrong. */
export function commandIn(part: Part, { findings }: Reading): readonly [string, ...string[]] | null {
  if (typeof part.value === 'string' && part.value.trim() !== '') return ['sh', '-c', part.value.trim()];
  const [program, ...rest] = Array.isArray(part.value) ? (textsIn(part, findings) ?? []) : [];
  if (program !== undefined && program !== '') return [program, ...rest];
  findings.error(part, { rule: 'wrong-value', message: 'a command must be a text or a list of texts' });
  return null;
}

/** The folder of the eval file, or the one that is written; null after reporting that it is not there. */
export function folderIn(written: Part | null, part: Part, { findings, place }: Reading): string | null {
  if (written === null) return part.doc.folders[0] ?? place.evalsDir;
  const text = textIn(written, findings);
  if (text === null) return null;
  const found = findPath(text, part.doc, place);
  if (found !== null && isFolder(found)) return found;
  findings.error(written, {
    rule: 'missing-file',
    message: `the folder ${JSON.stringify(text)} does not exist: ${expectedPath(text, part.doc)}`,
  });
  return null;
}

/** What looks like the file of a script. */
function fileWords(argv: readonly string[]): string[] {
  const words = argv[0] === 'sh' && argv[1] === '-c' ? (argv[2] ?? '').split(/\s+/) : argv;
  return words.filter((it) => /^[\w@./-]+\.(?:[cm]?[jt]s|py|sh|rb|pl)$/.test(it));
}

/** Keys that aam has no meaning for are the program's own settings, as AgentV has it. */
function configIn(part: Fields, { findings }: Reading): Json {
  const config = fieldsIn(fieldOf(part, 'config'), findings)?.value ?? {};
  const known = [...SHARED_KEYS, ...OWN_KEYS];
  const others = Object.entries(part.value).filter(([key]) => !known.includes(key));
  return { ...Object.fromEntries(others), ...config } as Json;
}
