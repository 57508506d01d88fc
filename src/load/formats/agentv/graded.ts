/** What the assertions of a test have become so far. */
import type { Criterion } from '../../../model/case.ts';
import type { Grader, Group, Share } from '../../../model/grader.ts';
import type { Json } from '../../../model/tests.ts';
import type { Fields, Part } from './part.ts';
import type { TemplateWords } from './prompt-template.ts';
import type { Reading } from './reading.ts';

/** Ids are unique among all three. */
export class Graded {
  readonly graders: Grader[] = [];
  readonly criteria: Criterion[] = [];
  readonly groups: Group[] = [];
  /** Files that graders read or run: part of what the case is. */
  readonly files = new Set<string>();
  /** Something that is written could not be read. */
  isIncomplete = false;
  readonly #ids = new Set<string>();

  unique(wanted: string): string {
    const short = wanted.trim().slice(0, 64) || 'assertion';
    let id = short;
    for (let count = 2; this.#ids.has(id); count++) id = `${short}-${count}`;
    this.#ids.add(id);
    return id;
  }

  /** None of these counts for anything. */
  areWeightless(ids: readonly string[]): boolean {
    const all = [...this.graders, ...this.criteria, ...this.groups];
    return all.filter(({ id }) => ids.includes(id)).every(({ weight }) => weight === 0);
  }

  /** Those that are no members of a group. */
  get roots(): readonly (Share & { readonly id: string })[] {
    const members = new Set(this.groups.flatMap((group) => group.members));
    return [...this.graders, ...this.criteria, ...this.groups].filter(({ id }) => !members.has(id));
  }

  get isEmpty(): boolean {
    return this.graders.length + this.criteria.length === 0;
  }
}

/** What assertions may speak of beside themselves. */
export interface Subject {
  readonly criteria: string | null;
  readonly words: TemplateWords;
  readonly expected: Json | undefined;
  /** What a criterion about one turn of a conversation says in front; '' where it is about the whole. */
  readonly preface: string;
}

/** One assertion while it is read. */
export interface Draft {
  readonly part: Fields;
  /** In the spelling of the seed. */
  readonly type: string;
  readonly share: Share & { readonly negate: boolean };
  readonly into: Graded;
  readonly subject: Subject;
  readonly reading: Reading;
  /** Takes the id that its author gave to it, or one made of `fallback`. */
  name(fallback: string): string;
  /** Reads members of a composite: their ids. */
  members(list: Part): string[];
}

/** Its id, so that a group can have it as a member; null after reporting what is wrong. */
export type ReadKind = (draft: Draft) => string | null;

/** From which score on a part counts as passed where it can be passed in part. */
export const PASS_MARK = 0.8;
