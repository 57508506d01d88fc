/** (a) How long until `aam` says its version or its help, against the shortest program Node can run. */
import process from 'node:process';
import { compare } from './measure.js';
import { AAM, assert } from './places.js';

const ROUNDS = 21;

export async function startUp() {
  const says =
    (pattern) =>
    ({ status, stdout, stderr }, name) =>
      assert(status === 0 && pattern.test(stdout), `${name} did not do its work: ${stderr}`);
  const measured = await compare(
    {
      'node -e 0': { argv: [process.execPath, '-e', '0'], check: says(/^$/) },
      'aam --version': { argv: [...AAM, '--version'], check: says(/^\d+\.\d+\.\d+\n$/) },
      'aam --help': { argv: [...AAM, '--help'], check: says(/Usage: aam/) },
    },
    ROUNDS,
  );
  return [{ bench: 'start-up', rounds: ROUNDS, aim: 1.5, measured }];
}
