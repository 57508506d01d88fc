/** Writes a package into a temporary folder that goes away with its block. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readPackage } from '../../src/load/formats/uaaps/package.ts';
import type { Diagnostic } from '../../src/model/diagnostic.ts';
import { checkPackage } from '../../src/package/rules.ts';
import { temporaryFolder } from './folder.ts';

/** path → text, or a value that is written as JSON. A path that ends with `!` is made executable. */
export type Files = Readonly<Record<string, string | Buffer | object>>;

export async function writePackage(files: Files): Promise<AsyncDisposable & { readonly root: string }> {
  const folder = await temporaryFolder();
  await writeFiles(folder.path, files);
  return { root: folder.path, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

export async function writeFiles(root: string, files: Files): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const file = join(root, path.replace(/!$/, ''));
    const raw = typeof content === 'string' || Buffer.isBuffer(content);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, raw ? content : JSON.stringify(content, null, 2), {
      mode: path.endsWith('!') ? 0o755 : 0o644,
    });
  }
}

export const MANIFEST = { name: 'demo', version: '1.0.0' };

/** A small package with nothing wrong in it; tests add what they are about. */
export const CLEAN: Files = {
  'package.agent.json': { ...MANIFEST, permissions: {} },
  'skills/echo/SKILL.md': skillText('echo'),
};

export function skillText(name: string, body = 'Do it.\n'): string {
  return `---\nname: ${name}\ndescription: Does ${name}. Use it when asked to.\n---\n${body}`;
}

/** Everything wrong with the package in a folder, one line for each finding. */
export async function findings(root: string): Promise<string[]> {
  return checkPackage(await readPackage(root)).map(findingLine);
}

export async function findingsOf(files: Files): Promise<string[]> {
  await using pkg = await writePackage(files);
  return await findings(pkg.root);
}

/** `error file:line:column rule: message (hint)`. */
export function findingLine({ severity, rule, file, line, column, message, hint }: Diagnostic): string {
  const place = line === null ? file : `${file}:${line}:${column}`;
  return `${severity} ${place} ${rule}: ${message}${hint ? ` (${hint})` : ''}`;
}
