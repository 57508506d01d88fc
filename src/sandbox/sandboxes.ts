/**
 * Every sandbox there is, by the name `--sandbox` knows it under. `hidden`: folders of the host that commands must not
 * see, wherever they lie; `none` cannot keep that promise. `starter`: who starts them.
 */
import type { Starter } from '../host/child.ts';
import type { Host } from '../model/host.ts';
import { createBubblewrap } from './bubblewrap/bubblewrap.ts';
import { createNoSandbox } from './none.ts';
import type { Sandbox } from './sandbox.ts';

export const SANDBOXES = {
  bubblewrap: createBubblewrap,
  none: createNoSandbox,
} as const satisfies Record<string, CreateSandbox>;

type CreateSandbox = (host: Host, hidden?: readonly string[], starter?: Starter) => Promise<Sandbox>;

export type SandboxName = keyof typeof SANDBOXES;
