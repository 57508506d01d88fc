/** A package, a model and a machine of its own for one fault, and `aam eval` as a process in them. */
import type { ChildProcess } from 'node:child_process';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type EvalReport, evalReport } from '../../src/model/report.ts';
import { startAam } from '../helpers/cli.ts';
import { evalCase, type Judge, judgeSays, modelEnv, PACKAGE } from '../helpers/eval.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { type ModelRequest, modelServer, type Script } from '../helpers/model-server.ts';
import { type Files, writeFiles } from '../helpers/package.ts';

export type LabEngine = 'claude-code' | 'codex' | 'command';

/** For whatever hangs on its own; below the time of a test. */
const MAX_MS = 280_000;

/** What a trial without any fault says: its check looks for it, and the judge quotes it. */
export const ANSWER = 'All is fine.';

export interface Experiment {
  readonly engine?: LabEngine;
  /** Shell script of a `command` agent. */
  readonly agent?: string;
  readonly cases?: number;
  readonly script?: Script;
  readonly judge?: Judge;
  readonly files?: Files;
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** What starts aam, when it is not started itself. */
  readonly around?: readonly string[];
  /** Makes the fault happen while aam runs. */
  readonly during?: (running: Running) => Promise<void>;
}

export interface Running {
  readonly child: ChildProcess;
  readonly requests: readonly ModelRequest[];
  output(): string;
}

/** What a user sees of it. */
export interface Seen {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The one that was written; null: there is none. */
  readonly report: EvalReport | null;
  readonly requests: readonly ModelRequest[];
}

export interface Lab extends AsyncDisposable {
  /** Holds everything of this lab. */
  readonly folder: string;
  /** Of the package. */
  readonly root: string;
  /** Temporary folder of aam. */
  readonly temporary: string;
  /** Runs the package once; later calls find what earlier ones left. */
  run(experiment: Experiment): Promise<Seen>;
}

export async function openLab(): Promise<Lab> {
  const folder = await temporaryFolder();
  const root = join(folder.path, 'package');
  const temporary = join(folder.path, 'tmp');
  await mkdir(temporary);
  const run = async (experiment: Experiment): Promise<Seen> => {
    const {
      engine = 'claude-code',
      script = [{ text: ANSWER }],
      judge = judgeSays('PASS', ['fine']),
    } = experiment;
    await writeFiles(root, packageOf(engine, experiment));
    await using server = await modelServer(script, { judge });
    const model = engine === 'codex' ? 'gpt-5.4' : 'claude-sonnet-5-5';
    const args = ['eval', '--judge', model, '-j4', ...(experiment.args ?? [])];
    if (engine !== 'command') args.push('--model', model);
    const env = { NO_COLOR: '1', AAM_COMMAND: 'aam', TMPDIR: temporary, ...modelEnv(server.url) };
    const { child, ended, output } = startAam(args, root, { ...env, ...experiment.env }, experiment.around);
    const { requests } = server;
    const bound = setTimeout(() => child.kill('SIGKILL'), MAX_MS);
    try {
      await experiment.during?.({ child, requests, output });
      return { ...(await ended), report: await writtenReport(root), requests };
    } finally {
      clearTimeout(bound);
      child.kill('SIGKILL');
    }
  };
  return {
    folder: folder.path,
    root,
    temporary,
    run,
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

function packageOf(engine: LabEngine, { agent = `echo ${ANSWER}`, cases = 1, files }: Experiment): Files {
  const numbers = Array.from({ length: cases }, (_, index) => index);
  const command = ['/bin/sh', '-c', agent, 'agent', '{prompt}'];
  return {
    ...PACKAGE,
    'evals/eval-config.json': { version: 1, engine, timeout: 50, ...(engine === 'command' && { command }) },
    ...Object.fromEntries(
      numbers.map((number) => [
        `evals/cases/c-${number}.yaml`,
        evalCase(`c-${number}`, {
          input: { prompt: `Do it, number ${number}.` },
          expected: { contains: ['fine'] },
        }),
      ]),
    ),
    ...files,
  };
}

async function writtenReport(root: string): Promise<EvalReport | null> {
  const folder = join(root, 'evals/reports');
  const names = (await readdir(folder).catch(() => [])).sort();
  const last = names.at(-1);
  return last === undefined ? null : evalReport.parse(JSON.parse(await readFile(join(folder, last), 'utf8')));
}
