/** Every fault through the whole of `aam eval`: verdict, kind, exit code and words are those of docs/reliability.md. */
import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it, type TestContext } from 'vitest';
import { processesOf } from '../helpers/traces.ts';
import { cellsOf, type Fault, patternOf } from './fault.ts';
import { FAULTS } from './faults.ts';
import { injected } from './figures.ts';
import { type LabEngine, openLab, type Seen } from './lab.ts';

const ALL = FAULTS.flatMap((fault) => fault.engines.map((engine) => ({ ...fault, engine })));

// They mostly wait.
describe.concurrent('a fault', () => {
  for (const { engine, ...fault } of ALL)
    it(`${fault.name}, with ${engine}`, { timeout: 300_000 }, (context) =>
      injectAndLook(fault, engine, context),
    );
});

it('every fault stands in the docs as it is here, and no other', async () => {
  const docs = await readFile(new URL('../../docs/reliability.md', import.meta.url), 'utf8');
  const [, section = ''] = docs.split('## What each fault comes to\n');
  const rows = section.split('\n## ')[0]?.match(/^\| .*\|$/gm) ?? [];
  // The first one is the heading, the second the line below it.
  expect(rows.slice(2).map(cells)).toEqual(FAULTS.map(cellsOf));
});

/** As they are written, whatever the width of their columns. */
function cells(row: string): string[] {
  return row
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());
}

async function injectAndLook(fault: Fault, engine: LabEngine, context: TestContext): Promise<void> {
  const { spared = [], verdict, kind, exit, says } = fault;
  await using lab = await openLab();
  // Also one that comes to no end counts.
  injected(context, fault.name);
  const seen = await fault.inject(lab, engine);
  expect({ exit: seen.code, ...decided(seen, spared) }, told(seen)).toEqual({
    exit,
    verdicts: verdict === null ? [] : [verdict],
    kinds: verdict === null ? [] : [kind],
  });
  if (says !== null) expect(told(seen)).toMatch(patternOf(says));
  else expect(seen.stderr).toBe('');
  // A user never sees a stack.
  expect(seen.stderr).not.toMatch(/^ +at /m);
  expect(processesOf(lab.folder)).toEqual([]);
  expect(await readdir(lab.temporary)).toEqual([]);
}

function decided({ report }: Seen, spared: readonly string[]): { verdicts: unknown[]; kinds: unknown[] } {
  const cases = report?.cases ?? [];
  const passed = cases.filter(({ verdict }) => verdict === 'PASS').map(({ name }) => name);
  expect(passed).toEqual(expect.arrayContaining([...spared]));
  const hit = cases.filter(({ name }) => !spared.includes(name));
  return {
    verdicts: [...new Set(hit.map((it) => it.verdict))],
    kinds: [...new Set(hit.map((it) => it.error_kind ?? null))],
  };
}

function told({ report, stderr }: Seen): string {
  const cases = report?.cases ?? [];
  const words = cases.flatMap((it) => [it.error ?? '', ...it.warnings]);
  return [...words, ...(report?.warnings ?? []), stderr].join('\n');
}
