/** What is costly to make is made once for a file of tests; each test works on a copy of its own. */
import { cp } from 'node:fs/promises';
import { afterAll } from 'vitest';
import { temporaryFolder } from './folder.ts';
import { type Files, writePackage } from './package.ts';

interface Original<Made> extends AsyncDisposable {
  readonly root: string;
  readonly made: Made;
}

/** `make` is called in a package of these files when the first test asks for it. */
export function packageOnce<Made>(
  files: Files,
  make: (root: string) => Promise<Made>,
): () => Promise<Original<Made>> {
  let original: Promise<Original<Made>> | null = null;
  afterAll(async () => (await original?.catch(() => null))?.[Symbol.asyncDispose]());
  return async () => {
    original ??= makeIn(files, make);
    const { root, made } = await original;
    const copy = await temporaryFolder();
    await cp(root, copy.path, { recursive: true, verbatimSymlinks: true });
    return { root: copy.path, made, [Symbol.asyncDispose]: () => copy[Symbol.asyncDispose]() };
  };
}

async function makeIn<Made>(files: Files, make: (root: string) => Promise<Made>): Promise<Original<Made>> {
  const pkg = await writePackage(files);
  try {
    return { ...pkg, made: await make(pkg.root) };
  } catch (error) {
    await pkg[Symbol.asyncDispose]();
    throw error;
  }
}
