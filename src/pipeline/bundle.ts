/** The bundle of a run: one archive with all that a worker needs for its trials, beside the cases themselves. */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { basename } from 'node:path';
import type { ArchiveKind } from '../host/archive/archive.ts';
import { ArchiveError } from '../host/archive/archive.ts';
import { type PackEntry, packArchive } from '../host/archive/pack.ts';
import { type Tree, treeOf } from '../host/archive/tree.ts';
import type { Case } from '../model/case.ts';
import { UserError } from '../model/errors.ts';
import type { RunSpec } from '../model/run-spec.ts';
import { settingsWithPlaces, withPlaces } from '../model/travel/places.ts';
import { hiddenIn } from './agent-folder.ts';
import type { EvalOptions } from './eval.ts';
import { needsAnyJudge } from './eval-judge.ts';
import type { EvalPlan } from './eval-plan.ts';
import { projectAround } from './hidden-folders.ts';
import { recordedOptions } from './run-options.ts';
import { agentFolders, type Traveller, travellersOf } from './travellers.ts';

const MAX_BYTES = 256 * 1024 * 1024;
const MAX_ENTRIES = 50_000;
export const SPEC = 'run.json';

export const BUNDLE: ArchiveKind = {
  comment: 'aam bundle 1',
  limits: { entries: MAX_ENTRIES, entryBytes: MAX_BYTES, bytes: MAX_BYTES },
};

export interface Bundle {
  readonly bytes: Buffer;
  /** As it travels to a worker that has the bundle. */
  travelling(it: Case): Case;
  readonly warnings: readonly string[];
}

/** `packageCopy`: what agents get of the package. `secrets`: what must not leave this machine. */
export async function packBundle(
  plan: EvalPlan,
  options: EvalOptions,
  packageCopy: string,
  secrets: readonly string[],
): Promise<Bundle> {
  const { pkg } = plan;
  const packagePlace = `package/${basename(pkg.root)}`;
  const travellers = travellersOf(plan, options.host.home);
  const trees = [
    ...(pkg.files.size === 0 ? [] : [treeOf(packageCopy, packagePlace)]),
    ...travellers.map((it) => treeOf(it.real, it.name, it.without)),
  ];
  for (const { from, name } of trees.flatMap(({ entries }) => entries))
    refuseSecret(readFileSync(from).toString('latin1'), secrets, name);
  const toPlace = (path: string) => placeOf(path, travellers);
  const toPlaces = withPlaces(toPlace);
  const travelling = (it: Case) => {
    const sent = toPlaces(it);
    refuseSecret(JSON.stringify(sent), secrets, `the case ${JSON.stringify(it.name)}`);
    return sent;
  };
  const spec: RunSpec = {
    version: 1,
    aam: options.version,
    options: { ...recordedOptions(options), ...UNSENT },
    settings: settingsWithPlaces(plan.settings, toPlace),
    package: {
      name: pkg.name,
      version: pkg.version,
      place: pkg.files.size === 0 ? null : `bundle:${packagePlace}`,
    },
    format: plan.source.format,
    runs: plan.runs,
    baseline: plan.baseline,
    answers: answersFor(plan, options.host.home).flatMap((path) => toPlace(path) ?? []),
    judged: plan.trials.some((trial) => needsAnyJudge(trial.case)),
    folders: trees.flatMap(({ folders }) => folders.map((name) => `bundle:${name}`)),
    links: trees.flatMap(({ links }) =>
      links.map(({ name, target }) => ({ place: `bundle:${name}`, target })),
    ),
  };
  const text = JSON.stringify(spec);
  refuseSecret(text, secrets, 'the settings of the suite');
  // What cannot travel is told before anything runs.
  for (const it of new Set(plan.trials.map((trial) => trial.case))) travelling(it);
  const bytes = await packed([textEntry(SPEC, text), ...trees.flatMap(({ entries }) => entries)]);
  return {
    bytes,
    travelling,
    warnings: leftBehind(trees, travellers),
  };
}

/** Also where its project travels for others as well, who may see all of it. */
function answersFor(plan: EvalPlan, userHome: string): string[] {
  return agentFolders(plan).flatMap((cwd) =>
    hiddenIn(projectAround(cwd, plan.home, userHome), plan).hidden.map(({ path }) => path),
  );
}

/** What concerns only the machine that plans. */
export const UNSENT = {
  tape: { mode: 'off', folder: null, strict: false, source: 'recorded' },
  jobs: null,
  keepWorkspace: false,
  targetsFile: null,
  output: null,
  benchmarkJson: null,
  jsonl: null,
  outputs: {},
} as const;

function placeOf(path: string, travellers: readonly Traveller[]): string | null {
  const real = existsSync(path) ? realpathSync(path) : path;
  for (const it of [path, real]) {
    // What travels by itself is whole; in a wider folder it may be left out.
    const holder =
      travellers.find(({ root }) => it === root) ?? travellers.find(({ root }) => it.startsWith(`${root}/`));
    if (holder) return `bundle:${holder.name}${it.slice(holder.root.length)}`;
  }
  return null;
}

function refuseSecret(text: string, secrets: readonly string[], where: string): void {
  if (secrets.every((secret) => !text.includes(secret))) return;
  throw new UserError(
    `${where} holds a key of this machine, and keys do not travel to workers`,
    'take it out: each worker uses its own credentials',
    'or run here, without --queue',
  );
}

async function packed(entries: readonly PackEntry[]): Promise<Buffer> {
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of packArchive(entries, BUNDLE)) chunks.push(chunk);
    return Buffer.concat(chunks);
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    throw new UserError(
      `the files of this run cannot be sent to workers: ${error.message}`,
      `all together may have ${MAX_BYTES / 1024 ** 2} MiB and ${MAX_ENTRIES} files; or run here, without --queue`,
    );
  }
}

function textEntry(name: string, text: string): PackEntry {
  const bytes = Buffer.from(text);
  return { name, size: bytes.length, executable: false, content: () => [bytes] };
}

function leftBehind(trees: readonly Tree[], travellers: readonly Traveller[]): string[] {
  const left = trees.flatMap((tree) => tree.left.map((name) => name.replace(/^[^/]+\/(?:\d+\/)?/, '')));
  const [first] = left;
  const others = left.length > 1 ? ` and ${left.length - 1} more` : '';
  return [
    ...(first === undefined
      ? []
      : [`${first}${others}: a link that leads elsewhere or no file at all, so workers did not get it`]),
    ...travellers.flatMap((it) => it.warnings),
  ];
}
