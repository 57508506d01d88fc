/** Tells the files that give away what is expected, so that no case hands one to its agent. */
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { recordIn } from '../../../model/records.ts';
import { beginningOf } from '../../beginning.ts';
import { isEvalFile } from '../../eval-files.ts';
import { KEEPERS } from '../../keepers.ts';
import { statsOf } from '../../stats-of.ts';
import type { SkillPlace } from './skill-place.ts';

/** Of a path without links. */
export type AnswerTest = (real: string) => boolean;

const MAX_BYTES = 4 * 1024 * 1024;
/** What aam keeps beside cases. */
const OWN_PLACES = /^(?:reports|tapes)(?:\/|$)|^cases\/.*\.ya?ml$/;

/** `evalFile`: the one that is read. Each file is looked at once, however many cases name it. */
export function answerTest(evalFile: string, place: SkillPlace): AnswerTest {
  const known = new Map<string, boolean>();
  const originals = originalsOf(evalFile, place);
  const [repository, evalsDir] = [realpathSync(place.repository), realpathSync(place.evalsDir)];
  return (real) => {
    const told = known.get(real) ?? isAnswer(real, { repository, evalsDir }, originals);
    known.set(real, told);
    return told;
  };
}

function isAnswer(
  real: string,
  { repository, evalsDir }: Pick<SkillPlace, 'repository' | 'evalsDir'>,
  originals: readonly Buffer[],
): boolean {
  if (
    slashed(relative(repository, real))
      .split('/')
      .some((part) => KEEPERS.has(part))
  )
    return true;
  if (OWN_PLACES.test(slashed(relative(evalsDir, real)))) return true;
  const bytes = beginningOf(real, MAX_BYTES);
  if (bytes === null) return false;
  // A copy or a hard link is the same file under another name.
  if (originals.some((original) => original.equals(bytes))) return true;
  const text = bytes.toString();
  return isEvalFile(real, text) || recordIn(text) !== null;
}

/** The eval file, others that lie beside it, and cases of a package. */
function originalsOf(evalFile: string, { evalsDir }: SkillPlace): Buffer[] {
  const beside = [...filesIn(evalsDir), ...filesIn(join(evalsDir, 'cases'))];
  return [evalFile, ...beside].flatMap((file) => {
    const bytes = beginningOf(file, MAX_BYTES);
    if (bytes === null || bytes.length === 0) return [];
    const isOwn = file === evalFile || OWN_PLACES.test(slashed(relative(evalsDir, file)));
    return isOwn || isEvalFile(file, bytes.toString()) ? [bytes] : [];
  });
}

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const paths = readdirSync(folder).map((name) => join(folder, name));
  return paths.filter((path) => statsOf(path)?.isFile());
}

function slashed(path: string): string {
  return path.split(sep).join('/');
}
