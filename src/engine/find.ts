/** Finds the program of an engine: where the user says, on PATH, else where aam itself is installed. */
import { realpathSync } from 'node:fs';
import { arch } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ancestors, isProgram, which } from '../host/programs.ts';
import type { Host } from '../model/host.ts';

const CPU = arch() === 'arm64' ? { npm: 'arm64', triple: 'aarch64' } : { npm: 'x64', triple: 'x86_64' };

export const ENGINE_PROGRAMS = {
  'claude-code': {
    program: 'claude',
    variable: 'AAM_CLAUDE_BIN',
    package: '@anthropic-ai/claude-code',
    natives: [
      `@anthropic-ai/claude-code-linux-${CPU.npm}/claude`,
      `@anthropic-ai/claude-code-linux-${CPU.npm}-musl/claude`,
    ],
  },
  codex: {
    program: 'codex',
    variable: 'AAM_CODEX_BIN',
    package: '@openai/codex',
    natives: [`@openai/codex-linux-${CPU.npm}/vendor/${CPU.triple}-unknown-linux-musl/bin/codex`],
  },
} as const;

export type EngineId = keyof typeof ENGINE_PROGRAMS;

/** Others are no program of their own that could be found. */
export function hasProgram(engine: string): engine is EngineId {
  return Object.hasOwn(ENGINE_PROGRAMS, engine);
}

export interface FoundEngine {
  readonly path: string;
  readonly source: 'AAM_CLAUDE_BIN' | 'AAM_CODEX_BIN' | 'PATH' | 'node_modules';
}

/** A path the user named is taken as it is, so that a mistake in it is told instead of passed over. */
export function findEngine(id: EngineId, { env, cwd }: Host): FoundEngine | null {
  const { program, variable } = ENGINE_PROGRAMS[id];
  const named = env[variable]?.trim();
  if (named) return { path: resolve(cwd, named), source: variable };
  const onPath = which(program, env);
  if (onPath) return { path: nativeOf(id, onPath), source: 'PATH' };
  // Never from the working folder: it may belong to a package that is not trusted.
  const installed = nativeAbove(id, dirname(fileURLToPath(import.meta.url)));
  return installed ? { path: installed, source: 'node_modules' } : null;
}

/** npm puts a launcher on PATH; killing that one would leave the program behind it running. */
function nativeOf(id: EngineId, onPath: string): string {
  const target = realpathSync(onPath);
  const isLauncher = target.includes(`/node_modules/${ENGINE_PROGRAMS[id].package}/`);
  return (isLauncher ? nativeAbove(id, dirname(target)) : null) ?? onPath;
}

function nativeAbove(id: EngineId, start: string): string | null {
  const candidates = ancestors(start).flatMap((dir) =>
    ENGINE_PROGRAMS[id].natives.map((native) => join(dir, 'node_modules', native)),
  );
  return candidates.find(isProgram) ?? null;
}
