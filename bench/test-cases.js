/** (t) `aam test` on trivial cases, two at a time, against a bare loop that spawns the same sandboxed commands. */
import process from 'node:process';
import { compare } from './measure.js';
import { AAM, ANSWER, assert, here, inFolder, writePackage } from './places.js';

const CASES = 200;
const ROUNDS = 7;

export function testCases() {
  return inFolder(async (dir) => {
    const text = (index) =>
      `name: case-${index}\ninput:\n  command: echo ${ANSWER}\nexpected:\n  stdout-contains: [${ANSWER}]\n`;
    const files = Array.from({ length: CASES }, (_, index) => [
      `skills/echo/tests/cases/${index}.yaml`,
      text(index),
    ]);
    writePackage(dir, Object.fromEntries(files));
    const measured = await compare(
      {
        'bare loop': {
          argv: [process.execPath, here('./bare-loop.js'), 'test', 'bubblewrap', String(CASES), '2', dir],
          check: ({ status, stdout, stderr }) =>
            assert(status === 0 && stdout.trim() === String(CASES), `the bare loop: ${stdout}${stderr}`),
        },
        'aam test -j2': {
          argv: [...AAM, 'test', '-j2', '--json', dir],
          check: ({ status, stdout, stderr }) => {
            const passed = JSON.parse(stdout || '{}').summary?.passed;
            assert(status === 0 && passed === CASES, `aam test: ${passed} passed: ${stderr}`);
          },
        },
      },
      ROUNDS,
    );
    return [{ bench: `${CASES} cases of aam test`, rounds: ROUNDS, aim: 1.3, cases: CASES, measured }];
  });
}
