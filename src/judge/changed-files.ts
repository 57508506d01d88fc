/** What became of the files of the workspace: a list, and what they hold as long as there is room. */
import type { FileChange } from '../model/trial.ts';
import { CUT_EDGE, cut, cutLines } from './cut.ts';
import type { Budgets, Exhibit } from './digest.ts';
import { entryLine } from './entry.ts';
import { visible } from './visible.ts';

const MAX_EXHIBITS = 60;
const MAX_NAME = 500;
const DONE = { created: 'created', modified: 'changed', deleted: 'deleted' } as const;
const LIST = 'the files of the workspace that were created, changed or deleted, one to a line';
const NONE =
  'No files in the workspace were created, changed or deleted. Files elsewhere, empty folders and .git are not looked at.';
const NONE_SEEN = 'No changes of files were seen, but the record is not whole.';

export function fileExhibits(
  files: readonly FileChange[],
  budgets: Pick<Budgets, 'files' | 'file'>,
  isWhole: boolean,
): Exhibit[] {
  if (files.length === 0) {
    return [{ title: LIST, text: isWhole ? NONE : NONE_SEEN, deeds: isWhole ? [NONE] : [] }];
  }
  const contents: Exhibit[] = [];
  let room = budgets.files;
  const lines = files.map((file) => {
    const content = contentOf(file, budgets.file);
    const size = typeof content === 'string' ? 0 : content.title.length + content.text.length;
    const fits = contents.length < MAX_EXHIBITS && size <= room;
    if (typeof content !== 'string' && fits) {
      room -= size;
      contents.push(content);
    }
    const why = typeof content === 'string' ? content : fits ? null : 'not shown here';
    return entryLine({ file: file.path, was: DONE[file.change], ...(why && { content: why }) }, MAX_NAME);
  });
  const list = cutLines(lines, budgets.file);
  return [{ title: LIST, text: list, deeds: [list] }, ...contents];
}

/** A few words when there is nothing to show. */
function contentOf({ path, change, diff }: FileChange, budget: number): Exhibit | string {
  if (change === 'deleted') return 'gone';
  if (diff === null) return 'not shown: it is not text, or larger than 64 KiB';
  const name = cut(visible(JSON.stringify(path)), MAX_NAME);
  const lines = linesOf(diff);
  if (change === 'created') {
    const text = cut(visible(lines.flatMap(withoutSign).join('\n')), budget);
    if (text.trim() === '') return lines.length === 0 ? 'empty' : 'only white space';
    return { title: `what the new file ${name} holds`, text, deeds: [text] };
  }
  const text = cut(visible(lines.join('\n')), budget);
  return { title: `how the file ${name} was changed, as a diff`, text, deeds: changesIn(text) };
}

/** Of a diff, what comes after the names of the files. */
function linesOf(diff: string): string[] {
  const lines = diff.split('\n');
  const start = lines.findIndex((line) => line.startsWith('@@'));
  return start < 0 ? [] : lines.slice(start);
}

function withoutSign(line: string): string[] {
  return line.startsWith('+') ? [line.slice(1)] : [];
}

/** What stood there before and stands there still is not the agent's doing. With and without the signs of a diff. */
function changesIn(diff: string): string[] {
  const runs: string[][] = [[]];
  for (const line of diff.split('\n')) {
    if (/^[+-]/.test(line)) runs.at(-1)?.push(untilCut(line));
    else runs.push([]);
  }
  return runs
    .filter((run) => run.length > 0)
    .flatMap((run) => [run.join('\n'), run.map((line) => line.slice(1)).join('\n')]);
}

/** Behind a cut stands the rest of some other line. */
function untilCut(line: string): string {
  const at = line.indexOf(CUT_EDGE);
  return at < 0 ? line : line.slice(0, at + 1);
}
