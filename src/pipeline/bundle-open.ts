/** Unpacks a bundle on the machine of a worker, and makes a plan of it again. A stranger may have packed it. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { staysIn } from '../host/archive/tree.ts';
import { unpackArchive } from '../host/archive/unpack.ts';
import { emptyPackage } from '../load/empty-package.ts';
import { readPackage } from '../load/formats/uaaps/package.ts';
import type { Host } from '../model/host.ts';
import { type RunSpec, runSpec } from '../model/run-spec.ts';
import { pathInBundle } from '../model/travel/place.ts';
import { settingsAtPlaces } from '../model/travel/places.ts';
import { travelProblem } from '../model/travel/problem.ts';
import { BUNDLE, SPEC, UNSENT } from './bundle.ts';
import type { EvalOptions } from './eval.ts';
import type { EvalPlan } from './eval-plan.ts';
import { chooseTarget } from './eval-target.ts';

export interface OpenedBundle {
  readonly plan: EvalPlan;
  readonly options: EvalOptions;
}

interface Around {
  readonly host: Host;
  readonly version: string;
  readonly signal: AbortSignal;
}

/** `folder` must not exist yet. Throws for everything that is not as a planner makes it. */
export async function openBundle(bytes: Buffer, folder: string, around: Around): Promise<OpenedBundle> {
  await unpackArchive(chunksOf(bytes), folder, BUNDLE);
  const {
    success,
    data: spec,
    error,
  } = runSpec.safeParse(JSON.parse(readFileSync(join(folder, SPEC), 'utf8')));
  if (!success) throw new Error(`its settings are not those of a planner: ${travelProblem(error)}`);
  makeRest(spec, folder);
  const options: EvalOptions = {
    ...spec.options,
    ...bounded(spec.options),
    // A stranger may have sent them all the same.
    ...UNSENT,
    ...around,
    path: null,
    resume: null,
    evidence: null,
    queue: null,
  };
  const { engine, engineName, model, settings } = chooseTarget(
    settingsAtPlaces(spec.settings, folder),
    options,
  );
  const { name, version, place } = spec.package;
  const pkg =
    place === null ? emptyPackage(folder, name) : await readPackage(join(folder, pathInBundle(place)));
  const plan: EvalPlan = {
    home: folder,
    source: { format: 'uaaps', file: null },
    pkg: { ...pkg, name, version },
    settings,
    engine,
    engineName,
    model,
    runs: spec.runs,
    baseline: spec.baseline,
    judged: spec.judged,
    trials: [],
    projects: projectsIn(folder),
    answers: spec.answers.map((place) => join(folder, pathInBundle(place))),
    warnings: [],
  };
  return { plan, options };
}

/** Whoever asks for more than a machine has would have it all. */
function bounded({
  outputBytes,
  diskBytes,
}: RunSpec['options']): Pick<EvalOptions, 'outputBytes' | 'diskBytes'> {
  return {
    outputBytes: outputBytes === null ? null : Math.min(outputBytes, MAX_OUTPUT),
    diskBytes: diskBytes === null ? null : Math.min(diskBytes, MAX_DISK),
  };
}

const MAX_OUTPUT = 256 * 1024 ** 2;
const MAX_DISK = 64 * 1024 ** 3;

/** Each traveller: `files/<number>/<name>`. */
function projectsIn(folder: string): string[] {
  const files = join(folder, 'files');
  if (!existsSync(files)) return [];
  return readdirSync(files).flatMap((number) =>
    lstatSync(join(files, number)).isDirectory()
      ? readdirSync(join(files, number)).map((name) => join(files, number, name))
      : [],
  );
}

async function* chunksOf(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

/** Folders before links: then nothing is made through a link. */
function makeRest({ folders, links }: RunSpec, folder: string): void {
  for (const place of folders) mkdirSync(join(folder, pathInBundle(place)), { recursive: true });
  for (const { place, target } of links) {
    const name = pathInBundle(place);
    const root = name.split('/')[0] ?? '';
    if (!staysIn(root, name, target)) throw new Error(`the link ${name} leads out of the bundle`);
    const parent = join(folder, dirname(name));
    mkdirSync(parent, { recursive: true });
    if (realpathSync(parent) !== join(realpathSync(folder), dirname(name)))
      throw new Error(`the link ${name} is behind another link`);
    symlinkSync(target, join(folder, name));
  }
  requireInside(links, folder);
}

/** Only when all links are there it is known where each leads: one may pass through another. */
function requireInside(links: RunSpec['links'], folder: string): void {
  const root = realpathSync(folder);
  for (const { place } of links) {
    const name = pathInBundle(place);
    const path = join(folder, name);
    // What it leads to has stayed behind.
    if (!existsSync(path)) rmSync(path);
    else if (!realpathSync(path).startsWith(`${root}/${name.split('/')[0]}/`))
      throw new Error(`the link ${name} leads out of the bundle`);
  }
}
