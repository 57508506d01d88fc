import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { decode } from '../../src/load/decode.ts';
import { readPackage } from '../../src/load/formats/uaaps/package.ts';
import { parseFrontmatter } from '../../src/load/frontmatter.ts';
import { parseJson } from '../../src/load/json.ts';
import type { Source } from '../../src/load/source.ts';
import { parseYaml } from '../../src/load/yaml.ts';
import type { Diagnostic, Path } from '../../src/model/diagnostic.ts';
import { SCHEMAS, type SchemaName } from '../../src/model/schemas.ts';
import { checkPackage } from '../../src/package/rules.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { writeFiles, writePackage } from '../helpers/package.ts';
import { documentText, FULL_DOCUMENTS, FULL_PACKAGE } from '../package/full-package.ts';
import { anyBytes, anyValue, damaged, jsonTexts, mutated, yamlTexts } from './arbitraries.ts';

const TEXTS = Object.entries(FULL_DOCUMENTS).map(([path, { value }]) => documentText(path, value));
const JSONS = Object.values(FULL_DOCUMENTS).map(({ value }) => JSON.stringify(value, null, 2));
const YAMLS = Object.values(FULL_DOCUMENTS).map(({ value }) => stringify(value));
const MARKDOWNS = TEXTS.filter((text) => text.startsWith('---'));
const PATHS: readonly Path[] = [
  [],
  ['name'],
  ['input', 'files', 0],
  ['__proto__', 'x'],
  [3],
  ['a', 'constructor'],
];

/** A value, or an error that says why not; every place is inside the text. */
function expectSane(text: string, source: Source): void {
  if (source.value === undefined)
    expect(source.diagnostics).toContainEqual(expect.objectContaining({ severity: 'error' }));
  const lines = text.split('\n');
  for (const it of source.diagnostics) expectInside(lines, it);
  for (const path of PATHS) {
    expectInside(lines, source.at(path));
    expectInside(lines, source.at(path, 'key'));
  }
}

function expectInside(lines: readonly string[], { line, column }: Pick<Diagnostic, 'line' | 'column'>): void {
  if (line === null || column === null) {
    expect([line, column]).toEqual([null, null]);
    return;
  }
  expect(line).toBeGreaterThanOrEqual(1);
  expect(line).toBeLessThanOrEqual(lines.length);
  expect(column).toBeGreaterThanOrEqual(1);
  expect(column).toBeLessThanOrEqual((lines[line - 1]?.length ?? 0) + 1);
}

