/** The entries of a fixture → cases. Each is read by itself, so that one with a mistake does not hide the others. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Case } from '../../../model/case.ts';
import type { Diagnostic, Finding, Located, Path } from '../../../model/diagnostic.ts';
import type { EvaluatorName } from '../../../model/evaluators.ts';
import { type FixtureCase, type FixtureFrame, fixtureCase } from '../../../model/fixture.ts';
import { decode } from '../../decode.ts';
import type { Notes } from '../../notes.ts';
import type { Source } from '../../source.ts';
import { isObject } from '../uaaps/manifest.ts';
import { readAssertions } from './assertions.ts';
import { readEvaluator } from './evaluators.ts';
import { readInput } from './input.ts';
import { answerTo, type Mocks } from './mocks.ts';
import { type FixturePlace, findFile } from './place.ts';

export interface ReadCase {
  readonly result: Case | null;
  readonly mistakes: readonly Diagnostic[];
  /** Name and id. */
  readonly words: readonly string[];
  readonly tags: readonly string[];
}

export interface FixtureContext {
  readonly source: Source;
  readonly notes: Notes;
  readonly place: FixturePlace;
  /** null: there is no folder of mocks. */
  readonly mocks: Mocks | null;
  /** Decides every case, whatever the fixture says. */
  readonly forced: EvaluatorName | null;
  /** Name of the skill that is installed; null: none. */
  readonly skill: string | null;
}

export function readCases(frame: Located<FixtureFrame> | null, context: FixtureContext): ReadCase[] {
  if (frame === null) return [];
  const names = new Names(frame.value.skill_or_agent);
  return frame.value.cases.map((value, index) => {
    const { result, mistakes } = context.notes.mistakesIn(() => readOne(value, index, frame, names, context));
    const id = idOf(value);
    return {
      result: result?.case ?? null,
      mistakes,
      words: result
        ? [result.case.name, ...result.case.aliases]
        : id === null
          ? []
          : [plainName(id, frame.value.skill_or_agent), id],
      tags: result?.case.tags ?? tagsOf(value, frame.value),
    };
  });
}

function readOne(
  value: unknown,
  index: number,
  { value: { defaults, skill_or_agent: subject } }: Located<FixtureFrame>,
  names: Names,
  { source, notes, place, mocks, forced, skill }: FixtureContext,
): { readonly case: Case } | null {
  const here = (path: Path): Path => ['cases', index, ...path];
  const own: Source = {
    file: source.file,
    value,
    diagnostics: [],
    at: (path, part) => source.at(here(path), part),
  };
  const { located, diagnostics } = decode(fixtureCase, own);
  notes.add(diagnostics);
  if (located === null) {
    names.keep(idOf(value));
    return null;
  }
  const it = located.value;
  const reading = {
    place,
    error: (path: Path, finding: Finding) => notes.error(here(path), finding),
    warn: (path: Path, finding: Finding) => notes.warn(here(path), finding),
    warnOnce: (path: Path, finding: Finding) => notes.warnOnce(here(path), finding),
    at: (path: Path) => source.at(here(path)),
  };
  checkId(it.id, subject, names, reading.error);
  const name = names.nameOf(it.id);
  const input = readInput(it.input, reading);
  const evaluator = forced ?? it.evaluator_config?.evaluator ?? defaults?.evaluator ?? 'rules';
  const evaluated = readEvaluator(it, evaluator, reading);
  const taken = new Set([...(evaluated?.graders ?? []), ...(evaluated?.criteria ?? [])].map(({ id }) => id));
  const assertions = readAssertions(it, taken, reading);
  if (input === null || evaluated === null) return null;
  const tags = [...new Set([...(defaults?.tags ?? []), ...(it.tags ?? [])])];
  const graders = [...assertions, ...evaluated.graders];
  // Assertions that could not be read have been told.
  if (graders.length + evaluated.criteria.length + (it.expected.output ?? []).length === 0)
    reading.warn(['expected'], {
      rule: 'ungraded',
      message: `the case ${it.id} says nothing that could be graded, so it will be undecided`,
      hint: 'add output assertions, or rubric items with an auto_check',
    });
  const answer = mocks && answerTo(it.id, mocks);
  if (mocks && answer === null && !tags.includes('deferred'))
    reading.warn(['id'], {
      rule: 'missing-mock',
      message: `no mock answers ${it.id}, so aam test leaves it undecided`,
      hint: 'add to mocks/*.json:  {"tool": "agent_response", "args_match": {"case_id": "…"}, "response": "…"}',
    });
  const timeoutSeconds = it.timeout_secs ?? defaults?.timeout_secs;
  const files = filesOf(it, place);
  return {
    case: {
      name,
      aliases: [it.id],
      description: it.description?.trim() ?? null,
      target: skill === null ? null : `skill:${skill}`,
      prompt: input.prompt,
      followUps: input.followUps,
      ...(input.instructions !== null && { instructions: input.instructions }),
      ...(timeoutSeconds && { timeoutSeconds }),
      ...(it.input.env_overrides && { env: it.input.env_overrides }),
      ...(answer && { mock: answer.mock }),
      tags,
      assertions: assertions.map(({ id }) => id),
      files: [],
      graders,
      criteria: evaluated.criteria,
      reference: null,
      scoring: evaluated.scoring,
      fault: null,
      metadata: { evaluator, ...(typeof it.seed === 'number' && { seed: it.seed }) },
      sources: [...(answer ? [answer.path] : []), ...files],
      file: source.file,
      line: source.at(here([])).line,
      hash: hashOf(it, evaluator, files),
    },
  };
}

