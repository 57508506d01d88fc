/** Whether a file that nobody asked to run holds cases all the same: prompts, each with what is expected of it. */
import { basename } from 'node:path';
import { parseTolerantJson } from '../../tolerant-json.ts';
import { isObject } from '../uaaps/manifest.ts';
import { LISTS, TRIGGER_LISTS } from './entries.ts';
import { isEvalFileName } from './file-names.ts';
import { ASSERTIONS, EXPECTED, FORBIDDEN, PROMPTS, TRIGGERS } from './keys.ts';

const GRADED = [...ASSERTIONS, ...EXPECTED, ...FORBIDDEN, ...TRIGGERS];

export function holdsCases(file: string, text: string): boolean {
  if (isEvalFileName(basename(file))) return true;
  if (!/^\ufeff?\s*[[{]/.test(text)) return false;
  const document = parsed(text) ?? parsed(firstLine(text)) ?? parseTolerantJson(text, file).value;
  if (Array.isArray(document)) return document.some(isCase);
  if (!isObject(document)) return false;
  const inLists = LISTS.map((key) => document[key]).some((it) => Array.isArray(it) && it.some(isCase));
  return (
    inLists || Object.keys(TRIGGER_LISTS).some((key) => Array.isArray(document[key])) || isCase(document)
  );
}

function isCase(value: unknown): boolean {
  if (!isObject(value)) return false;
  const has = (keys: readonly string[]) => keys.some((key) => value[key] !== undefined);
  return has([...PROMPTS, 'prompt_file']) && has(GRADED);
}

function firstLine(text: string): string {
  return text.trimStart().split('\n', 1)[0] ?? '';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}
