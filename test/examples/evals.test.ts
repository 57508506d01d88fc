/** The eval cases of the examples, played through the real agents in the real sandbox. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../src/model/agent-event.ts';
import type { FileChange } from '../../src/model/trial.ts';
import { type AgentEngine, ENGINE_NAMES, runEval } from '../helpers/eval.ts';
import { EXAMPLE_MODELS, exampleModel } from '../helpers/example-scripts/index.ts';
import { copyExample } from '../helpers/examples.ts';
import { temporaryFolder } from '../helpers/folder.ts';

/** A copy, so that reports and captures go away with it. */
async function example(name: string) {
  const folder = await temporaryFolder();
  const root = join(folder.path, name);
  await copyExample(name, root);
  return { name, root, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

async function play({ name, root }: Awaited<ReturnType<typeof example>>, engine: AgentEngine) {
  const model = await exampleModel(name, engine);
  const run = await runEval(root, engine, model, ['--model', EXAMPLE_MODELS[engine]]);
  const of = (caseName: string) => {
    const found = run.report.cases.find((it) => it.name === caseName);
    if (!found) throw new Error(`the report has no case ${caseName}`);
    return found;
  };
  const capture = async (caseName: string): Promise<Capture> =>
    JSON.parse(await readFile(join(root, of(caseName).capture ?? ''), 'utf8'));
  return { ...run, of, capture };
}

interface Capture {
  readonly files: readonly FileChange[];
  readonly events: readonly AgentEvent[];
}

const toolOutput = ({ events }: Capture) =>
  events.flatMap((event) => (event.type === 'tool-result' ? [event.output] : [])).join('\n');
const added = ({ files }: Capture) =>
  Object.fromEntries(
    files.map(({ path, diff }) => [
      path,
      Array.from((diff ?? '').matchAll(/^\+(?!\+\+)(.*)$/gm), ([, line]) => line),
    ]),
  );

describe.each(ENGINE_NAMES)('the examples with %s', (engine) => {
  it('pdf-tools: the script extracts, the hook blocks, the sub-agent checks', async () => {
    await using pkg = await example('pdf-tools');
    const { report, of, capture, requests } = await play(pkg, engine);
    expect(Object.fromEntries(report.cases.map((it) => [it.name, it.deterministic_checks]))).toEqual({
      'hook-blocks-protected-write': { not_contains: 'PASS', agent_blocked: 'PASS' },
      'hook-lets-ordinary-writes-through': { files_created: 'PASS', agent_blocked: 'PASS' },
      'one-page-only': { contains: 'PASS', not_contains: 'PASS', files_created: 'PASS' },
      'pdf-extraction-e2e': { contains: 'PASS', not_contains: 'PASS', files_created: 'PASS' },
      'scan-is-not-invented': { contains: 'PASS', not_contains: 'PASS', agent_blocked: 'PASS' },
      'table-checker-finds-wrong-row': { contains: 'PASS', not_contains: 'PASS' },
    });

    // The answers are scripted: what the real script and the real hook did is in the captures.
    const extracted = await capture('pdf-extraction-e2e');
    const text = added(extracted)['output/extracted.txt'];
    expect(text).toHaveLength(18);
    expect(text).toEqual(expect.arrayContaining(['Hello, World Stationery', 'Total due 113.40']));
    expect(toolOutput(extracted)).toContain('wrote the text of 2 pages to output/extracted.txt');
    expect(of('pdf-extraction-e2e').skills_activated).toEqual(['pdf-tools']);
    expect(added(await capture('one-page-only'))['output/page-2.txt']?.at(0)).toBe('Terms of payment');
    expect(toolOutput(await capture('scan-is-not-invented'))).toContain('has no text layer on page 1');

    const tool = engine === 'codex' ? 'apply_patch' : 'Write';
    expect(of('hook-blocks-protected-write').check_details).toContainEqual({
      check: 'agent_blocked',
      verdict: 'PASS',
      message: `pre-tool-use hook node hooks/scripts/protect-paths.mjs blocked ${tool}: Blocked: /etc/config.txt is protected (configuration of the system). Ask the user to change it.`,
    });
    expect(added(await capture('hook-lets-ordinary-writes-through'))).toEqual({
      'src/notes.txt': ['Invoice 2024-0117 is due.'],
    });
    expect(of('hook-lets-ordinary-writes-through').check_details).toContainEqual(
      expect.objectContaining({ check: 'agent_blocked', message: 'no hook blocked (1 ran)' }),
    );

    const asSubAgent = requests.filter(({ body }) => JSON.stringify(body).includes('You check tables'));
    expect(asSubAgent.map(({ body }) => JSON.stringify(body))).toContainEqual(
      expect.stringMatching(/Wax seal {13}2 {9}9\.50 {5}18\.00/),
    );
    const { events } = await capture('table-checker-finds-wrong-row');
    expect(events).toContainEqual(expect.objectContaining({ type: 'sub-agent' }));
  });

  it('leaky-guard: fails, says why, and is mended by one line', async () => {
    await using pkg = await example('leaky-guard');
    const leaking = await play(pkg, engine);
    expect(leaking.of('ledger-stays-closed')).toMatchObject({
      verdict: 'FAIL',
      deterministic_checks: { agent_blocked: 'FAIL' },
      error: TOLD,
      agent_output_snippet: 'Done: ledger/2024.csv has that one line now.',
    });
    expect(leaking.code).toBe(1);
    expect((await leaking.capture('ledger-stays-closed')).files).toMatchObject([
      { path: 'ledger/2024.csv', change: 'modified' },
    ]);
    expect(await readFile(join(pkg.root, 'README.md'), 'utf8')).toContain(TOLD);

    const script = join(pkg.root, 'hooks/scripts/guard-ledger.mjs');
    const source = await readFile(script, 'utf8');
    expect(source.split('process.exitCode = 1;')).toHaveLength(2);
    await writeFile(script, source.replace('process.exitCode = 1;', 'process.exitCode = 2;'));
    const mended = await play(pkg, engine);
    expect(mended.of('ledger-stays-closed')).toMatchObject({
      deterministic_checks: { agent_blocked: 'PASS' },
      agent_output_snippet: 'The ledger is closed, so I left ledger/2024.csv as it was.',
    });
    expect((await mended.capture('ledger-stays-closed')).files).toEqual([]);
  });
});

const TOLD =
  'expected agent-blocked=true but pre-tool-use hook node hooks/scripts/guard-ledger.mjs exited with 1: Blocked: the ledger is closed, so nothing was blocked';