/** Golden files and programs that decide it, as far as they are there. */
function filesOf({ expected, evaluator_config: config }: FixtureCase, place: FixturePlace): string[] {
  const goldens = (expected.output ?? []).flatMap(({ kind, value }) =>
    kind === 'golden_diff' ? [value] : [],
  );
  const written = [...(config?.golden_path ? [config.golden_path] : goldens), ...(config?.process_cmd ?? [])];
  return [...new Set(written.flatMap((path) => findFile(path, place)?.path ?? []))];
}

/** The id may be known of a case that is wrong otherwise. */
function idOf(value: unknown): string | null {
  return isObject(value) && typeof value['id'] === 'string' ? value['id'] : null;
}

/** A tag may be wrong in a case that is wrong otherwise. */
function tagsOf(value: unknown, { defaults }: FixtureFrame): string[] {
  const written = isObject(value) && Array.isArray(value['tags']) ? value['tags'] : [];
  return [...(defaults?.tags ?? []), ...written.filter((tag) => typeof tag === 'string')];
}

function checkId(id: string, subject: string, names: Names, error: (path: Path, it: Finding) => void): void {
  if (subject !== '' && (!id.startsWith(`${subject}/`) || id.length === subject.length + 1))
    error(['id'], {
      rule: 'case-id',
      message: `the id must begin with ${JSON.stringify(`${subject}/`)} and go on, not ${JSON.stringify(id)}`,
    });
  if (names.has(id))
    error(['id'], {
      rule: 'duplicate-id',
      message: `the id ${id} is there twice`,
      hint: 'give each case an id of its own',
    });
}

const MAX_NAME = 64;

/** The part of an id after its subject, fit for a file's name. */
function plainName(id: string, subject: string): string {
  const rest = id.startsWith(`${subject}/`) ? id.slice(subject.length + 1) : id;
  const plain = rest
    .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, MAX_NAME);
  return plain || 'case';
}

/** Tells cases apart, also those whose plain names are the same. */
class Names {
  readonly #subject: string;
  readonly #ids = new Set<string>();
  readonly #taken = new Set<string>();

  constructor(subject: string) {
    this.#subject = subject;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** Of a case without a name. */
  keep(id: string | null): void {
    if (id !== null) this.#ids.add(id);
  }

  nameOf(id: string): string {
    this.#ids.add(id);
    const wanted = plainName(id, this.#subject);
    let name = wanted;
    for (let count = 2; this.#taken.has(name.toLowerCase()); count++)
      name = `${wanted.slice(0, MAX_NAME - 1 - String(count).length)}-${count}`;
    this.#taken.add(name.toLowerCase());
    return name;
  }
}

/** Of the definition, and of the files that decide it. */
function hashOf(it: FixtureCase, evaluator: EvaluatorName, files: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify([it, evaluator]));
  for (const file of files) hash.update('\0').update(readFileSync(file));
  return `sha256:${hash.digest('hex')}`;
}
