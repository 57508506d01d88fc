/** What a test says to its agent: messages → instructions, turns of the user, files. */
import type { CaseFile } from '../../../model/case.ts';
import { givenFile } from './files.ts';
import { fieldOf, isFields, itemsOf, type Part } from './part.ts';
import { readPartText } from './part-text.ts';
import type { Reading } from './reading.ts';
import { textIn } from './values.ts';

export interface Asked {
  readonly instructions: string | null;
  /** At least one, none of them empty. */
  readonly turns: readonly [string, ...string[]];
  readonly files: readonly CaseFile[];
  /** What keeps the case from being run. */
  readonly problems: readonly string[];
}

interface Message {
  readonly role: string;
  readonly content: Part;
  readonly at: Part;
}

/** `inputs` are said one after the other; `files` go with the last turn. null after reporting why nothing is asked. */
export function readInput(
  inputs: readonly Part[],
  files: Part | null,
  reading: Reading,
  test: Part,
): Asked | null {
  const { findings } = reading;
  const given: CaseFile[] = [];
  const problems: string[] = [];
  const mention = (written: string, at: Part): string => {
    const found = givenFile(written, at.doc, reading.place, reading.isAnswer);
    if ('file' in found) {
      given.push(found.file);
      return `Read this file of the working folder: ${found.file.to}`;
    }
    const message = `the file ${JSON.stringify(written)} ${found.problem}`;
    problems.push(message);
    const hint = 'paths are relative to the eval file; the case fails until the file is there';
    findings.error(at, { rule: 'file_copy_error', message, hint });
    return '';
  };
  const instructions: string[] = [];
  const turns: string[][] = [];
  let isAnswered = true;
  for (const { role, content, at } of inputs.flatMap((it) => messagesIn(it, reading))) {
    if (role === 'system' || role === 'developer') {
      const text = readPartText(content, reading);
      if (text !== null) instructions.push(text);
    } else if (role === 'user') {
      const text = contentParts(content)
        .map((part) => saidIn(part, mention, reading))
        .filter((it) => it !== '')
        .join('\n\n');
      if (isAnswered) turns.push([]);
      isAnswered = false;
      turns.at(-1)?.push(text);
    } else if (role === 'assistant' || role === 'tool') {
      isAnswered = true;
      findings.warnOnce(at, {
        rule: 'scripted-answer',
        message: `messages of the role "${role}" are not played: the agent answers itself`,
        hint: 'each message of the user after one is a turn of its own in the same session',
      });
    } else {
      const message = `the role must be system, user, assistant or tool, not ${JSON.stringify(role)}`;
      findings.error(at, { rule: 'wrong-value', message });
    }
  }
  const attached = files === null ? [] : itemsOf(files).map((it) => mentionIn(it, mention, reading));
  if (turns.length === 0 && attached.length > 0) turns.push([]);
  turns.at(-1)?.push(...attached);
  const [prompt = '', ...followUps] = turns.map((texts) => texts.filter(Boolean).join('\n\n').trim());
  if (problems.length === 0 && [prompt, ...followUps].some((text) => text === '')) {
    findings.error(inputs.at(-1) ?? test, {
      rule: 'missing-key',
      message: turns.length === 0 ? 'the test says nothing to the agent' : 'a turn of the user is empty',
      hint: 'write what is asked of the agent in input',
    });
    return null;
  }
  return {
    instructions: instructions.join('\n\n').trim() || null,
    turns: [prompt, ...followUps],
    files: given,
    problems,
  };
}

function mentionIn(
  part: Part,
  mention: (written: string, at: Part) => string,
  { findings }: Reading,
): string {
  const written = textIn(part, findings);
  return written === null ? '' : mention(written, part);
}

/** A text is a message of the user; so are parts without a role. */
function messagesIn(part: Part, { findings }: Reading): Message[] {
  if (!Array.isArray(part.value)) {
    if (isFields(part) && typeof part.value['role'] === 'string') return messageIn(part);
    return [{ role: 'user', content: part, at: part }];
  }
  const items = itemsOf(part);
  const withRole = items.filter((it) => isFields(it) && fieldOf(it, 'role') !== null);
  if (withRole.length === 0 && items.length > 0) return [{ role: 'user', content: part, at: part }];
  return items.flatMap((it) => {
    if (typeof it.value === 'string') return [{ role: 'user', content: it, at: it }];
    if (isFields(it) && fieldOf(it, 'role') !== null) return messageIn(it);
    findings.error(it, { rule: 'wrong-type', message: 'a message must have a role and a content' });
    return [];
  });
}

function messageIn(part: Part): Message[] {
  if (!isFields(part)) return [];
  const content = fieldOf(part, 'content') ?? { ...part, value: '' };
  return [{ role: String(part.value['role']).trim(), content, at: part }];
}

function contentParts(content: Part): Part[] {
  return Array.isArray(content.value) ? itemsOf(content) : [content];
}

/** One part of a message: text, a file, or data. */
function saidIn(part: Part, mention: (written: string, at: Part) => string, reading: Reading): string {
  const { findings } = reading;
  if (!isFields(part) || typeof part.value['type'] !== 'string') return readPartText(part, reading) ?? '';
  const { type } = part.value;
  const value = fieldOf(part, 'value', 'text', 'path');
  if (type === 'file' && typeof value?.value === 'string') return mention(value.value, value);
  if (type === 'image' || type === 'image_url') {
    findings.error(part, { rule: 'unsupported', message: 'images cannot be given to an agent' });
    return '';
  }
  return readPartText(part, reading) ?? '';
}
