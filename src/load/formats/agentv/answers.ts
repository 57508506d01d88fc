/** Tells the files that give away how tests are graded, so that no agent gets one. */
import { realpathSync } from 'node:fs';
import { relative } from 'node:path';
import { recordIn } from '../../../model/records.ts';
import { beginningOf } from '../../beginning.ts';
import { isEvalFile } from '../../eval-files.ts';
import { slashed } from './docs.ts';
import type { Place } from './place.ts';

/** Of a path without links. */
export type AnswerTest = (real: string) => boolean;

const MAX_BYTES = 4 * 1024 * 1024;
/** Folders of tools that keep what is asked and answered. */
const KEEPERS = new Set(['.git', '.aam', '.agentv']);
/** What aam keeps beside cases. */
const OWN_PLACES = /^(?:reports|tapes)\//;

/** `opened`: real paths of what the eval is written in; it may still grow. */
export function answerTest({ top, evalsDir }: Place, opened: ReadonlySet<string>): AnswerTest {
  const [root, evals] = [realpathSync(top), realpathSync(evalsDir)];
  return (real) => {
    if (opened.has(real)) return true;
    const parts = slashed(relative(root, real)).split('/');
    if (parts.some((part) => KEEPERS.has(part))) return true;
    if (OWN_PLACES.test(slashed(relative(evals, real)))) return true;
    // By its name alone: data that an agent works on may look like tests.
    if (isEvalFile(real, '')) return true;
    const text = beginningOf(real, MAX_BYTES)?.toString();
    return text !== undefined && recordIn(text) !== null;
  };
}
