/** Where a CLI and what it needs of aam stand inside the sandbox. */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import type { Mount, Sandbox } from '../sandbox/sandbox.ts';

/** All paths but the mounts' own are as commands see them. */
export interface EnginePlace {
  readonly mounts: readonly Mount[];
  readonly program: string;
  readonly node: string;
  readonly bridge: string;
  readonly shim: string;
}

/** `program`: on the host; null: the one that asks a bare model, which is aam's own. */
export function placeEngine(sandbox: Sandbox, program: string | null): EnginePlace {
  const inside: Mount = {
    from: fileURLToPath(new URL('../inside', import.meta.url)),
    to: '/aam/inside',
    mode: 'ro',
  };
  const seen = ({ path, host }: Placed) => (sandbox.isolatesFiles ? path : host);
  const node = placeFile(execPath, '/aam/node');
  const engine = program === null ? null : placeProgram(program);
  return {
    mounts: [inside, node.mount, ...(engine ? [engine.mount] : [])],
    program: engine ? seen(engine) : join(sandbox.seenAt(inside), 'completion.js'),
    node: seen(node),
    bridge: join(sandbox.seenAt(inside), 'bridge.js'),
    shim: join(sandbox.seenAt(inside), 'hook-shim.js'),
  };
}

interface Placed {
  readonly mount: Mount;
  readonly path: string;
  readonly host: string;
}

/** At the same place on every machine: agents see it, in messages of hooks for example, and tapes hold what they see. */
function placeFile(host: string, to: string): Placed {
  return { mount: { from: host, to, mode: 'ro' }, path: to, host };
}

/** The program alone, since beside it may lie anything; but Codex comes with resources that it needs. */
function placeProgram(host: string): Placed {
  const vendor = dirname(dirname(host));
  if (!existsSync(join(vendor, 'codex-resources'))) {
    return placeFile(host, `/aam/engine/${basename(host)}`);
  }
  return {
    mount: { from: vendor, to: '/aam/engine', mode: 'ro' },
    path: `/aam/engine/bin/${basename(host)}`,
    host,
  };
}
