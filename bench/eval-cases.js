/** `aam eval` against a bare loop that runs the same agents in the same sandbox. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { compare } from './measure.js';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

export async function evalCases(engine, cases, rounds, aim) {
  const root = mkdtempSync(join(tmpdir(), 'aam-bench-'));
  const dir = join(root, 'package');
  const socket = join(root, 'upstream.sock');
  const upstream = spawn(process.execPath, [here('./upstream.js'), socket], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [port] = await once(upstream.stdout.setEncoding('utf8'), 'data');
  try {
    writePackage(dir, engine, cases);
    const env = {
      ...process.env,
      ANTHROPIC_BASE_URL: `http://127.0.0.1:${port.trim()}`,
      ANTHROPIC_API_KEY: 'sk-fake',
    };
    const aam = [process.execPath, here('../bin/aam'), 'eval', '-j2', '--json', '--no-judge', '-C', dir];
    const name = `aam eval -j2, ${engine}`;
    const medians = compare(
      {
        'bare loop': {
          argv: [process.execPath, here('./bare-loop.js'), engine, String(cases), '2', socket],
          check: ({ status, stdout, stderr }) =>
            assert(
              status === 0 && stdout.trim() === String(cases),
              `the bare loop did not do its work: ${stdout}${stderr}`,
            ),
        },
        [name]: {
          argv: [...aam, '--model', 'claude-sonnet-5-5'],
          env,
          check: (result) => ran(result, cases, engine === 'command' ? 0 : 1),
        },
      },
      rounds,
    );
    return { floor: 'bare loop', aims: { [name]: aim }, medians };
  } finally {
    upstream.stdin.end();
    await once(upstream, 'exit');
    rmSync(root, { recursive: true });
  }
}

/** Without a judge the cases stay undecided; that each agent said what it had to is known by their checks. */
function ran({ status, stdout, stderr }, cases, requests) {
  const report = JSON.parse(stdout || '{"cases":[]}');
  const right = report.cases.filter(
    (it) =>
      it.deterministic_checks.contains === 'PASS' &&
      it.error_kind === 'no-judge' &&
      it.usage.requests === requests,
  );
  const problem = `aam eval ended with ${status}, and ${right.length} of ${cases} did their work: ${stderr}`;
  assert(status === UNDECIDED && right.length === cases, problem);
}

const UNDECIDED = 3;

function assert(condition, message) {
  if (!condition) throw new Error(message);
}

function writePackage(dir, engine, cases) {
  mkdirSync(join(dir, 'evals', 'cases'), { recursive: true });
  mkdirSync(join(dir, 'skills', 'echo'), { recursive: true });
  writeFileSync(join(dir, 'package.agent.json'), JSON.stringify({ name: 'bench', version: '1.0.0' }));
  writeFileSync(
    join(dir, 'skills', 'echo', 'SKILL.md'),
    '---\nname: echo\ndescription: Echoes.\n---\nEcho.\n',
  );
  const command = ['/bin/sh', '-c', 'echo Done as asked.'];
  writeFileSync(join(dir, 'evals', 'eval-config.json'), JSON.stringify({ version: 1, engine, command }));
  for (let index = 0; index < cases; index++) {
    const text = `name: case-${index}\ninput:\n  prompt: Do it.\nexpected:\n  contains: [Done as asked.]\njudge:\n  criteria: Done.\n`;
    writeFileSync(join(dir, 'evals', 'cases', `${index}.yaml`), text);
  }
}
