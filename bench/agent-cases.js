/** (d) Real agents that ask a scripted model once, against a bare loop that runs them in the same sandbox. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { compare } from './measure.js';
import { AAM, assert, caseFiles, here, inFolder, writePackage } from './places.js';

const CASES = 20;
const ROUNDS = 5;
const UNDECIDED = 3;
export const MODELS = { 'claude-code': 'claude-sonnet-5-5', codex: 'gpt-5.4' };

export async function agentCases() {
  const rows = [];
  for (const engine of Object.keys(MODELS)) rows.push(await agentRow(engine));
  return rows;
}

function agentRow(engine) {
  return withModel(async ({ root, socket, env }) => {
    const dir = join(root, 'package');
    writePackage(dir, caseFiles(engine, CASES));
    const measured = await compare(
      {
        'bare loop': {
          argv: [process.execPath, here('./bare-loop.js'), engine, 'bubblewrap', String(CASES), '2', socket],
          check: ({ status, stdout, stderr }) =>
            assert(status === 0 && stdout.trim() === String(CASES), `the bare loop: ${stdout}${stderr}`),
        },
        'aam eval -j2': {
          argv: [...AAM, 'eval', '-j2', '--json', '--no-judge', '-C', dir, '--model', MODELS[engine]],
          env,
          check: ran,
        },
      },
      ROUNDS,
    );
    return { bench: `${CASES} cases, real ${engine}`, rounds: ROUNDS, aim: 1.05, cases: CASES, measured };
  });
}

/** Without a judge the cases stay undecided; that each agent said what it had to is known by their checks. */
export function ran({ status, stdout, stderr }) {
  const report = JSON.parse(stdout || '{"cases":[]}');
  const right = report.cases.filter(
    (it) =>
      it.deterministic_checks.contains === 'PASS' && it.error_kind === 'no-judge' && it.usage.requests === 1,
  );
  assert(status === UNDECIDED && right.length === CASES, `aam: ${status}, ${right.length}: ${stderr}`);
}

/** A scripted model on a port and a socket, for the time of `use`. */
export function withModel(use) {
  return inFolder(async (root) => {
    const socket = join(root, 'model.sock');
    const model = spawn(process.execPath, [here('./upstream.js'), socket], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    try {
      const [port] = await once(model.stdout.setEncoding('utf8'), 'data');
      const url = `http://127.0.0.1:${port.trim()}`;
      const env = {
        ...process.env,
        ANTHROPIC_BASE_URL: url,
        ANTHROPIC_API_KEY: 'sk-fake',
        OPENAI_BASE_URL: `${url}/v1`,
        OPENAI_API_KEY: 'sk-fake',
      };
      return await use({ root, socket, env });
    } finally {
      model.stdin.end();
      if (model.exitCode === null) await once(model, 'exit');
    }
  });
}
