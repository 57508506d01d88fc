/** What became of the files of the workspace, one exhibit for each as long as there is room. */
import type { FileChange } from '../model/trial.ts';
import { cut, cutLines } from './cut.ts';
import type { Budgets, Exhibit } from './digest.ts';
import { visible } from './visible.ts';

const MAX_EXHIBITS = 60;
const DONE = { created: 'created', modified: 'changed', deleted: 'deleted' } as const;

export function fileExhibits(
  files: readonly FileChange[],
  budgets: Pick<Budgets, 'files' | 'file'>,
): Exhibit[] {
  if (files.length === 0) {
    return [exhibit('files', 'No files were created, changed or deleted.')];
  }
  const exhibits: Exhibit[] = [];
  let room = budgets.files;
  for (const file of files) {
    const text = content(file, budgets.file);
    const title = titleOf(file);
    if (exhibits.length === MAX_EXHIBITS || title.length + text.length > room) break;
    room -= title.length + text.length;
    exhibits.push(exhibit(title, text));
  }
  const rest = files.slice(exhibits.length).map(titleOf);
  if (rest.length === 0) return exhibits;
  return [...exhibits, exhibit('more files, only their names', cutLines(rest, budgets.file))];
}

function exhibit(title: string, text: string): Exhibit {
  return { title, text, isDeed: true };
}

function titleOf({ path, change }: FileChange): string {
  return `file ${DONE[change]}: ${cut(visible(JSON.stringify(path)), 500)}`;
}

function content({ change, diff }: FileChange, budget: number): string {
  if (change === 'deleted') return '[the file is gone]';
  if (diff === null) return '[not shown: it is not text, or larger than 64 KiB]';
  const text = visible(change === 'created' ? added(diff) : diff);
  return text === '' ? '[the file is empty]' : cut(text, budget);
}

/** Of a new file, the lines without the sign in front of each. */
function added(diff: string): string {
  const lines = diff.split('\n');
  const start = lines.findIndex((line) => line.startsWith('@@'));
  if (start < 0) return '';
  return lines
    .slice(start + 1)
    .flatMap((line) => (line.startsWith('+') ? [line.slice(1)] : []))
    .join('\n');
}
