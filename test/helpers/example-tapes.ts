/** Records tapes of the example packages: the real agents, and a model that is played by scripts. */
import { join } from 'node:path';
import { type EvalReport, evalReport } from '../../src/model/report.ts';
import { aam } from './cli.ts';
import { type AgentEngine, modelEnv } from './eval.ts';
import { EXAMPLE_MODELS, EXAMPLES, exampleJudge, exampleModel } from './example-scripts/index.ts';
import { copyExample } from './examples.ts';
import { temporaryFolder } from './folder.ts';
import { modelServer } from './model-server.ts';

interface TapedExample {
  readonly name: string;
  readonly engines: readonly AgentEngine[];
  /** Of a replay. */
  readonly exitCode: number;
}

/** Those that are in the repository. */
export const TAPED_EXAMPLES: readonly TapedExample[] = [
  { name: 'pdf-tools', engines: ['claude-code', 'codex'], exitCode: 0 },
  { name: 'leaky-guard', engines: ['claude-code'], exitCode: 1 },
];

/** `tapes`: an absolute path; null: where the example has them. */
export async function recordExample(
  name: string,
  engine: AgentEngine,
  tapes: string | null = null,
): Promise<EvalReport> {
  await using folder = await temporaryFolder();
  const root = join(folder.path, name);
  await copyExample(name, root);
  const judge = await exampleJudge(name);
  await using server = await modelServer(await exampleModel(name, engine), { judge });
  const { stdout, stderr } = await aam(
    [
      ...['eval', '--json', '-j', '2', '--engine', engine, '--model', EXAMPLE_MODELS[engine]],
      ...['--tape', 'record', '--tape-source', 'scripted'],
      ...['--tapes', tapes ?? join(EXAMPLES, name, 'evals/tapes')],
    ],
    { cwd: root, env: modelEnv(server.url) },
  );
  if (stdout === '') throw new Error(`aam eval printed nothing: ${stderr}`);
  return evalReport.parse(JSON.parse(stdout));
}
