/** Lays out everything a trial needs: its workspace with the package installed, its config, its mounts, its command. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { EngineCommand } from '../engine/engine.ts';
import { UserError } from '../model/errors.ts';
import { normalizePath, pathProblem } from '../model/names.ts';
import type { Trial } from '../model/trial.ts';
import type { Mount } from '../sandbox/sandbox.ts';
import { makeWorkspace, type WorkspaceFile } from '../sandbox/workspace.ts';
import type { RunContext } from './eval-context.ts';

export interface StagedTrial {
  /** On the host. */
  readonly workspace: string;
  readonly files: readonly WorkspaceFile[];
  readonly command: EngineCommand;
  readonly mounts: readonly Mount[];
  /** As the command sees it. */
  readonly cwd: string;
  readonly warnings: readonly string[];
}

export async function stageTrial(
  { case: it }: Trial,
  { plan, sandbox, workbench, model }: RunContext,
  dir: string,
  gatewaySocket: string | null,
): Promise<StagedTrial> {
  const { pkg, settings, engine } = plan;
  const at = (from: string, to: string, mode: Mount['mode']): Mount => ({ from: join(dir, from), to, mode });
  const workspace = at('workspace', '/workspace', settings.writablePaths === null ? 'rw' : 'ro');
  const config = at('config', '/agent', 'rw');
  const withHooks = hasHooks(plan);
  const hooksFile = at('hooks.json', '/aam/hooks.json', 'ro');
  const hooksSocket = at('h.sock', '/aam/hooks.sock', 'rw');
  const gateway: Mount | null =
    gatewaySocket === null ? null : { from: gatewaySocket, to: '/aam/gateway.sock', mode: 'rw' };

  const installed = workbench.install(sandbox.seenAt(hooksFile), sandbox.seenAt(hooksSocket));
  const given: WorkspaceFile[] = it.files.map(({ from, to }) =>
    from === null ? { to, text: '' } : { to, from },
  );
  const packageFiles = installed.files.map((file) =>
    'from' in file ? { to: file.to, from: join(pkg.root, file.from) } : file,
  );
  const files = [...given, ...packageFiles];
  makeWorkspace(workspace.from, files);
  if (withHooks) await writeFile(hooksFile.from, JSON.stringify(installed.hooks));

  const command = engine.command({
    prompt: it.prompt,
    model,
    workspace: sandbox.seenAt(workspace),
    program: workbench.program,
    template: settings.command,
    configDir: sandbox.seenAt(config),
    socket: gateway ? sandbox.seenAt(gateway) : '',
    node: workbench.node,
    bridge: workbench.bridge,
  });
  const withConfig = plan.engineName !== 'command' || Object.keys(command.configFiles).length > 0;
  if (withConfig) await mkdir(config.from);
  for (const [path, text] of Object.entries(command.configFiles)) {
    await mkdir(dirname(join(config.from, path)), { recursive: true });
    await writeFile(join(config.from, path), text);
  }
  const writable = await writableMounts(settings.writablePaths ?? [], workspace);
  const mounts = [
    ...workbench.mounts,
    workspace,
    ...writable,
    ...(withConfig ? [config] : []),
    ...(withHooks ? [hooksFile, hooksSocket] : []),
    ...(gateway ? [gateway] : []),
  ];
  return {
    workspace: workspace.from,
    files,
    command,
    mounts,
    cwd: sandbox.seenAt(workspace),
    warnings: installed.warnings,
  };
}

/** Only the agents that aam knows can run the package's hooks. */
export function hasHooks({ pkg, engineName }: RunContext['plan']): boolean {
  return pkg.hooks !== null && engineName !== 'command';
}

/** The only folders below the workspace that may be written. They exist from the start. */
async function writableMounts(paths: readonly string[], workspace: Mount): Promise<Mount[]> {
  const mounts: Mount[] = [];
  for (const written of paths) {
    const problem = pathProblem(written);
    if (problem) throw new UserError(`the writable path ${JSON.stringify(written)} ${problem}`);
    const path = normalizePath(written);
    const from = join(workspace.from, path);
    await mkdir(from, { recursive: true });
    mounts.push({ from, to: path === '' ? workspace.to : `${workspace.to}/${path}`, mode: 'rw' });
  }
  return mounts;
}
