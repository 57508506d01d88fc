/** Opens the files an eval is written in: YAML, JSON, or one JSON value per line. */
import { realpathSync } from 'node:fs';
import { basename, dirname, relative, sep } from 'node:path';
import type { Diagnostic, Path } from '../../../model/diagnostic.ts';
import { readTextNow } from '../../read-text.ts';
import { type Source, unreadable } from '../../source.ts';
import { parseTolerantJson } from '../../tolerant-json.ts';
import { parseYaml } from '../../yaml.ts';
import { interpolate, type Lookup, missingVariable } from './environment.ts';
import type { Findings } from './findings.ts';
import type { Doc } from './part.ts';

export interface Library {
  /** Absolute; names of files in findings are relative to it. */
  readonly home: string;
  /** null: variables are left as they are written. */
  readonly lookup: Lookup | null;
  readonly findings: Findings;
  /** Every file that was opened, by its absolute path. */
  readonly opened: Map<string, Doc>;
  /** Their real paths: what no agent may see. */
  readonly answers: Set<string>;
}

/** `folders`: what paths written in it are relative to. */
export function openDoc(path: string, folders: readonly string[], library: Library): Doc {
  const known = library.opened.get(path);
  if (known) return known;
  const file = slashed(relative(library.home, path));
  const source = sourceOf(path, file);
  const missing: { name: string; path: Path }[] = [];
  const { lookup } = library;
  const value =
    lookup === null
      ? source.value
      : interpolate(source.value, lookup, (name, at) => missing.push({ name, path: at }));
  const doc: Doc = { source: { ...source, value }, path, folders };
  library.opened.set(path, doc);
  if (source.value !== undefined) library.answers.add(realpathSync(path));
  library.findings.opened(doc);
  for (const { name, path: at } of missing)
    library.findings.warn({ value: undefined, path: at, doc }, missingVariable(name));
  return doc;
}

function sourceOf(path: string, file: string): Source {
  const read = readTextNow(dirname(path), basename(path));
  if (!('text' in read)) return unreadable(file, [{ ...read.problem, file }]);
  if (path.endsWith('.jsonl')) return parseLines(read.text, file);
  return path.endsWith('.json') ? parseTolerantJson(read.text, file) : parseYaml(read.text, file);
}

/** The value begins where its text does. */
const PLAIN_START = /^[ \t]*[{[]/;

/** A list with one value per line; empty lines are left out, and a line that is no JSON is an error of its own. */
function parseLines(text: string, file: string): Source {
  const lines = text
    .split('\n')
    .map((line, index) => ({ line, above: index }))
    .filter(({ line }) => line.trim() !== '')
    .map(({ line, above }) => {
      const { value, diagnostics } = parseTolerantJson(line, file);
      return { line, above, value, diagnostics };
    });
  const lower = (it: Diagnostic, above: number): Diagnostic =>
    it.line === null ? it : { ...it, line: it.line + above };
  const read = lines.filter(({ value }) => value !== undefined);
  const places = read.map(({ line, above }) => ({ line, above }));
  return {
    file,
    value: read.map(({ value }) => value),
    diagnostics: lines.flatMap(({ diagnostics, above }) => diagnostics.map((it) => lower(it, above))),
    at: ([index, ...path], part) => {
      const place = places[Number(index ?? 0)];
      if (!place) return { line: 1, column: 1 };
      const first = path.length === 0 ? PLAIN_START.exec(place.line) : null;
      if (first) return { line: 1 + place.above, column: first[0].length };
      // Read again: to remember where everything stands would take more room than all else.
      const { line, column } = parseTolerantJson(place.line, file).at(path, part);
      return { line: line + place.above, column };
    },
  };
}

export function slashed(path: string): string {
  return path.split(sep).join('/');
}
