/** The grammar of names, versions, ranges and paths that the formats share. */
import { z } from 'zod';
import { MAX_CASE_SECONDS } from './case.ts';

const ARTIFACT = /^[a-z][a-z0-9-]{0,63}$/;
const PACKAGE = /^(?:@[a-z0-9][a-z0-9_-]{0,63}\/)?[a-z][a-z0-9-]{0,63}$/;
const SEMVER =
  /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?(?:\+[0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*)?$/;

export const artifactName = z.string().regex(ARTIFACT, {
  error: 'must start with a lower-case letter and hold only a-z, 0-9 and hyphens, 64 at most',
});

export const caseName = z
  .string()
  .regex(/^[a-z0-9-]{1,64}$/, { error: 'must hold only a-z, 0-9 and hyphens, 1 to 64 of them' });

export const packageName = z.string().regex(PACKAGE, {
  error: 'must be name or @scope/name in lower case (a-z, 0-9, hyphens), each part 64 at most',
});

export const version = z.string().regex(SEMVER, { error: 'must be a SemVer version such as 1.0.0' });

export const versionRange = z.string().refine(isVersionRange, {
  error: 'must be a version range: 1.2.3, ^1.2.3, ~1.2.3, >=1.2.3, ">=1.0.0 <2.0.0" or *',
});

/** Text of so many characters at most, as people count them: an emoji is one. */
export function textUpTo(max: number) {
  const count = (text: string) => [...text].length;
  return z
    .string()
    .refine((text) => text.length <= max || count(text) <= max, {
      error: ({ input }) => `must be ${max} characters at most, not ${count(String(input))}`,
    })
    .meta({ maxLength: max });
}

export const envName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: 'must be a variable name: letters, digits and _' });

/** Environment variables, by name. */
export const envMap = z.record(
  envName,
  z
    .string()
    .max(100_000, { error: 'must be 100,000 characters at most' })
    .refine((value) => !value.includes('\0'), { error: 'must not contain a NUL character' }),
);

/** Events a hook may be declared for, in the package's own spelling, and whether the event can block. */
export const HOOK_EVENTS = {
  'pre-tool-use': { canBlock: true },
  'permission-request': { canBlock: true },
  'post-tool-use': { canBlock: false },
  'pre-prompt': { canBlock: true },
  'session-start': { canBlock: false },
  'session-end': { canBlock: false },
  stop: { canBlock: true },
  'sub-agent-end': { canBlock: true },
  'pre-compact': { canBlock: false },
  notification: { canBlock: false },
} as const;

/** Seconds a case may take. */
export const seconds = z
  .number()
  .positive({ error: 'must be more than 0 seconds' })
  .max(MAX_CASE_SECONDS, { error: `must be ${MAX_CASE_SECONDS} seconds (a day) at most` })
  .describe('Seconds per case');

export function isArtifactName(text: string): boolean {
  return ARTIFACT.test(text);
}

/** `name` or `package:name`. */
export interface ArtifactRef {
  readonly package: string | null;
  readonly name: string;
}

export function parseRef(text: string): ArtifactRef | null {
  const colon = text.indexOf(':');
  const ref = { package: colon < 0 ? null : text.slice(0, colon), name: text.slice(colon + 1) };
  const valid = ARTIFACT.test(ref.name) && (ref.package === null || PACKAGE.test(ref.package));
  return valid ? ref : null;
}

/** Why a path may not be used inside a package, or null when it may. */
export function pathProblem(path: string): string | null {
  if (path === '') return 'is empty';
  if (path.includes('\0')) return 'contains a NUL character';
  if (path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path)) return 'is absolute';
  if (path.includes('\\')) return 'has a backslash: use forward slashes';
  if (path.split('/').includes('..')) return 'leads outside with ".."';
  return null;
}

/** Collapses `./a//b/` to `a/b`; the caller has made sure the path is relative and without `..`. */
export function normalizePath(path: string): string {
  return path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
}

/** Exact, ^, ~, one comparison, one lower and upper pair, or `*`: nothing else is in the grammar. */
function isVersionRange(text: string): boolean {
  if (text === '*') return true;
  const parts = text.split(' ');
  if (parts.length > 2) return false;
  const comparators = parts.map((part) => /^(\^|~|>=|<=|>|<)?(.+)$/.exec(part));
  if (!comparators.every((match) => match?.[2] !== undefined && SEMVER.test(match[2]))) return false;
  if (parts.length === 1) return true;
  const [lower, upper] = comparators.map((match) => match?.[1] ?? '');
  return lower?.startsWith('>') === true && upper?.startsWith('<') === true;
}
