/** The prompt an author wrote for a judge: a text, or a file that holds it. */
import { findPath } from './files.ts';
import type { Draft } from './graded.ts';
import { isFields, type Part } from './part.ts';
import { textOfFile } from './part-text.ts';
import { fillTemplate, unknownPlaceholder } from './prompt-template.ts';
import { textIn } from './values.ts';

const PROGRAM = /\.(?:[cm]?[jt]sx?|py|sh|rb|go)$/i;
const FILE = /^(?:file:)?[^\s{}]+\.(?:md|markdown|txt|prompt|hbs|liquid|j2|jinja2?|mustache|ya?ml|json)$/i;

/** null after reporting why it cannot be used. */
export function readPrompt(part: Part, draft: Pick<Draft, 'reading' | 'subject' | 'into'>): string | null {
  const { findings } = draft.reading;
  const template = readTemplate(part, draft);
  if (template === null) return null;
  const { text, unknown } = fillTemplate(template, draft.subject.words);
  for (const name of unknown) findings.warnOnce(part, unknownPlaceholder(name));
  if (text === '') findings.error(part, { rule: 'wrong-value', message: 'the prompt must not be empty' });
  return text || null;
}

/** As it is written, with its placeholders. */
export function readTemplate(part: Part, { reading, into }: Pick<Draft, 'reading' | 'into'>): string | null {
  const { findings, place } = reading;
  if (isFields(part)) return executable(part, reading.findings);
  const written = textIn(part, findings)?.trim();
  if (written === undefined) return null;
  const isOneWord = !/\s/.test(written) && written.length < 4096;
  if (isOneWord && PROGRAM.test(written)) return executable(part, findings);
  const found = isOneWord ? findPath(written, part.doc, place) : null;
  if (found === null && !(isOneWord && FILE.test(written))) return written;
  if (found !== null) into.files.add(found);
  return textOfFile(written, part, reading);
}

function executable(part: Part, findings: Draft['reading']['findings']): null {
  findings.error(part, {
    rule: 'unsupported',
    message: 'a judge’s prompt that a program writes cannot be used',
    hint: 'write the prompt as text or in a file, or let the program decide by itself as a code-judge',
  });
  return null;
}
