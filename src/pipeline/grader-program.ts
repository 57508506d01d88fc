/** Runs a program of an author that grades: in the sandbox, after the agent, with nothing of the host but its own project. */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { type GraderResult, unknown } from '../check/check.ts';
import { readProgram } from '../check/program-result.ts';
import { ancestors } from '../host/programs.ts';
import { MAX_CASE_SECONDS } from '../model/case.ts';
import type { GraderProgram } from '../model/grader.ts';
import type { Mount } from '../sandbox/sandbox.ts';
import type { RunContext } from './eval-context.ts';
import { isShared, projectAmong, repositoryOf } from './hidden-folders.ts';
import { sandboxLimits } from './sandbox-limits.ts';

const OUTPUT_BYTES = 4 * 1024 * 1024;

/** `workspace`: what the agent left behind; null: the program does not get to see it. Never rejects. */
export async function runGraderProgram(
  context: Pick<RunContext, 'sandbox' | 'limits' | 'signal' | 'userHome' | 'plan'>,
  program: GraderProgram,
  stdin: string,
  workspace: Mount | null,
): Promise<GraderResult> {
  const { sandbox, limits, signal, userHome, plan } = context;
  try {
    if (!existsSync(program.cwd)) return unknown(`the folder of the program, ${program.cwd}, is not there`);
    const cwd = realpathSync(program.cwd);
    const { projects } = plan;
    const root = projects ? projectAmong(projects, cwd) : projectOf(cwd, program.argv, userHome);
    const project: Mount = { from: root, to: '/grader', mode: 'ro' };
    const seenAt = sandbox.seenAt(project);
    const [first, ...rest] = program.argv.map((word) =>
      isAtOrBelow(word, root) ? join(seenAt, relative(root, word)) : word,
    );
    const outcome = await sandbox.run({
      argv: [first ?? '', ...rest],
      cwd: join(seenAt, relative(root, cwd)),
      env: workspace === null ? {} : { AGENTV_WORKSPACE_PATH: sandbox.seenAt(workspace) },
      mounts: [project, ...(workspace === null ? [] : [workspace])],
      stdin,
      network: false,
      timeoutMs: Math.min(program.timeoutMs, MAX_CASE_SECONDS * 1000),
      limits: sandboxLimits(limits, OUTPUT_BYTES),
      signal,
    });
    return readProgram(outcome, program.timeoutMs, program.protocol);
  } catch (error) {
    return unknown(`the program could not be run: ${(error as Error).message}`);
  }
}

/** Its repository; without one the folder that holds its own and the files that its command names by relative paths. */
export function projectOf(cwd: string, argv: readonly string[], home: string): string {
  const repository = repositoryOf(cwd, home);
  if (repository !== null) return repository;
  const named = argv
    .flatMap((word) => word.split(/\s+/))
    .filter((word) => /^[^/]+\//.test(word) && existsSync(resolve(cwd, word)))
    .map((word) => dirname(realpathSync(resolve(cwd, word))));
  const root = named
    .filter((dir) => !isTooWide(sharedBy(cwd, dir), home))
    .reduce((widest, dir) => sharedBy(widest, dir), cwd);
  return isTooWide(root, home) ? cwd : root;
}

function isTooWide(dir: string, home: string): boolean {
  return isShared(dir, home) || dir === '/tmp' || dir === '/var/tmp';
}

function sharedBy(a: string, b: string): string {
  return ancestors(a).find((dir) => isAtOrBelow(b, dir)) ?? '/';
}

function isAtOrBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}
