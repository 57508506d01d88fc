/** The program's first file: answers `--version` at once and loads the rest only when it is needed. */
import { readFileSync } from 'node:fs';

const argv = process.argv.slice(2);

if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  process.stdout.write(`${version()}\n`);
} else {
  const { main } = await import('./main.ts');
  await main(argv, version());
}

function version(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
