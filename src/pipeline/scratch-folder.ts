/** Where workspaces are made. */
import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

/** Without a sandbox an agent sees the folders above its workspace, so one without instructions above it is chosen. */
export async function makeScratch({ isolatesFiles }: Pick<Sandbox, 'isolatesFiles'>): Promise<Scratch> {
  const usual = tmpdir();
  const candidates = isolatesFiles ? [usual] : [usual, '/tmp', '/var/tmp'];
  for (const parent of candidates) {
    if (!isolatesFiles && instructionsAbove(parent).length > 0) continue;
    const path = await mkdtemp(join(parent, 'aam-eval-')).catch((error: Error) => {
      if (parent === usual) throw error;
      return null;
    });
    if (path !== null) return { path, warnings: [] };
  }
  const read = instructionsAbove(usual).join(', ');
  const warning = `--sandbox none: the agents may have read ${read}, above their workspaces; name another folder with TMPDIR`;
  return { path: await mkdtemp(join(usual, 'aam-eval-')), warnings: [warning] };
}

function instructionsAbove(folder: string): string[] {
  return ancestors(folder)
    .flatMap((dir) => INSTRUCTIONS.map((name) => join(dir, name)))
    .filter((path) => existsSync(path));
}
