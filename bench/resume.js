/** (f) Taking up a run of 10,000 cases that is finished, against parsing its report. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { aamArguments, allPassed } from './command-cases.js';
import { compare, measure } from './measure.js';
import { AAM, assert, caseLines, inFolder, writePackage } from './places.js';

const CASES = 10_000;
const ROUNDS = 5;
const PARSE = `import { readFileSync } from 'node:fs';
console.log(JSON.parse(readFileSync(process.argv[1], 'utf8')).cases.length);`;

export function resumeRun() {
  return inFolder(async (dir) => {
    writePackage(dir, caseLines(CASES));
    const check = (result) => allPassed(result, CASES);
    await measure('the run itself', { argv: aamArguments(dir, 'none'), check });
    const reports = join(dir, 'evals', 'reports');
    const [report] = readdirSync(reports).filter((name) => name.endsWith('.json'));
    const measured = await compare(
      {
        'parse the report': {
          argv: [process.execPath, '--input-type=module', '-e', PARSE, join(reports, report)],
          check: ({ stdout, stderr }) => assert(stdout.trim() === String(CASES), `nothing parsed: ${stderr}`),
        },
        'aam eval --resume': {
          argv: [...AAM, 'eval', '--resume', '--json', '-C', dir],
          check: (result) => {
            check(result);
            assert(readdirSync(join(dir, '.aam', 'runs')).length === 1, 'it was not the same run');
          },
        },
      },
      ROUNDS,
    );
    return [{ bench: 'resume, 10,000 cases', rounds: ROUNDS, cases: CASES, measured }];
  });
}
