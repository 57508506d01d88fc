/** What every reader of an eval file needs beside the part it reads. */
import type { AnswerTest } from './answers.ts';
import type { Library } from './docs.ts';
import type { Place } from './place.ts';

export interface Reading extends Library {
  readonly place: Place;
  readonly isAnswer: AnswerTest;
}
