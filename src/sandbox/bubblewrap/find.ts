/** Finds a bubblewrap: on PATH, else the one that the Codex package carries. */
import { realpathSync } from 'node:fs';
import { arch } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ancestors, isProgram, which } from '../../host/programs.ts';
import type { Host } from '../../model/host.ts';

export interface FoundBubblewrap {
  readonly path: string;
  readonly source: 'AAM_BWRAP_BIN' | 'PATH' | 'codex package';
}

export function findBubblewrap({ env }: Host): FoundBubblewrap | null {
  const named = env['AAM_BWRAP_BIN'];
  if (named) return { path: named, source: 'AAM_BWRAP_BIN' };
  const onPath = which('bwrap', env);
  if (onPath) return { path: onPath, source: 'PATH' };
  const carried = codexPackages(env)
    .map((dir) => join(dir, 'codex-resources', 'bwrap'))
    .find(isProgram);
  return carried ? { path: carried, source: 'codex package' } : null;
}

/**
 * Vendor folders of installed Codex packages. Only where aam itself is installed and where PATH points:
 * never below the working folder, which may belong to a package that is not trusted.
 */
function codexPackages(env: Host['env']): string[] {
  const cpu = arch() === 'arm64' ? { npm: 'arm64', triple: 'aarch64' } : { npm: 'x64', triple: 'x86_64' };
  const inside = join(`@openai/codex-linux-${cpu.npm}`, 'vendor', `${cpu.triple}-unknown-linux-musl`);
  const starts = [fileURLToPath(import.meta.url)];
  const codex = which('codex', env);
  if (codex) starts.push(realpathSync(codex));
  return starts.flatMap((start) => ancestors(dirname(start)).map((dir) => join(dir, 'node_modules', inside)));
}
