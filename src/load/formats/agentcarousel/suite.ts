/** Reads a fixture, its mocks, and the skill it belongs to. */
import { basename, dirname, extname } from 'node:path';
import type { Certification } from '../../../model/case.ts';
import type { Located } from '../../../model/diagnostic.ts';
import type { EvaluatorName } from '../../../model/evaluators.ts';
import { type FixtureFrame, fixtureFrame } from '../../../model/fixture.ts';
import type { Host } from '../../../model/host.ts';
import type { AgentPackage } from '../../../model/package.ts';
import { decode } from '../../decode.ts';
import { emptyPackage } from '../../empty-package.ts';
import type { LoadedSuite } from '../../format.ts';
import { Notes } from '../../notes.ts';
import { readText } from '../../read-text.ts';
import { type Source, unreadable } from '../../source.ts';
import { parseToml } from '../../toml.ts';
import { parseYaml } from '../../yaml.ts';
import { isObject } from '../uaaps/manifest.ts';
import { readPackage } from '../uaaps/package.ts';
import { settingsOf } from '../uaaps/suite.ts';
import { withoutAnswers } from './answers.ts';
import { type ReadCase, readCases } from './cases.ts';
import { lintFixture } from './lint.ts';
import { readMocks } from './mocks.ts';
import { type FixturePlace, findSubject, placeFixture } from './place.ts';

const TIMEOUT_SECONDS = 300;

export async function readFixture(
  path: string,
  _env?: Host['env'],
  evaluator?: EvaluatorName,
): Promise<LoadedSuite> {
  const home = dirname(path);
  const source = await sourceOf(path, basename(path));
  const notes = new Notes(source);
  const { located, diagnostics } = decode(fixtureFrame, source);
  const frame = located ?? frameOf(source);
  notes.add(diagnostics.filter((it) => !source.diagnostics.includes(it)));
  const place = placeFixture(path);
  const mocks = place.mocks === null ? null : await readMocks(place.mocks, home);
  const pkg = await packageOf(home, place, frame);
  const read = readCases(frame, {
    source,
    notes,
    place,
    mocks,
    forced: evaluator ?? null,
    skill: skillOf(pkg, frame),
  });
  if (frame !== null)
    lintFixture(frame, source, notes, { hasMocks: mocks !== null, tags: read.flatMap(({ tags }) => tags) });
  const isDeferred = ({ tags }: ReadCase) => tags.includes('deferred');
  const sound = read.filter(({ mistakes }) => mistakes.length === 0);
  return {
    home,
    pkg: withoutAnswers(pkg, path, answersOf(read, place)),
    suite: {
      cases: sound.filter((it) => !isDeferred(it)).flatMap(({ result }) => result ?? []),
      settings: settingsOf(pkg, TIMEOUT_SECONDS),
      ...(frame && { certification: certificationOf(frame) }),
    },
    broken: read
      .filter(({ mistakes }) => mistakes.length > 0)
      .map((it) => ({
        ...{ words: it.words, tags: it.tags, diagnostics: it.mistakes, deferred: isDeferred(it) },
      })),
    deferred: read.filter(isDeferred).flatMap(({ words }) => words.slice(-1)),
    found: frame?.value.cases.length ?? 0,
    diagnostics: [...notes.all, ...(mocks?.diagnostics ?? [])],
  };
}

async function sourceOf(path: string, file: string): Promise<Source> {
  const read = await readText(dirname(path), basename(path));
  if ('problem' in read) return unreadable(file, [{ ...read.problem, file }]);
  return extname(path).toLowerCase() === '.toml' ? parseToml(read.text, file) : parseYaml(read.text, file);
}

/** What can be known of a document that is wrong around its cases: they are looked at all the same. */
function frameOf({ value, file, at }: Source): Located<FixtureFrame> | null {
  if (!isObject(value) || !Array.isArray(value['cases'])) return null;
  const { skill_or_agent: subject, cases } = value;
  const rest = { schema_version: 1, skill_or_agent: typeof subject === 'string' ? subject : '' } as const;
  return { file, at, value: { ...rest, cases } };
}

async function packageOf(
  home: string,
  place: FixturePlace,
  frame: Located<FixtureFrame> | null,
): Promise<AgentPackage> {
  const name = frame?.value.skill_or_agent || null;
  const root = findSubject(name, place);
  return root === null ? emptyPackage(home, name ?? basename(home)) : await readPackage(root);
}

/** The skill that the fixture names, or the only one there is. */
function skillOf({ skills }: AgentPackage, frame: Located<FixtureFrame> | null): string | null {
  const names = skills.map(({ name }) => name);
  const named = frame?.value.skill_or_agent;
  return names.find((name) => name === named) ?? (names.length === 1 ? (names[0] ?? null) : null);
}

function answersOf(read: readonly ReadCase[], { mocks }: FixturePlace): string[] {
  return [...(mocks === null ? [] : [mocks]), ...read.flatMap(({ result }) => result?.sources ?? [])];
}

function certificationOf({ value }: Located<FixtureFrame>): Certification {
  const { bundle_id, bundle_version, certification_track, risk_tier, data_handling } = value;
  const given = { bundle_id, bundle_version, certification_track, risk_tier, data_handling };
  return Object.fromEntries(Object.entries(given).filter(([, it]) => it !== undefined));
}
