/** Asks a judge by an agent's own CLI: in a sandbox, alone, with nothing but the question. */
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ENGINES } from '../engine/engines.ts';
import type { Door } from '../gateway/gateway.ts';
import { removeTree } from '../host/remove.ts';
import type { JudgeTransport } from '../judge/judge.ts';
import { claudeCli } from '../judge/transports/claude-cli.ts';
import { createCliTransport, type JudgeCliSetup } from '../judge/transports/cli.ts';
import { codexCli } from '../judge/transports/codex-cli.ts';
import type { Mount } from '../sandbox/sandbox.ts';
import { placeEngine } from './engine-place.ts';
import type { JudgeRoom } from './judge-room.ts';

const CLIS = {
  'claude-cli': { cli: claudeCli, engine: ENGINES['claude-code'] },
  'codex-cli': { cli: codexCli, engine: ENGINES.codex },
} as const;

const TIMEOUT_MS = 600_000;
const OUTPUT_BYTES = 4 * 1024 * 1024;

export function cliTransport(
  way: keyof typeof CLIS,
  program: string,
  model: string,
  door: Door,
  { sandbox, scratch }: Pick<JudgeRoom, 'sandbox' | 'scratch'>,
  onCost: (usd: number | null) => void = () => {},
): JudgeTransport {
  const { cli, engine } = CLIS[way];
  const place = placeEngine(sandbox, program);
  return {
    id: cli.id,
    provider: cli.provider,
    // Votes run at the same time, so each has folders of its own.
    async ask(prompt, signal) {
      const dir = await mkdtemp(join(scratch, 'j-'));
      const at = (from: string, to: string): Mount => ({ from: join(dir, from), to, mode: 'rw' });
      const config = at('config', '/agent');
      const workspace = at('workspace', '/workspace');
      const socket: Mount = { from: door.socket, to: '/aam/gateway.sock', mode: 'rw' };
      const { argv, env, configFiles } = engine.command({
        prompt: '',
        model: null,
        workspace: sandbox.seenAt(workspace),
        files: [],
        network: false,
        budgetUsd: null,
        program: place.program,
        template: null,
        configDir: sandbox.seenAt(config),
        socket: sandbox.seenAt(socket),
        node: place.node,
        bridge: place.bridge,
      });
      const setup: JudgeCliSetup = {
        start: upTo(argv, place.program),
        arguments: wayToGateway(argv),
        env,
        configFiles,
        configDir: sandbox.seenAt(config),
        model,
      };
      const transport = createCliTransport({
        cli,
        setup,
        door,
        onCost,
        run: async (command) => {
          await Promise.all([mkdir(config.from), mkdir(workspace.from)]);
          for (const [path, text] of Object.entries(command.configFiles)) {
            await mkdir(dirname(join(config.from, path)), { recursive: true });
            await writeFile(join(config.from, path), text);
          }
          return sandbox.run({
            argv: command.argv,
            cwd: sandbox.seenAt(workspace),
            env: command.env,
            mounts: [...place.mounts, workspace, config, socket],
            stdin: command.stdin,
            network: false,
            timeoutMs: TIMEOUT_MS,
            limits: { outputBytes: OUTPUT_BYTES },
            signal,
          });
        },
      });
      try {
        return await transport.ask(prompt, signal);
      } finally {
        await removeTree(dir);
      }
    },
  };
}

function upTo(argv: readonly [string, ...string[]], program: string): readonly [string, ...string[]] {
  const [first, ...rest] = argv;
  return first === program ? [first] : [first, ...rest.slice(0, rest.indexOf(program) + 1)];
}

/** Codex is told by an option where its model is. */
function wayToGateway(argv: readonly string[]): readonly string[] {
  const at = argv.findIndex((word, index) => word === '--config' && /base_url/.test(argv[index + 1] ?? ''));
  return at < 0 ? [] : argv.slice(at, at + 2);
}
