/** `package.agent.lock`, the resolved dependencies of a package. */
import { z } from 'zod';
import { packageName, version } from './names.ts';
import { jsonDocument, record } from './on-disk.ts';

const text = z.string();

const source = z.discriminatedUnion(
  'type',
  [
    z.strictObject({
      type: z.literal('registry'),
      registry: text,
      name: packageName,
      version,
      tarball: text,
      resolvedTag: text.optional(),
      display: text.optional(),
    }),
    z.strictObject({ type: z.literal('file'), path: text, display: text.optional() }),
    z.strictObject({ type: z.literal('bundle'), path: text, target: text, display: text.optional() }),
  ],
  { error: 'must be registry, file or bundle' },
);

const entryFields = {
  version,
  integrity: text.regex(/^sha256-[A-Za-z0-9+/=]+$/, { error: 'must be sha256-<hash>' }),
  dependencies: z.record(packageName, version).optional(),
};

const lockFields = {
  groups: z.record(text, z.boolean()).optional(),
  selectedExtras: z.record(text, z.boolean()).optional(),
  systemChecks: z.looseObject({}).optional(),
  workspaceMembers: z.unknown().optional(),
};

/** Version 1 wrote the source as one string. */
export const lockV1 = jsonDocument({
  lockVersion: z.literal(1),
  resolved: z.record(packageName, record({ ...entryFields, source: text })),
  ...lockFields,
});

export const lockV2 = jsonDocument({
  lockVersion: z.literal(2, { error: 'must be 1 or 2' }),
  resolved: z.record(packageName, record({ ...entryFields, source })),
  ...lockFields,
});

export const lock = z.union([lockV2, lockV1]);

export type Lock = z.output<typeof lockV1> | z.output<typeof lockV2>;
