/** How long until `aam` says its version, against the shortest program Node can run. */

import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { compare } from './measure.js';

const aam = fileURLToPath(new URL('../bin/aam', import.meta.url));

export function startUp(rounds) {
  const says = (pattern) => (result, name) => {
    if (result.status !== 0 || !pattern.test(result.stdout))
      throw new Error(`${name} did not do its work: ${result.stderr}`);
  };
  const medians = compare(
    {
      'node -e 0': { argv: [process.execPath, '-e', '0'], check: says(/^$/) },
      'aam --version': { argv: [process.execPath, aam, '--version'], check: says(/^\d+\.\d+\.\d+\n$/) },
      'aam --help': { argv: [process.execPath, aam, '--help'], check: says(/Usage: aam/) },
    },
    rounds,
  );
  return { floor: 'node -e 0', aims: { 'aam --version': 1.5 }, medians };
}
