/** No isolation: for systems without bubblewrap, only ever on explicit demand. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeTree } from '../host/remove.ts';
import { killGroup, spawnBounded } from '../host/spawn.ts';
import type { Host } from '../model/host.ts';
import { limited } from './limits.ts';
import type { Sandbox } from './sandbox.ts';

export async function createNoSandbox(host: Host): Promise<Sandbox> {
  const home = await mkdtemp(join(tmpdir(), 'aam-home-'));
  const base = {
    PATH: host.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    HOME: home,
    TMPDIR: home,
    LANG: 'C.UTF-8',
    TZ: 'UTC',
  };
  return {
    id: 'none',
    isolatesFiles: false,
    places: [home],
    seenAt: (mount) => mount.from,
    run(request) {
      const [file, ...args] = limited(request.argv, request.limits);
      const plan = { file, args, env: { ...base, ...request.env }, cwd: request.cwd, detached: true };
      const { outputBytes } = request.limits;
      return spawnBounded({ ...plan, kill: killGroup, onExit: killGroup }, { ...request, outputBytes });
    },
    async [Symbol.asyncDispose]() {
      await removeTree(home);
    },
  };
}
