/** Takes the paths out of a case or of settings before they travel, and puts those of another machine in. */
import { isAbsolute, join } from 'node:path';
import { z } from 'zod';
import type { Case, SuiteSettings } from '../case.ts';
import { UserError } from '../errors.ts';
import { caseSchema } from './case.ts';
import { text, texts } from './parts.ts';
import { bundlePlace, bundleWord, isPlace, type PathSchemas, pathInBundle, TRAVELLING } from './place.ts';
import { travelProblem } from './problem.ts';
import { settingsSchema } from './settings.ts';

/**
 * `bundle:<path>` for an absolute path; null: it does not travel. It is asked for every path, which must travel, and for
 * every word of a command that is an absolute path: one that does not travel, such as /bin/sh, stays as it is.
 */
export type ToPlace = (path: string) => string | null;

/** For cases one after the other. What these throw is a UserError that says which part cannot travel. */
export function withPlaces(toPlace: ToPlace): (it: Case) => Case {
  const schema = caseSchema(leaving(toPlace));
  return (it) => changed(schema, it, nameOf(it));
}

/** For cases one after the other. `folder`: where the bundle is on this machine. */
export function atPlaces(folder: string): (it: Case) => Case {
  const schema = caseSchema(arriving(folder));
  return (it) => changed(schema, it, nameOf(it));
}

export function settingsWithPlaces(settings: SuiteSettings, toPlace: ToPlace): SuiteSettings {
  return changed(settingsSchema(leaving(toPlace)), settings, SETTINGS);
}

export function settingsAtPlaces(settings: SuiteSettings, folder: string): SuiteSettings {
  return changed(settingsSchema(arriving(folder)), settings, SETTINGS);
}

const SETTINGS = 'the settings of the suite';

function nameOf({ name }: Case): string {
  return `the case ${JSON.stringify(name)}`;
}

function changed<Document>(schema: z.ZodType<Document>, document: Document, what: string): Document {
  const { success, data, error } = schema.safeParse(document);
  if (success) return data;
  throw new UserError(`${what} cannot travel to another machine: ${travelProblem(error)}`);
}

function leaving(toPlace: ToPlace): PathSchemas {
  const path = text
    .transform((from, context) => {
      const place = isAbsolute(from) ? toPlace(from) : null;
      if (place !== null) return place;
      context.addIssue({ code: 'custom', message: `${from} is not among the files that travel` });
      return z.NEVER;
    })
    .pipe(bundlePlace);
  const word = text
    .refine((it) => !isPlace(it), { error: 'a word of a command must not begin with "bundle:"', abort: true })
    .transform((it) => (isAbsolute(it) ? toPlace(it) : null) ?? it)
    .pipe(bundleWord);
  return { path, word, sources: texts.transform(() => []) };
}

function arriving(folder: string): PathSchemas {
  const at = (place: string) => join(folder, pathInBundle(place));
  return {
    path: bundlePlace.transform(at),
    word: bundleWord.transform((word) => (isPlace(word) ? at(word) : word)),
    sources: TRAVELLING.sources,
  };
}
