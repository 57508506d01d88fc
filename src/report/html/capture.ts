/** A capture, cut to what a page can hold. */
import type { Capture } from '../../model/trial.ts';
import type { ViewerCapture } from '../../model/viewer.ts';
import { byteLength } from './bytes.ts';
import { cutLine, cutText } from './cut.ts';
import { viewSteps } from './steps.ts';

/** In characters, for a capture that is not too large as a whole. */
const LIMITS = { output: 100_000, stderr: 8_000, step: 10_000, hook: 4_000, diff: 40_000, name: 300 };
const MAX_HOOKS = 100;
const MAX_FILES = 100;
/** Captures are mostly small; the few large ones must not take the room of the others. */
const MAX_BYTES = 512 * 1024;
const SHARES = [1, 1 / 4, 1 / 16, 1 / 64, 1 / 256];
/** A name that is cut shorter tells nothing. */
const MIN_LENGTH = 16;

/** null: not a capture at all. The value was read from a file, so that anything may be in it. */
export function viewCapture(value: unknown): { capture: ViewerCapture; bytes: number } | null {
  if (!isCapture(value)) return null;
  for (const share of SHARES) {
    const capture = atShare(value, share);
    const bytes = byteLength(capture);
    if (bytes <= MAX_BYTES) return { capture, bytes };
  }
  return null;
}

function isCapture(value: unknown): value is Capture {
  const it = value as Partial<Record<keyof Capture, unknown>> | null;
  return (
    typeof it === 'object' &&
    it !== null &&
    typeof it.output === 'string' &&
    [it.events, it.hooks, it.files].every((list) => Array.isArray(list) && list.every(isObject))
  );
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function atShare(capture: Capture, share: number): ViewerCapture {
  const limit = (name: keyof typeof LIMITS) => Math.max(MIN_LENGTH, Math.floor(LIMITS[name] * share));
  const { hooks, files } = capture;
  return {
    command: cutText([capture.command].flat().join(' '), limit('hook')),
    exitCode: typeof capture.exitCode === 'number' ? capture.exitCode : null,
    ended: cutLine(capture.ended ?? '', 200),
    output: cutText(capture.output, limit('output')),
    stderr: cutText(capture.stderr ?? '', limit('stderr')),
    steps: viewSteps(capture.events, { text: limit('step'), name: limit('name') }),
    hooks: hooks.slice(0, MAX_HOOKS).map((run) => ({
      event: cutLine(run.event, limit('name')),
      command: cutLine(run.command, limit('hook')),
      tool: run.toolName === null ? null : cutLine(run.toolName, limit('name')),
      exitCode: typeof run.exitCode === 'number' ? run.exitCode : null,
      decision: cutLine(run.decision, limit('name')),
      reason: cutText(run.reason, limit('hook')),
      stdout: cutText(run.stdout, limit('hook')),
      stderr: cutText(run.stderr, limit('hook')),
      error: run.error === null ? null : cutLine(run.error, limit('hook')),
    })),
    hooksLeftOut: Math.max(0, hooks.length - MAX_HOOKS),
    files: files.slice(0, MAX_FILES).map(({ path, change, diff }) => ({
      path: cutLine(path, limit('name')),
      change,
      diff: diff === null ? null : cutText(diff, limit('diff')),
    })),
    filesLeftOut: Math.max(0, files.length - MAX_FILES),
  };
}
