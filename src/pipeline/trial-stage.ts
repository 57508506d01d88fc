/** Lays out what a trial needs beside its workspace: config, hooks, sockets, mounts, command. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { EngineCommand, SessionTurn } from '../engine/engine.ts';
import type { Trial } from '../model/trial.ts';
import type { Installation } from '../package/install.ts';
import type { Mount } from '../sandbox/sandbox.ts';
import type { Workspace } from '../sandbox/workspace.ts';
import { instructionsFor } from './case-instructions.ts';
import { mockFor } from './case-mock.ts';
import type { RunContext } from './eval-context.ts';
import { hasHooks, sharedMounts } from './trial-arm.ts';

/** Where a trial has its own things. */
export interface Places {
  readonly config: Mount;
  readonly hooksFile: Mount;
  readonly hooksSocket: Mount;
  readonly gateway: Mount | null;
}

export interface StagedTrial {
  /** Of the first prompt, or the only one. */
  readonly first: EngineCommand;
  /** Goes on with a session that has cost so much. */
  next(prompt: string, session: string, spentUsd: number): EngineCommand;
  readonly mounts: readonly Mount[];
  /** Beside what the engine sets. */
  readonly env: Readonly<Record<string, string>>;
}

/** Where the agent works, and what it finds there. */
export interface StagedWorkspace extends Pick<Workspace, 'home'> {
  readonly mounts: readonly [Mount, ...Mount[]];
  readonly files: readonly string[];
}

/** `sockets`: a folder with a short path. */
export function placesIn(dir: string, sockets: string, gatewaySocket: string | null): Places {
  const at = (from: string, to: string, mode: Mount['mode']): Mount => ({ from: join(dir, from), to, mode });
  return {
    config: at('config', '/agent', 'rw'),
    hooksFile: at('hooks.json', '/aam/hooks.json', 'ro'),
    hooksSocket: { from: join(sockets, `${basename(dir)}.sock`), to: '/aam/hooks.sock', mode: 'rw' },
    gateway: gatewaySocket === null ? null : { from: gatewaySocket, to: '/aam/gateway.sock', mode: 'rw' },
  };
}

/** Synchronous: for so few small files that is several times faster. */
export function stageTrial(
  trial: Trial,
  context: RunContext,
  { config, hooksFile, hooksSocket, gateway }: Places,
  workspace: StagedWorkspace,
  installed: Installation,
): StagedTrial {
  const { plan, sandbox, workbench, tapes, limits } = context;
  const { settings, engine } = plan;
  const { prompt, followUps } = trial.case;
  const commandFor = (text: string, spentUsd: number, turn?: SessionTurn) =>
    engine.command({
      ...request,
      prompt: text,
      instructions: instructionsFor(trial.case, settings),
      mock: mockFor(trial.case, settings),
      about: {
        evalId: trial.case.name,
        attempt: trial.repetition - 1,
        files: trial.case.files.map(({ to }) => to),
      },
      turn,
      budgetUsd: limits.sessionUsd === null ? null : limits.sessionUsd - spentUsd,
    });
  const request = {
    model: tapes.model(trial),
    workspace: sandbox.seenAt(workspace.mounts[0]),
    files: workspace.files,
    network: settings.network,
    program: workbench.engine?.program ?? '',
    template: settings.command,
    configDir: sandbox.seenAt(config),
    socket: gateway ? sandbox.seenAt(gateway) : '',
    node: workbench.engine?.node ?? '',
    bridge: workbench.engine?.bridge ?? '',
  };
  const first = commandFor(prompt, 0, followUps.length > 0 ? { resumes: null } : undefined);
  const withHooks = hasHooks(trial, plan);
  const withConfig =
    plan.engineName !== 'command' || first.needsConfig || Object.keys(first.configFiles).length > 0;
  if (withHooks || withConfig) mkdirSync(dirname(config.from), { mode: 0o700 });
  if (withHooks) writeFileSync(hooksFile.from, JSON.stringify(installed.hooks));
  if (withConfig) mkdirSync(config.from);
  for (const [path, text] of Object.entries(first.configFiles)) {
    mkdirSync(dirname(join(config.from, path)), { recursive: true });
    writeFileSync(join(config.from, path), text);
  }
  const mounts = [
    ...sharedMounts(trial, context),
    ...workspace.mounts,
    ...(withConfig ? [config] : []),
    ...(withHooks ? [hooksFile, hooksSocket] : []),
    ...(gateway ? [gateway] : []),
  ];
  return {
    first,
    next: (text, session, spentUsd) => commandFor(text, spentUsd, { resumes: session }),
    mounts,
    env: {
      ...(workspace.home !== null && { HOME: workspace.home, TMPDIR: workspace.home }),
      ...settings.env,
      ...trial.case.env,
    },
  };
}
