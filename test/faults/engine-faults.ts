/** A program of an agent that does not do its part. */
import { readFileSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { findEngine } from '../../src/engine/find.ts';
import { type AgentEngine, ENGINE_NAMES } from '../helpers/eval.ts';
import { type Fault, onlyWith } from './fault.ts';
import { ANSWER, type Experiment, type Lab, type LabEngine, type Running } from './lab.ts';

type Outcome = Pick<Fault, 'verdict' | 'kind' | 'says'>;

const VARIABLES = { 'claude-code': 'AAM_CLAUDE_BIN', codex: 'AAM_CODEX_BIN' };

/** The program is this text instead. */
const instead = (
  name: string,
  outcome: Outcome,
  text: string | ((engine: AgentEngine) => string),
  more: Experiment = {},
): Fault => ({
  name,
  engines: ENGINE_NAMES,
  ...outcome,
  exit: { PASS: 0, FAIL: 1, SKIP: 3 }[outcome.verdict ?? 'SKIP'],
  inject: async (lab, engine) => {
    const program = await placeOf(lab);
    const own = engine as AgentEngine;
    await writeFile(program, typeof text === 'string' ? text : text(own), { mode: 0o755 });
    return await lab.run({ engine, env: { [VARIABLES[own]]: program }, ...more });
  },
});

const unstarted = (name: string, says: string, text: Parameters<typeof instead>[2], more?: Experiment) =>
  instead(name, { verdict: 'SKIP', kind: 'engine-failed', says }, text, more);

const crashed = (name: string, says: string, text: Parameters<typeof instead>[2], more?: Experiment) =>
  instead(name, { verdict: 'FAIL', kind: 'agent-crashed', says }, text, more);

const BEFORE = 'before it asked its model';
const HALF = `printf '{"type":"sys'`;
const GIGABYTE = 1_000_000_000;
/** Time enough also on a machine that has other things to do. */
const FLOOD: Experiment = { during: staysSmall, args: ['--timeout', '600'] };
/** Asks the model once, as an agent that works would. */
const ASK = `/aam/node -e 'const http = require("http"); const path = process.argv[1]; const request = http.request({ socketPath: "/aam/gateway.sock", path, method: "POST", headers: { "content-type": "application/json" } }, (answer) => answer.resume()); request.end(JSON.stringify({ model: "m", stream: true, messages: [], input: [] }))'`;

export const ENGINE_FAULTS: readonly Fault[] = [
  {
    name: 'the program is missing',
    engines: ENGINE_NAMES,
    ...{ verdict: null, kind: null, exit: 2 },
    says: 'error: …/no-such-program is not a program',
    inject: (lab, engine) =>
      lab.run({ engine, env: { [VARIABLES[engine as AgentEngine]]: join(lab.folder, 'no-such-program') } }),
  },
  onlyWith(
    'claude-code',
    unstarted(
      'the program is no program',
      'the agent could not be started: …cannot be run in the sandbox: Exec format error',
      '\x7fELF, not really',
    ),
  ),
  onlyWith(
    'claude-code',
    unstarted(
      'the program needs an interpreter that is missing',
      'the agent could not be started: …',
      '#!/no/such/interpreter\n',
    ),
  ),
  unstarted(
    'the program crashes at its start',
    `the engine ended with exit code 1 ${BEFORE}: cannot load libx.so`,
    sh('echo cannot load libx.so >&2', 'exit 1'),
  ),
  unstarted(
    'the program is killed at its start',
    `the engine ended with exit code 139 ${BEFORE}`,
    sh('kill -SEGV $$'),
  ),
  unstarted(
    'the program says nothing and ends with 0',
    `the engine ended with exit code 0 ${BEFORE}`,
    sh('exit 0'),
  ),
  unstarted(
    'the program prints half a line of JSON',
    `the engine ended with exit code 0 ${BEFORE}`,
    sh(HALF),
  ),
  unstarted(
    'the program says that it is done, and never asked its model',
    'the engine ended without having asked its model',
    (engine) => sh(...DONE[engine].map((event) => `echo '${JSON.stringify(event)}'`)),
  ),
  onlyWith(
    'claude-code',
    unstarted(
      'the program prints 1 GB in one line',
      `the engine ended with exit code 0 ${BEFORE}`,
      sh(`head -c ${GIGABYTE} /dev/zero | tr '\\0' x`),
      FLOOD,
    ),
  ),
  onlyWith(
    'codex',
    unstarted(
      'the program prints 1 GB in lines',
      `the engine ended with exit code 0 ${BEFORE}`,
      sh(`yes '{"type":"unheard-of","text":"${'x'.repeat(4000)}"}' | head -c ${GIGABYTE}`),
      FLOOD,
    ),
  ),
  unstarted(
    'the program hangs before it asks its model',
    'the engine had not asked its model after 3 s',
    sh('exec sleep 600'),
    { args: ['--timeout', '3'] },
  ),
  crashed(
    'the program asks its model, then ends with 0 and no result',
    'the agent ended with exit code 0 without an answer',
    asking(),
  ),
  crashed(
    'the program asks its model, then prints half a line of JSON',
    'the agent ended with exit code 0 without an answer',
    asking(HALF),
  ),
  crashed(
    'the program asks its model, then is killed',
    'the agent ended with exit code 137 without an answer',
    asking('kill -KILL $$'),
  ),
  {
    name: 'the program vanishes during the run',
    engines: ['claude-code'],
    spared: ['c-0'],
    ...{ verdict: 'SKIP', kind: 'sandbox', exit: 3 },
    says: 'the sandbox failed: …',
    inject: async (lab, engine) => {
      const program = await placeOf(lab);
      const real = findEngine('claude-code', { env: process.env, cwd: lab.root, home: homedir() });
      await symlink(real?.path ?? '', program);
      return await lab.run({
        engine,
        ...{ cases: 2, args: ['-j1'], env: { AAM_CLAUDE_BIN: program } },
        script: async () => {
          await rm(program, { force: true });
          return { text: ANSWER };
        },
      });
    },
  },
  {
    name: 'an agent of one’s own prints 1 GB',
    engines: ['command'],
    ...{ verdict: 'FAIL', kind: 'too-much-output', exit: 1 },
    says: `the agent wrote ${GIGABYTE} bytes, more than is kept of an answer (--max-output)`,
    inject: (lab, engine) =>
      lab.run({ engine, agent: `head -c ${GIGABYTE} /dev/zero | tr '\\0' x`, ...FLOOD }),
  },
];

function sh(...lines: string[]): string {
  return ['#!/bin/sh', '[ "$1" = --version ] && echo 1.2.3 && exit 0', ...lines, ''].join('\n');
}

function asking(...then: string[]): (engine: LabEngine) => string {
  return (engine) => sh(`${ASK} ${engine === 'codex' ? '/v1/responses' : '/v1/messages'}`, ...then);
}

async function placeOf(lab: Lab): Promise<string> {
  await mkdir(join(lab.folder, 'bin'), { recursive: true });
  return join(lab.folder, 'bin', 'agent');
}

/** What is printed must not pile up in aam. */
async function staysSmall({ child }: Running): Promise<void> {
  let peak = 0;
  while (child.exitCode === null) {
    peak = Math.max(peak, peakOf(child.pid ?? 0));
    await sleep(50);
  }
  if (peak > MAX_KIB) throw new Error(`aam took ${peak} KiB of memory`);
}

const MAX_KIB = 600_000;

function peakOf(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

const DONE: Readonly<Record<AgentEngine, readonly object[]>> = {
  'claude-code': [
    { type: 'system', subtype: 'init', session_id: 's', model: 'm', tools: [] },
    { type: 'result', subtype: 'success', is_error: false, result: ANSWER, session_id: 's', num_turns: 1 },
  ],
  codex: [
    { type: 'thread.started', thread_id: 's' },
    { type: 'turn.started' },
    { type: 'item.completed', item: { id: 'i', type: 'agent_message', text: ANSWER } },
    { type: 'turn.completed', usage: { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1 } },
  ],
};
