/** The program's first file: answers `--version` at once and loads the rest only when it is needed. */
import { readFileSync } from 'node:fs';

const argv = process.argv.slice(2);

if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  process.stdout.write(`${version()}\n`);
} else {
  const [{ main }, { setFlagsFromString }] = await Promise.all([import('./main.ts'), import('node:v8')]);
  // Node would rather take more memory than clean up: with thousands of cases several times as much as they need.
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=30');
  await main(argv, version());
}

function version(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
