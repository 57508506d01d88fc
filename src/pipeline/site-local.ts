/** The site on this machine: its sandbox, its gateway to the models, its folders. */
import { setMaxListeners } from 'node:events';
import { hasProgram } from '../engine/find.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { DIRECT, type Starter } from '../host/child.ts';
import { makeOwnedFolder, removeOwnedFolder } from '../host/owned-folder.ts';
import { Rubbish } from '../host/rubbish.ts';
import { socketParent } from '../host/socket-folder.ts';
import { starterFor } from '../host/spawner.ts';
import type { SharedLimits } from '../model/shared-limits.ts';
import type { TrialResult } from '../model/trial.ts';
import { FolderPool } from '../sandbox/folder-pool.ts';
import { SANDBOXES } from '../sandbox/sandboxes.ts';
import type { Workspace } from '../sandbox/workspace.ts';
import { observeVersion } from './environment.ts';
import type { EvalOptions } from './eval.ts';
import type { RunContext, RunLimits } from './eval-context.ts';
import { CostBudget, sessionBudget, spentOn } from './eval-cost.ts';
import { findModels, judgeOf, openGateway } from './eval-models.ts';
import { type EvalPlan, requireProgram } from './eval-plan.ts';
import { prepareTapes } from './eval-tapes.ts';
import { setUpWorkbench } from './eval-workbench.ts';
import { type LocalExecutor, localExecutor } from './executor-local.ts';
import { runGraderProgram } from './grader-program.ts';
import { requireHealthy } from './healthcheck.ts';
import { hiddenFolders } from './hidden-folders.ts';
import { judgePlaces } from './judge-room.ts';
import { createRedaction, findKnownSecrets } from './redaction.ts';
import { makeScratch } from './scratch-folder.ts';
import type { RunRecords, Site } from './site.ts';
import { tapeFolders } from './tapes.ts';
import type { JudgeRules } from './trial-judgement.ts';

const NO_JUDGE =
  'the criteria need a judge and none is named: --judge <model>, or "judge" in evals/eval-config.json';
const OUTPUT_BYTES = 16 * 1024 * 1024;
const DISK_BYTES = 4 * 1024 ** 3;
const PROCESSES = 4096;
/** A few trials are over before many workspaces would be made; for many trials, making some more is the lesser cost. */
const workspacesPerLook = (looks: number) => (looks < 12 ? 8 : 32);

export interface LocalSite extends Site {
  /** null: the engine brings its own model. */
  readonly gateway: Gateway | null;
  start(records: RunRecords, signal: AbortSignal): Promise<LocalExecutor>;
}

/** What several runs on this machine share. */
export interface SharedByRuns {
  /** Limits that other machines keep too. */
  readonly limits: SharedLimits;
  readonly starter: Starter;
}

/** `attempts`: what the run has taken already. Throws when something is missing on this machine. */
export async function openLocalSite(
  plan: EvalPlan,
  options: EvalOptions,
  jobs: number,
  attempts: readonly TrialResult[],
  shared?: SharedByRuns,
): Promise<LocalSite> {
  const { host } = options;
  const program = hasProgram(plan.engineName) ? requireProgram(plan.engineName, host) : null;
  const tapesIn = await prepareTapes({ ...options, model: plan.model, plan, program });
  const { judgePlan, ...access } = await findModels(plan, options);
  const redaction = createRedaction(await findKnownSecrets(host, plan));
  const closing: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const it of closing.splice(0).reverse()) await it();
  };
  try {
    const engineVersion = program === null ? null : observeVersion(host, program);
    const gateway = await openGateway(
      plan,
      options,
      access.upstreams,
      spentOn(attempts),
      redaction.known,
      shared?.limits,
    );
    closing.push(async () => gateway?.[Symbol.asyncDispose]());
    const hidden = [plan.pkg.root, plan.home, ...tapeFolders(options.tape), ...(plan.hides ?? [])];
    const own = shared ? null : starterFor(plan.trials.length);
    closing.push(async () => own?.[Symbol.asyncDispose]());
    const starter = shared?.starter ?? own ?? DIRECT;
    const sandbox = await SANDBOXES[options.sandbox](host, hiddenFolders(hidden, host.home), starter);
    closing.push(async () => sandbox[Symbol.asyncDispose]());
    const { path: scratch, warnings } = await makeScratch(sandbox, options.keepWorkspace);
    closing.push(async () => options.keepWorkspace || removeOwnedFolder(scratch));
    const sockets = await makeOwnedFolder(socketParent(), 's');
    closing.push(() => removeOwnedFolder(sockets));
    const workbench = await setUpWorkbench(sandbox, plan, program, scratch, host.home);
    await requireHealthy(plan, sandbox, workbench, scratch, options.signal);
    const rubbish = new Rubbish();
    closing.push(() => rubbish.empty());
    const limits = limitsOf(plan, options);
    const tapes = tapesIn({
      gateway,
      packageCopy: workbench.packageCopy,
      places: sandbox.isolatesFiles ? [] : [scratch, ...sandbox.places],
    });
    return {
      packageCopy: workbench.packageCopy,
      engineVersion: await engineVersion,
      redaction,
      limits,
      jobs,
      tapes,
      gateway,
      packageWarnings: workbench.warnings,
      warnings,
      async start(records, signal) {
        // Everything that runs at once listens to it.
        setMaxListeners(0, signal);
        const context: RunContext = {
          ...{
            plan,
            sandbox,
            gateway,
            redaction,
            workbench,
            records,
            scratch,
            sockets,
            tapes,
            limits,
            signal,
          },
          workspaces: new FolderPool<Workspace>(
            scratch,
            sandbox.isolatesFiles ? null : { isQuiet: () => sandbox.isQuiet(), perLook: workspacesPerLook },
          ),
          // A replay costs nothing.
          budget: new CostBudget(options.tape.mode === 'replay' ? null : options.maxCostUsd, attempts),
          keepWorkspace: options.keepWorkspace,
          userHome: host.home,
          rubbish,
        };
        const stopped = () => gateway?.stopped?.message ?? context.budget.stopped;
        const room = { sandbox, scratch, signal, stopped, places: judgePlaces(jobs) };
        const rules: JudgeRules = {
          judge: await judgeOf(context, options, judgePlan, room),
          whyNone: options.noJudge ? 'the judge is off (--no-judge)' : NO_JUDGE,
          judgeAll: options.judgeAll,
          runProgram: (program, stdin) => runGraderProgram(context, program, stdin, null),
        };
        return localExecutor(context, rules, jobs);
      },
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

export function limitsOf({ settings }: EvalPlan, options: EvalOptions): RunLimits {
  return {
    outputBytes: options.outputBytes ?? OUTPUT_BYTES,
    memoryBytes: options.memoryBytes,
    cpuSeconds: options.cpuSeconds,
    diskBytes: options.diskBytes ?? DISK_BYTES,
    processes: PROCESSES,
    sessionUsd: sessionBudget(options.maxCostUsd, settings.prices, options.tape.mode),
  };
}
