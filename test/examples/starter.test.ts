import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { aam } from '../helpers/cli.ts';
import { temporaryFolder } from '../helpers/folder.ts';

const examples = fileURLToPath(new URL('../../examples', import.meta.url));

it('examples/starter is what aam init makes', async () => {
  await using folder = await temporaryFolder();
  await aam(['init', 'starter', '--yes'], { cwd: folder.path });
  const files = async (root: string) => {
    const entries = await readdir(root, { recursive: true, withFileTypes: true });
    const paths = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    return Promise.all(
      paths.sort().map(async (path) => [path.slice(root.length), await readFile(path, 'utf8')]),
    );
  };
  expect(await files(join(examples, 'starter'))).toEqual(await files(join(folder.path, 'starter')));
});
