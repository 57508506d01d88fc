/** What real runs leave behind survives a journey. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { travellingCapture, travellingResult } from '../../../src/model/travel/result.ts';
import type { Capture, TrialResult } from '../../../src/model/trial.ts';
import { readJournal } from '../../../src/pipeline/journal-lines.ts';
import { aam } from '../../helpers/cli.ts';
import { runEval, runOwnAgent } from '../../helpers/eval.ts';
import { EXAMPLE_MODELS, exampleJudge, exampleModel } from '../../helpers/example-scripts/index.ts';
import { copyExample } from '../../helpers/examples.ts';
import { temporaryFolder } from '../../helpers/folder.ts';
import { type Files, writePackage } from '../../helpers/package.ts';
import { journalOf, numberedPackage, runIds } from '../../helpers/runs.ts';
import { AGENTCAROUSEL } from './documents.ts';
import { EVENTS, WHOLE_CAPTURE, WHOLE_RESULT } from './whole-result.ts';

/** The results of the only run in a folder, and their captures. */
async function leftIn(root: string): Promise<{ results: TrialResult[]; captures: Capture[] }> {
  const [run = ''] = await runIds(root);
  const results = [...readJournal(await journalOf(root, run)).results.values()];
  const files = results.flatMap(({ capture }) => capture ?? []);
  const texts = await Promise.all(files.map((file) => readFile(join(root, '.aam/runs', run, file), 'utf8')));
  return { results, captures: texts.map((text) => JSON.parse(text)) };
}

function expectToSurvive({ results, captures }: Awaited<ReturnType<typeof leftIn>>): void {
  expect(results).not.toEqual([]);
  for (const it of results) expect(travellingResult.parse(JSON.parse(JSON.stringify(it)))).toStrictEqual(it);
  for (const it of captures)
    expect(travellingCapture.parse(JSON.parse(JSON.stringify(it)))).toStrictEqual(it);
}

async function evaluated(files: Files, args: readonly string[]) {
  const folder = await writePackage(files);
  const { stderr } = await aam(['eval', '--json', '--no-judge', ...args], { cwd: folder.root });
  if ((await runIds(folder.root)).length === 0) throw new Error(stderr);
  return { ...folder, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

describe('a journey is survived by what is left of', () => {
  it('an agent of the author’s own, whether it ends well or crashes', async () => {
    const script = 'echo made > out.txt; echo "hello $1"; exit "$1"';
    const expected = () => ({ contains: ['hello 0'], 'files-created': ['out.txt'] });
    await using pkg = await writePackage(numberedPackage(2, script, expected));
    await runOwnAgent(pkg.root);
    const left = await leftIn(pkg.root);
    expect(left.captures.flatMap(({ files }) => files.map(({ path }) => path))).toContain('out.txt');
    expect(left.results.map(({ errorKind }) => errorKind)).toContain('agent-crashed');
    expectToSurvive(left);
  });

  it('a mock with graders that score, groups and programs', async () => {
    const program = `console.log(JSON.stringify({ score: 0.5, assertions: [], details: { a: [null] } }))`;
    const assert = [
      { type: 'contains', value: 'a', weight: 2 },
      { type: 'code-judge', command: ['node', 'grade.mjs'] },
      {
        type: 'composite',
        assert: [{ type: 'is-json', name: 'json' }],
        aggregator: { type: 'weighted_average' },
      },
    ];
    const files = {
      'evals/EVAL.yaml': { tests: [{ id: 'one', input: 'Do it.', assert }] },
      'evals/grade.mjs': program,
      '.agentv/targets.yaml': { targets: [{ name: 'fixed', provider: 'mock', response: '{"a": 1}' }] },
    };
    await using pkg = await evaluated(files, ['evals/EVAL.yaml', '--target', 'fixed']);
    const left = await leftIn(pkg.root);
    expect(left.results.flatMap(({ groups }) => groups ?? [])).toMatchObject([{ verdict: 'PASS' }]);
    expect(left.results.flatMap(({ checks }) => checks.flatMap(({ details }) => details ?? []))).not.toEqual(
      [],
    );
    expectToSurvive(left);
  });

  it('a fixture', async () => {
    await using pkg = await evaluated(AGENTCAROUSEL, ['fixture.yaml', '--engine', 'mock']);
    expectToSurvive(await leftIn(pkg.root));
  });

  it('a real agent that a hook blocks, with a judge', async () => {
    await using folder = await temporaryFolder();
    await copyExample('leaky-guard', folder.path);
    const engine = 'claude-code';
    await runEval(
      folder.path,
      engine,
      await exampleModel('leaky-guard', engine),
      ['--model', EXAMPLE_MODELS[engine], '--judge-all'],
      {},
      await exampleJudge('leaky-guard'),
    );
    const left = await leftIn(folder.path);
    expect(left.captures.flatMap(({ hooks }) => hooks)).not.toEqual([]);
    expect(left.results.map(({ judged }) => judged)).not.toContain(null);
    expectToSurvive(left);
  });
});

describe('everything that there can be in', () => {
  it('a result', () => {
    expect(travellingResult.parse(JSON.parse(JSON.stringify(WHOLE_RESULT)))).toStrictEqual(WHOLE_RESULT);
  });

  it('a capture', () => {
    expect(travellingCapture.parse(JSON.parse(JSON.stringify(WHOLE_CAPTURE)))).toStrictEqual(WHOLE_CAPTURE);
  });

  it('what an agent calls its arguments, whatever that may be', () => {
    const input: unknown = JSON.parse('{"__proto__": {"a": 1}, "constructor": null}');
    const event = { ...EVENTS['tool-call'], input };
    const [arrived] = travellingCapture.parse({ ...WHOLE_CAPTURE, events: [event] }).events;
    expect(JSON.stringify(arrived)).toBe(JSON.stringify(event));
  });
});
