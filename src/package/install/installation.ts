/** What it takes to give an agent a package. */
export interface Installation {
  readonly files: readonly InstallFile[];
  /** What the shim reads, as one JSON document; see src/inside/hook-shim.ts. */
  readonly hooks: readonly ShimHook[];
  /** Files of the workspace that say which hooks run; none when the package has no hooks to run. */
  readonly hookFiles: readonly string[];
  /** One for each thing that is lost on this agent: the path of its source, and why. */
  readonly warnings: readonly string[];
}

export type InstallFile = CopiedFile | WrittenFile;

export interface CopiedFile {
  /** Relative to the workspace. */
  readonly to: string;
  /** Relative to the package, with links followed. A folder of tools such as node_modules is taken whole. */
  readonly from: string;
}

interface WrittenFile {
  readonly to: string;
  readonly text: string;
  readonly executable?: boolean;
}

/** One hook of the package, as the shim runs it. */
export interface ShimHook {
  /** In the package's own spelling. */
  readonly event: string;
  /** Which group of the event and which hook of the group, counted from 0. */
  readonly group: number;
  readonly index: number;
  /** Prompts are listed so that positions stay true; they are not run. */
  readonly type: 'command' | 'prompt';
  /** null: a prompt. */
  readonly command: string | null;
  readonly timeoutSeconds: number;
  readonly packageRoot: string;
}

/** All paths are as seen inside the sandbox. */
export interface Where {
  /** A read-only copy of the package: see `packageCopy`. */
  readonly packageRoot: string;
  /** What starts the shim, up to its arguments about one hook: node, hook-shim.js, definitions, socket. */
  readonly shim: readonly string[];
  /** The text of the package's AGENTS.md, when it has one. */
  readonly instructions: string | null;
}

export type Part =
  | { readonly file: InstallFile }
  | { readonly hook: ShimHook }
  | { readonly warning: string };

export function lost(path: string, reason: string): Part {
  return { warning: `${path}: ${reason}` };
}

export function written(to: string, text: string): Part {
  return { file: { to, text: text.endsWith('\n') ? text : `${text}\n` } };
}

export function json(to: string, value: object): Part {
  return written(to, JSON.stringify(value, null, 2));
}

/** A name that becomes part of a path; anything else could lead out of its folder. */
export function isPathName(name: string): boolean {
  return /^[a-z0-9][a-z0-9._-]*$/i.test(name);
}
