/** `aam test` on 200 trivial cases, two at a time, against a bare loop that spawns the same sandboxed commands. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { compare } from './measure.js';

const CASES = 200;
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

export function testCases(rounds) {
  const dir = mkdtempSync(join(tmpdir(), 'aam-bench-'));
  try {
    writePackage(dir);
    const medians = compare(
      {
        'bare loop': {
          argv: [process.execPath, here('./bare-loop.js'), 'test', String(CASES), '2', dir],
          check: bareLoopRan,
        },
        'aam test -j2': {
          argv: [process.execPath, here('../bin/aam'), 'test', '-j2', '--json', dir],
          check: aamRan,
        },
      },
      rounds,
    );
    return { floor: 'bare loop', aims: { 'aam test -j2': 1.3 }, medians };
  } finally {
    rmSync(dir, { recursive: true });
  }
}

function writePackage(dir) {
  const skill = join(dir, 'skills', 'echo');
  mkdirSync(join(skill, 'tests', 'cases'), { recursive: true });
  writeFileSync(join(dir, 'package.agent.json'), JSON.stringify({ name: 'bench', version: '1.0.0' }));
  writeFileSync(join(skill, 'SKILL.md'), '---\nname: echo\ndescription: Echoes.\n---\nEcho.\n');
  for (let index = 0; index < CASES; index++) {
    const text = `name: case-${index}\ninput:\n  command: echo Done as asked.\nexpected:\n  stdout-contains: [Done as asked.]\n`;
    writeFileSync(join(skill, 'tests', 'cases', `${index}.yaml`), text);
  }
}

function bareLoopRan({ status, stdout, stderr }) {
  if (status !== 0 || stdout.trim() !== String(CASES))
    throw new Error(`the bare loop did not run: ${stdout}${stderr}`);
}

function aamRan({ status, stdout, stderr }) {
  if (status !== 0 || JSON.parse(stdout).summary.passed !== CASES)
    throw new Error(`aam test did not pass: ${stderr}`);
}
