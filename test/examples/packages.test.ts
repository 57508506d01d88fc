/** What a newcomer meets first: the example packages, by the built command line. */
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { testReport } from '../../src/model/test-report.ts';
import { aam } from '../helpers/cli.ts';
import { temporaryFolder } from '../helpers/folder.ts';

const examples = fileURLToPath(new URL('../../examples', import.meta.url));

/** Passed tests by what they are about, and the eval cases in order. */
const PACKAGES = {
  starter: { tests: { 'skill:text-stats': 2, 'hook:pre-tool-use': 3 }, cases: ['keeps-within-limit'] },
  'pdf-tools': {
    tests: { 'skill:pdf-tools': 10, 'hook:pre-tool-use': 15 },
    cases: [
      'hook-blocks-protected-write',
      'hook-lets-ordinary-writes-through',
      'one-page-only',
      'pdf-extraction-e2e',
      'scan-is-not-invented',
      'table-checker-finds-wrong-row',
    ],
  },
  'leaky-guard': { tests: { 'hook:pre-tool-use': 2 }, cases: ['ledger-stays-closed'] },
};

it('no example is forgotten here', async () => {
  const entries = await readdir(examples, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  expect(folders.sort()).toEqual(Object.keys(PACKAGES).sort());
});

describe.each(Object.entries(PACKAGES))('examples/%s', (name, { tests, cases }) => {
  const cwd = join(examples, name);

  it('validates strictly', async () => {
    const { code, stdout, stderr } = await aam(['validate', '--strict'], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('no problems');
  });

  it('passes its tests, all of them', async () => {
    const { code, stdout } = await aam(['test', '--json'], { cwd });
    const report = testReport.parse(JSON.parse(stdout));
    const all = report.packages.flatMap((it) => it.cases);
    const passed: Record<string, number> = {};
    for (const { target, verdict } of all) if (verdict === 'PASS') passed[target] = (passed[target] ?? 0) + 1;
    expect(passed).toEqual(tests);
    const total = Object.values(tests).reduce((sum, count) => sum + count);
    expect(report.summary).toMatchObject({ total, passed: total });
    expect(all.flatMap(({ notes }) => notes)).toEqual([]);
    expect(code).toBe(0);
  });

  it.each(['claude-code', 'codex'])('shows what an eval with %s would run', async (engine) => {
    const { code, stdout } = await aam(['eval', '--dry-run', '--engine', engine], { cwd });
    expect(code).toBe(0);
    expect(Array.from(stdout.matchAll(/^(\S+) {2}evals\/cases\//gm), ([, it]) => it)).toEqual(cases);
  });
});

it('the PDFs are what their script makes', async () => {
  await using folder = await temporaryFolder();
  const fixtures = join(examples, 'pdf-tools/skills/pdf-tools/tests/fixtures');
  await promisify(execFile)(execPath, [join(fixtures, 'make-fixtures.mjs'), folder.path]);
  const made = await readdir(folder.path);
  expect(made.sort()).toEqual(['invoice.pdf', 'locked.pdf', 'not-a-pdf.pdf', 'scan.pdf']);
  for (const name of made)
    expect(await readFile(join(fixtures, name))).toEqual(await readFile(join(folder.path, name)));
  const evals = join(examples, 'pdf-tools/evals/fixtures');
  expect(await readFile(join(evals, 'sample.pdf'))).toEqual(await readFile(join(fixtures, 'invoice.pdf')));
  expect(await readFile(join(evals, 'scan.pdf'))).toEqual(await readFile(join(fixtures, 'scan.pdf')));
});
