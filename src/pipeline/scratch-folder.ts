/** Where workspaces are made. */
import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeOwnedFolder } from '../host/owned-folder.ts';
import { ancestors } from '../host/programs.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';

export interface Scratch {
  readonly path: string;
  readonly warnings: readonly string[];
}

/** What agents read in every folder above the one they work in, also above its repository. */
const INSTRUCTIONS = [
  ...['CLAUDE.md', 'CLAUDE.local.md', '.claude/CLAUDE.md', '.claude/rules'],
  ...['AGENTS.md', 'AGENTS.override.md'],
];

/**
 * Without a sandbox an agent sees the folders above its workspace, so one without instructions above it is chosen.
 * `keep`: it is to stay when the run is over.
 */
export async function makeScratch(
  { isolatesFiles }: Pick<Sandbox, 'isolatesFiles'>,
  keep: boolean,
): Promise<Scratch> {
  // What belongs to a process goes when that one is gone.
  const make = (parent: string) =>
    keep ? mkdtemp(join(parent, 'aam-eval-')) : makeOwnedFolder(parent, 'eval');
  const usual = tmpdir();
  const candidates = isolatesFiles ? [usual] : [usual, '/tmp', '/var/tmp'];
  for (const parent of candidates) {
    if (!isolatesFiles && instructionsAbove(parent).length > 0) continue;
    const path = await make(parent).catch((error: Error) => {
      if (parent === usual) throw error;
      return null;
    });
    if (path !== null) return { path, warnings: [] };
  }
  const read = instructionsAbove(usual).join(', ');
  const warning = `--sandbox none: the agents may have read ${read}, above their workspaces; name another folder with TMPDIR`;
  return { path: await make(usual), warnings: [warning] };
}

function instructionsAbove(folder: string): string[] {
  return ancestors(folder)
    .flatMap((dir) => INSTRUCTIONS.map((name) => join(dir, name)))
    .filter((path) => existsSync(path));
}
