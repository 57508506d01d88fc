/** The linter's layer rules really fire. */
import { execFile } from 'node:child_process';
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from './helpers/folder.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

async function lint(files: Record<string, string>): Promise<string> {
  await using folder = await temporaryFolder();
  await cp(join(root, 'biome.json'), join(folder.path, 'biome.json'));
  await cp(join(root, '.gitignore'), join(folder.path, '.gitignore'));
  await symlink(join(root, 'node_modules'), join(folder.path, 'node_modules'));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder.path, path)), { recursive: true });
    await writeFile(join(folder.path, path), text);
  }
  const biome = join(root, 'node_modules/.bin/biome');
  return await new Promise((settle) => {
    const settings = { cwd: folder.path, maxBuffer: 1e8 };
    execFile(biome, ['lint', '--reporter=github', 'src'], settings, (_, stdout, stderr) =>
      settle(stdout + stderr),
    );
  });
}

describe('layers', () => {
  it.each([
    ['src/model/a.ts', '../load/b.ts', 'model is a leaf'],
    ['src/model/a.ts', '../host/b.ts', 'model is a leaf'],
    ['src/host/a.ts', '../sandbox/b.ts', 'host is a leaf beside model'],
    ['src/load/a.ts', '../package/b.ts', 'A stage imports only model'],
    ['src/load/formats/uaaps/a.ts', '../../../check/b.ts', 'A stage imports only model'],
    ['src/sandbox/a.ts', '../pipeline/b.ts', 'A stage imports only model'],
    ['src/engine/a.ts', '../gateway/b.ts', 'A stage imports only model'],
    ['src/queue/a.ts', '../gateway/b.ts', 'A stage imports only model'],
    ['src/gateway/a.ts', '../queue/b.ts', 'A stage imports only model'],
    ['src/gateway/a.ts', 'ioredis', 'Only src/queue talks to Redis'],
    ['src/pipeline/a.ts', 'bullmq', 'Only src/queue talks to Redis'],
    ['src/cli/a.ts', 'ioredis', 'Only src/queue talks to Redis'],
    ['src/cli/a.ts', '../queue/b.ts', 'talks to src/pipeline'],
    ['src/pipeline/a.ts', '../cli/b.ts', 'Nothing imports cli'],
    ['src/index.ts', './cli/b.ts', 'Nothing imports cli'],
    ['src/cli/commands/a.ts', '../../sandbox/b.ts', 'talks to src/pipeline'],
    ['src/report/a.ts', 'node:process', 'Only src/cli prints'],
    ['src/viewer/a.ts', '../report/b.ts', 'knows only the types of src/model'],
    ['src/viewer/a.ts', 'node:process', 'knows only the types of src/model'],
  ])('%s must not import %s', async (file, imported, message) => {
    const text =
      imported === 'node:process'
        ? `import { env } from 'node:process';\nexport const all = env;\n`
        : `export { b } from '${imported}';\n`;
    expect(await lint({ [file]: text })).toContain(message);
  });

  it('allows what the design allows', async () => {
    const output = await lint({
      'src/load/a.ts': `export { b } from '../model/b.ts';\n`,
      'src/sandbox/a.ts': `export { b } from '../host/b.ts';\n`,
      'src/viewer/a.ts': `export { b } from '../model/b.ts';\n`,
      'src/queue/a.ts': `import { Redis } from 'ioredis';\nexport { b } from '../host/b.ts';\nexport const c = Redis;\n`,
      'src/load/formats/uaaps/a.ts': `export { b } from '../../json.ts';\n`,
      'src/pipeline/a.ts': `export { b } from '../sandbox/b.ts';\n`,
      'src/cli/commands/a.ts': `export { b } from '../../pipeline/b.ts';\n`,
      // Shows that the linter ran at all.
      'src/check/a.ts': `console.log('x');\n`,
    });
    expect(output).toContain('noConsole');
    expect(output).not.toContain('noRestrictedImports');
  });

  it('lets only the command line print', async () => {
    expect(await lint({ 'src/check/a.ts': `console.log('x');\n` })).toContain('noConsole');
  });
});
