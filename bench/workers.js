/** (h) Agents that take a second each, mostly waiting, on one, two and four workers, against the time that they would take at best. */
import { aamArguments, allPassed } from './command-cases.js';
import { compare } from './measure.js';
import { ANSWER, caseLines, forgetRuns, inFolder, writePackage } from './places.js';
import { withWorkers } from './queue.js';

const CASES = 80;
const JOBS = 4;
const SECONDS = 1;
const ROUNDS = 3;

/** `only`: numbers of workers, all when empty. */
export async function moreWorkers(only) {
  const rows = [];
  for (const count of [1, 2, 4].filter((it) => only.length === 0 || only.includes(it)))
    rows.push(await withWorkers(count, JOBS, (url) => row(count, url)));
  return rows;
}

function row(count, url) {
  return inFolder(async (dir) => {
    const agent = ['/bin/sh', '-c', `sleep ${SECONDS}; echo ${ANSWER}`];
    writePackage(dir, caseLines(CASES, agent));
    const best = (CASES * SECONDS) / (count * JOBS);
    const measured = await compare(
      {
        'at best': { argv: ['sleep', String(best)], check: () => {} },
        'aam eval --queue': {
          argv: [...aamArguments(dir, 'bubblewrap'), '--queue', url],
          before: () => forgetRuns(dir),
          check: (result) => allPassed(result, CASES),
        },
      },
      ROUNDS,
      { warmUp: false },
    );
    const workers = count === 1 ? '1 worker' : `${count} workers`;
    return {
      bench: `${CASES} agents of a second, ${workers}`,
      rounds: ROUNDS,
      aim: null,
      cases: CASES,
      measured,
    };
  });
}
