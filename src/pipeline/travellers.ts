/** Which files and folders of this machine a run takes along to workers. */
import { existsSync, realpathSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import type { Case } from '../model/case.ts';
import type { GraderProgram } from '../model/grader.ts';
import { hiddenIn } from './agent-folder.ts';
import type { EvalPlan } from './eval-plan.ts';
import { projectOf } from './grader-program.ts';
import { projectAround } from './hidden-folders.ts';

export interface Traveller {
  /** Absolute, as the suite names it. */
  readonly root: string;
  /** The same without links. */
  readonly real: string;
  /** What it is called in the bundle. */
  readonly name: string;
  /** What stays here, by its absolute path. */
  readonly without: (path: string) => boolean;
  readonly warnings: readonly string[];
}

/** The widest come first, so that what lies in them is found there. */
export function travellersOf(plan: EvalPlan, userHome: string): Traveller[] {
  const cases = [...new Set(plan.trials.map((trial) => trial.case))];
  const { target } = plan.settings;
  const plain = cases.flatMap((it) => it.files.flatMap(({ from }) => from ?? []));
  const repositories = cases.flatMap((it) => it.setup?.repositories.map(({ from }) => from) ?? []);
  const projects = [
    ...cases.flatMap((it) =>
      [...(it.setup?.before ?? []), ...(it.setup?.after ?? [])].flatMap(({ cwd }) => cwd ?? []),
    ),
  ].map((cwd) => projectAround(cwd, plan.home, userHome));
  const programs = cases.flatMap(programsOf).filter(({ cwd }) => existsSync(cwd));
  const roots = new Map<string, Kind>();
  const add = (path: string, kind: Kind) => {
    if (existsSync(path) && (!roots.has(path) || kind === 'repository')) roots.set(path, kind);
  };
  for (const path of [...plain, ...(target?.template === undefined ? [] : [target.template])])
    add(path, 'plain');
  for (const { cwd, argv } of programs) add(projectOf(realpathSync(cwd), argv, userHome), 'project');
  for (const path of projects) add(path, 'project');
  for (const cwd of agentFolders(plan)) add(projectAround(cwd, plan.home, userHome), 'agent');
  for (const path of repositories) add(path, 'repository');
  return [...roots]
    .sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1))
    .map(([root, kind], index) => {
      const real = realpathSync(root);
      return { root, real, name: `files/${index}/${basename(root)}`, ...rulesOf(real, kind, plan) };
    });
}

/** Where a user's own agent is started. */
export function agentFolders({ settings: { target } }: EvalPlan): string[] {
  return [target?.shell?.cwd ?? null, target?.shell?.healthcheck?.cwd ?? null].filter((it) => it !== null);
}

type Kind = 'plain' | 'project' | 'agent' | 'repository';

function programsOf({ graders, scoring }: Case): GraderProgram[] {
  const groups = scoring.mode === 'score' ? (scoring.groups ?? []) : [];
  return [
    ...graders.flatMap((it) => (it.kind === 'program' ? [it.options] : [])),
    ...groups.flatMap(({ aggregator }) => (aggregator.kind === 'program' ? [aggregator.program] : [])),
  ];
}

/** What an agent must not see of its project is told beside it: programs of the same project need it. */
function rulesOf(root: string, kind: Kind, plan: EvalPlan): Pick<Traveller, 'without' | 'warnings'> {
  if (kind === 'plain' || kind === 'repository') return { without: () => false, warnings: [] };
  const isWhole = kind !== 'agent' || hiddenIn(root, plan).isWhole;
  const unseen = `only a part of ${root} was looked at: other files of it may give the answers away`;
  return { without: (path) => isPrivate(root, path), warnings: isWhole ? [] : [unseen] };
}

/** History and records stay; an empty .git still tells where the project begins. Files of variables hold keys. */
function isPrivate(root: string, path: string): boolean {
  const parts = relative(root, path).split(sep);
  const name = parts.at(-1) ?? '';
  if (parts.length > 1 && parts[0] === '.git') return true;
  return name === '.aam' || /^\.env(?:\..*)?$/.test(name) || path === join(root, 'evals', 'reports');
}
