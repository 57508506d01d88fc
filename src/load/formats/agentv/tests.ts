/** The tests of an eval file, wherever they stand: in it, in another file, in folders of their own. */
import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { openDoc } from './docs.ts';
import { findPath, isFolder } from './files.ts';
import { type Fields, fieldOf, isFields, itemsOf, type Part, wholeOf } from './part.ts';
import type { Reading } from './reading.ts';

export interface Test {
  readonly part: Fields;
  /** Of the folder it stands in; null: it must have one of its own. */
  readonly id: string | null;
  /** A folder beside it that is its workspace. */
  readonly template: Part | null;
}

export interface Tests {
  readonly tests: readonly Test[];
  /** Those included that are no test at all. */
  readonly found: number;
}

const NONE: Tests = { tests: [], found: 0 };

export function readTests(part: Part, reading: Reading): Tests {
  if (typeof part.value === 'string') return fromPath(part.value, part, reading);
  if (!Array.isArray(part.value)) {
    reading.findings.error(part, { rule: 'wrong-type', message: 'tests must be a list or a path' });
    return NONE;
  }
  if (part.value.length === 0)
    reading.findings.error(part, { rule: 'no-cases', message: 'the list of tests is empty' });
  return together(
    itemsOf(part).map((it): Tests => {
      if (typeof it.value === 'string') return fromPath(it.value, it, reading);
      if (isFields(it)) return { tests: [{ part: it, id: null, template: null }], found: 1 };
      reading.findings.error(it, { rule: 'wrong-type', message: 'a test must be a map of keys' });
      return { tests: [], found: 1 };
    }),
  );
}

function together(all: readonly Tests[]): Tests {
  return {
    tests: all.flatMap(({ tests }) => tests),
    found: all.reduce((sum, { found }) => sum + found, 0),
  };
}

function fromPath(written: string, at: Part, reading: Reading): Tests {
  const { findings, place } = reading;
  if (/[*?]/.test(written)) {
    findings.error(at, {
      rule: 'unsupported',
      message: `tests are not looked for by a pattern: ${written}`,
      hint: 'name each file',
    });
    return NONE;
  }
  const path = findPath(written, at.doc, place);
  if (path === null) {
    findings.error(at, {
      rule: 'missing-file',
      message: `there are no tests at ${JSON.stringify(written)}`,
      hint: 'paths are relative to the eval file',
    });
    return NONE;
  }
  if (isFolder(path)) return fromFolder(path, at, reading);
  if (reading.opened.has(path)) {
    findings.error(at, { rule: 'cycle', message: `the tests of ${written} are already there` });
    return NONE;
  }
  const whole = wholeOf(openDoc(path, [place.evalsDir, dirname(path)], reading));
  // What is wrong with it has been told.
  if (whole.value === undefined) return NONE;
  const list = isFields(whole) ? (fieldOf(whole, 'tests', 'eval_cases') ?? whole) : whole;
  if (!Array.isArray(list.value)) {
    findings.error(list, { rule: 'wrong-type', message: 'a file of tests must be a list of them' });
    return NONE;
  }
  return readTests(list, reading);
}

/** Each folder with a `case.yaml` is a test that has the folder's name. */
function fromFolder(dir: string, at: Part, reading: Reading): Tests {
  const folders = readdirSync(dir, { withFileTypes: true })
    .filter((it) => it.isDirectory())
    .map((it) => join(dir, it.name))
    .sort();
  const tests = folders.flatMap((folder): Test[] => {
    const path = ['case.yaml', 'case.yml']
      .map((name) => join(folder, name))
      .find((it) => findPath(it, at.doc, reading.place));
    if (path === undefined) return [];
    const whole = wholeOf(openDoc(path, [folder, reading.place.evalsDir], reading));
    if (!isFields(whole)) {
      if (whole.value !== undefined)
        reading.findings.error(whole, { rule: 'wrong-type', message: 'a test must be a map of keys' });
      return [];
    }
    const workspace = join(folder, 'workspace');
    const template = isFolder(workspace) ? { ...whole, value: workspace } : null;
    return [{ part: whole, id: basename(folder), template }];
  });
  if (tests.length === 0)
    reading.findings.error(at, { rule: 'no-cases', message: 'no folder there has a case.yaml' });
  return { tests, found: folders.length };
}
