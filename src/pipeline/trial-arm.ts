/** What a trial gets of the package: all of it, or, for the baseline, nothing. */
import type { Trial } from '../model/trial.ts';
import { type Installation, NOTHING_INSTALLED, takesPackage } from '../package/install.ts';
import type { Mount } from '../sandbox/sandbox.ts';
import type { RunContext } from './eval-context.ts';
import type { Places } from './trial-stage.ts';

export function installationFor(
  trial: Trial,
  { sandbox, workbench, plan }: RunContext,
  { hooksFile, hooksSocket }: Places,
): Installation {
  if (trial.arm === 'without') return NOTHING_INSTALLED;
  // Without hooks it is the same for all trials, wherever the sandbox puts their things.
  if (!hasHooks(trial, plan)) return workbench.install('', '');
  return workbench.install(sandbox.seenAt(hooksFile), sandbox.seenAt(hooksSocket));
}

/** What every trial of an arm sees. */
export function sharedMounts({ arm }: Trial, { workbench, plan }: RunContext): readonly Mount[] {
  return arm === 'without' || !takesPackage(plan.engineName)
    ? workbench.mounts
    : [workbench.packageMount, ...workbench.mounts];
}

/** Only the agents that aam knows can run the package's hooks. */
export function hasHooks({ arm }: Trial, { pkg, engine }: RunContext['plan']): boolean {
  return arm === 'with' && pkg.hooks !== null && engine.shows.hooks;
}

/** What people call a trial: its case, and which one it is where there are several. */
export function trialLabel(
  { case: { name }, arm, repetition }: Trial,
  { runs, baseline }: RunContext['plan'],
): string {
  const which = runs > 1 ? ` #${repetition}` : '';
  return `${name}${which}${baseline && arm === 'without' ? ' (without the package)' : ''}`;
}