describe('whatever the text', () => {
  it('parseJson gives a value or says where it is wrong', () => {
    fc.assert(
      fc.property(jsonTexts(JSONS), (text) => {
        expectSane(text, parseJson(text, 'a.json'));
      }),
      { numRuns: 1500 },
    );
  });

  it('parseJson accepts exactly what JSON.parse accepts, and reads it as it does', () => {
    fc.assert(
      fc.property(jsonTexts(JSONS), (text) => {
        const { value, diagnostics } = parseJson(text, 'a.json');
        const ours = diagnostics.every(({ rule }) => rule === 'duplicate-key');
        let theirs: unknown;
        try {
          theirs = JSON.parse(text);
        } catch {
          expect(ours).toBe(false);
          return;
        }
        expect(ours).toBe(true);
        expect(JSON.stringify(value)).toBe(JSON.stringify(theirs));
      }),
      { numRuns: 1500 },
    );
  });

  it('parseYaml gives a value or says where it is wrong', () => {
    fc.assert(
      fc.property(yamlTexts(YAMLS), fc.boolean(), (text, jsonOnly) => {
        expectSane(text, parseYaml(text, 'a.yaml', { jsonOnly }));
      }),
      { numRuns: 3000 },
    );
  });

  it('parseYaml makes nothing but JSON values', () => {
    fc.assert(
      fc.property(yamlTexts(YAMLS), (text) => {
        const { value } = parseYaml(text, 'a.yaml');
        if (value === undefined) return;
        expect(() => JSON.stringify(value)).not.toThrow();
        expect(isPlain(value)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('parseFrontmatter gives a value or says where it is wrong, and keeps the body', () => {
    const text = fc.oneof(mutated(MARKDOWNS, ['---\n', '\n---\n', '\t', '\r\n', '--- ']), yamlTexts(YAMLS));
    fc.assert(
      fc.property(text, fc.boolean(), (written, fenced) => {
        const whole = fenced ? `---\n${written}\n---\nThe body.\n` : written;
        const source = parseFrontmatter(whole, 'a.md');
        expectSane(whole, source);
        expect(source.bodyLine).toBeGreaterThanOrEqual(1);
        // Line ends are made one kind, unless there is no frontmatter to take off.
        const texts = [whole, whole.replaceAll('\r\n', '\n')];
        expect(texts.some((it) => it.endsWith(source.body))).toBe(true);
      }),
      { numRuns: 1500 },
    );
  });
});

describe('whatever the value', () => {
  it('JSON survives being written and read', () => {
    fc.assert(
      fc.property(fc.oneof(anyValue, fc.jsonValue()), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const source = parseJson(text, 'a.json');
        expect(source.diagnostics).toEqual([]);
        expect(JSON.stringify(source.value)).toBe(JSON.stringify(JSON.parse(text)));
      }),
      { numRuns: 500 },
    );
  });

  it('YAML survives being written and read, and so does JSON read as YAML', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = JSON.stringify(value);
        // Without quotes, << is a merge key, which is refused.
        const texts = json.includes('"<<":') ? [json] : [json, stringify(value)];
        for (const text of texts) {
          const source = parseYaml(text, 'a.yaml');
          expect(source.diagnostics).toEqual([]);
          expect(JSON.stringify(source.value)).toBe(JSON.stringify(value));
        }
      }),
      { numRuns: 500 },
    );
  });

  it.each(Object.keys(SCHEMAS) as SchemaName[])(
    'decode of %s gives a value or says where it is wrong',
    (name) => {
      const { schema } = SCHEMAS[name];
      const right = Object.values(FULL_DOCUMENTS).find((it) => it.schema === name)?.value;
      const values = right === undefined ? anyValue : fc.oneof(anyValue, damaged(right), damaged(right));
      fc.assert(
        fc.property(values, fc.boolean(), (value, asYaml) => {
          const text = asYaml ? stringify(value) : JSON.stringify(value);
          const source = asYaml ? parseYaml(text, 'a') : parseJson(text, 'a');
          const { located, diagnostics } = decode(schema, source);
          const lines = text.split('\n');
          for (const it of diagnostics) expectInside(lines, it);
          expect(located === null).toBe(diagnostics.some(({ severity }) => severity === 'error'));
        }),
        { numRuns: 150 },
      );
    },
  );
});

describe('whatever the files of a package', () => {
  it('readPackage and checkPackage only report', async () => {
    await using pkg = await writePackage(FULL_PACKAGE);
    const paths = Object.keys(FULL_PACKAGE).map((path) => path.replace(/!$/, ''));
    const changes = fc.array(fc.tuple(fc.constantFrom(...paths), anyBytes(TEXTS)), {
      minLength: 1,
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(changes, async (changed) => {
        for (const [path, bytes] of changed) await writeFile(join(pkg.root, path), bytes);
        await expectReported(pkg.root);
        await writeFiles(
          pkg.root,
          Object.fromEntries(
            Object.entries(FULL_PACKAGE).filter(([path]) =>
              changed.some(([it]) => it === path.replace(/!$/, '')),
            ),
          ),
        );
      }),
      { numRuns: 150 },
    );
  });

  it('the same when one part of one document is something else', async () => {
    await using pkg = await writePackage(FULL_PACKAGE);
    const change = fc.constantFrom(...Object.entries(FULL_DOCUMENTS)).chain(([path, { value }]) => {
      return fc.tuple(fc.constant(path), damaged(value));
    });
    await fc.assert(
      fc.asyncProperty(change, async ([path, value]) => {
        await writeFile(join(pkg.root, path), documentText(path, value));
        await expectReported(pkg.root);
        await writeFile(join(pkg.root, path), FULL_PACKAGE[path] as string);
      }),
      { numRuns: 400 },
    );
  });

  it('the same when files have odd names and stand anywhere', async () => {
    const segment = fc.oneof(
      fc.constantFrom(
        'skills',
        'agents',
        'rules',
        'evals',
        'cases',
        'hooks',
        'tests',
        '.aam',
        'SKILL.md',
        'RULE.md',
        'a.yaml',
        'agent.yaml',
        'node_modules',
        '.git',
        'package.agent.json',
      ),
      fc.constantFrom(
        'a\nb',
        '\u001b[31mred',
        ' ',
        '-',
        '~',
        'ü',
        '😀',
        '*',
        '\\',
        '"',
        "'",
        '%',
        '#',
        'constructor',
        '__proto__',
      ),
    );
    const file = fc.tuple(fc.array(segment, { minLength: 1, maxLength: 5 }), anyBytes(TEXTS));
    await fc.assert(
      fc.asyncProperty(fc.array(file, { minLength: 1, maxLength: 8 }), async (files) => {
        await using folder = await temporaryFolder();
        for (const [segments, bytes] of files) {
          const path = join(folder.path, ...segments);
          // A file may stand where another one's folder should be: then it is left out.
          await mkdir(dirname(path), { recursive: true })
            .then(() => writeFile(path, bytes))
            .catch(() => undefined);
        }
        await expectReported(folder.path);
      }),
      { numRuns: 150 },
    );
  });
});

async function expectReported(root: string): Promise<void> {
  const pkg = await readPackage(root);
  for (const it of checkPackage(pkg)) {
    expect(it.message).not.toMatch(/undefined|\[object|NaN\b/);
    const entry = pkg.files.get(it.file);
    if (it.file !== 'SKILL.md') expect(entry).toBeDefined();
    if (it.line === null || !entry) continue;
    const text = new TextDecoder().decode(await readFile(join(root, it.file)));
    expectInside(text.split('\n'), it);
  }
}

function isPlain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null)
    return ['string', 'number', 'boolean', 'object'].includes(typeof value);
  const prototype = Object.getPrototypeOf(value);
  const isData = Array.isArray(value) || prototype === Object.prototype;
  return isData && Object.values(value).every(isPlain);
}
