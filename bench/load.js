/** (b) Reading and checking 1,000 cases, against parsing their files. */
import process from 'node:process';
import { compare } from './measure.js';
import { AAM, assert, caseFiles, here, inFolder, writePackage } from './places.js';

const CASES = 1000;
const ROUNDS = 7;

export function loadCases() {
  return inFolder(async (dir) => {
    writePackage(dir, caseFiles('command', CASES));
    const measured = await compare(
      {
        'read and parse': {
          argv: [process.execPath, here('./parse-yaml.js'), dir],
          check: ({ status, stdout, stderr }) =>
            assert(status === 0 && stdout.trim() === String(CASES), `nothing was parsed: ${stdout}${stderr}`),
        },
        'aam validate': {
          argv: [...AAM, 'validate', '--json', dir],
          check: ({ status, stdout, stderr }) => {
            const files = JSON.parse(stdout || '{}').packages?.[0]?.files;
            assert(status === 0 && files === CASES + 3, `aam validate saw ${files} files: ${stderr}`);
          },
        },
        'aam eval --dry-run': {
          argv: [...AAM, 'eval', '--dry-run', '-C', dir],
          check: ({ status, stdout, stderr }) => {
            const named = stdout.match(/case-\d+/g) ?? [];
            assert(status === 0 && new Set(named).size === CASES, `${new Set(named).size} cases: ${stderr}`);
          },
        },
      },
      ROUNDS,
    );
    return [{ bench: `load, ${CASES} case files`, rounds: ROUNDS, cases: CASES, measured }];
  });
}
