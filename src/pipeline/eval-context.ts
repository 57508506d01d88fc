/** What the trials of one run have in common. */
import type { Gateway } from '../gateway/gateway.ts';
import type { Rubbish } from '../host/rubbish.ts';
import type { FolderPool } from '../sandbox/folder-pool.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Workspace } from '../sandbox/workspace.ts';
import type { CostBudget } from './eval-cost.ts';
import type { EvalPlan } from './eval-plan.ts';
import type { Workbench } from './eval-workbench.ts';
import type { Redaction } from './redaction.ts';
import type { RunRecords } from './site.ts';
import type { EvalTapes } from './tapes.ts';

export interface RunContext {
  readonly plan: EvalPlan;
  readonly sandbox: Sandbox;
  /** null: the engine brings its own model. */
  readonly gateway: Gateway | null;
  readonly redaction: Redaction;
  readonly workbench: Workbench;
  readonly records: RunRecords;
  readonly workspaces: FolderPool<Workspace>;
  /** An existing folder for what lives only as long as a trial. */
  readonly scratch: string;
  /** An existing folder for sockets, with a path short enough for them. */
  readonly sockets: string;
  readonly tapes: EvalTapes;
  readonly budget: CostBudget;
  readonly limits: RunLimits;
  readonly keepWorkspace: boolean;
  /** HOME of whoever runs aam: never seen by anybody inside. */
  readonly userHome: string;
  readonly signal: AbortSignal;
  /** For folders below `scratch` and `sockets` that no trial needs any more. */
  readonly rubbish: Rubbish;
}

export interface RunLimits {
  readonly outputBytes: number;
  readonly memoryBytes: number | null;
  readonly cpuSeconds: number | null;
  readonly diskBytes: number;
  /** Of each trial, threads included. */
  readonly processes: number;
  /** What an agent that keeps count may spend in a session; null: nothing is said to it. */
  readonly sessionUsd: number | null;
}
