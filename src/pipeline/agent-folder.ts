/** The project that a user's own agent is started in, without what would give the answers away. */
import { type Dirent, readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { beginningOf } from '../load/beginning.ts';
import { own } from '../model/own.ts';
import { answerFinder, isNeeded } from '../package/answers.ts';
import type { Mount } from '../sandbox/sandbox.ts';
import type { EvalPlan } from './eval-plan.ts';

export interface AgentFolder {
  /** At its own place, read-only, with something empty over what is hidden. */
  readonly mounts: readonly Mount[];
  readonly warnings: readonly string[];
}

const MAX_ENTRIES = 20_000;
const MAX_TEXT = 1024 * 1024;
/** History, records of runs, graders: the answers are in them. By the folder they are in, where that matters. */
const HIDDEN_ANYWHERE = new Set(['.git', '.aam']);
const HIDDEN_IN: Readonly<Record<string, ReadonlySet<string>>> = {
  evals: new Set(['reports', 'tapes', 'cases']),
  '.agentv': new Set([
    ...['results', 'cache', 'logs', 'tmp', 'workspaces', 'templates'],
    ...['assertions', 'graders', 'judges', 'prompts'],
  ]),
};
/** Too large to be looked through, and nobody's evals. */
const TOOLS = new Set(['node_modules', '.venv', 'venv', '__pycache__']);
const EVAL_FILE = /^(?:eval\.ya?ml|.*\.eval\.(?:ya?ml|jsonl?|ts)|evals\.json)$/i;

/** `scratch`: an existing folder for the empty things. */
export async function agentFolder(folder: string, plan: EvalPlan, scratch: string): Promise<AgentFolder> {
  const { hidden, isWhole } = hiddenIn(folder, plan);
  const emptyFolder = join(scratch, 'nothing');
  const emptyFile = join(scratch, 'nothing.txt');
  await mkdir(emptyFolder, { recursive: true });
  await writeFile(emptyFile, '');
  const covers = hidden.map(
    ({ path, isFolder }): Mount => ({ from: isFolder ? emptyFolder : emptyFile, to: path, mode: 'ro' }),
  );
  const unseen = `only ${MAX_ENTRIES} files of ${folder} were looked at: others may give the answers away`;
  return {
    mounts: [{ from: folder, to: folder, mode: 'ro' }, ...covers],
    warnings: isWhole ? [] : [unseen],
  };
}

interface Hidden {
  readonly path: string;
  readonly isFolder: boolean;
}

export function hiddenIn(folder: string, plan: EvalPlan): { hidden: Hidden[]; isWhole: boolean } {
  const { pkg, home, source, trials } = plan;
  const cases = trials.map((trial) => trial.case);
  const named = [source.file, ...cases.map(({ file }) => file)].filter((it) => it !== null);
  const known = new Set(plan.answers);
  const definitions = new Set([
    ...known,
    ...named.map((file) => join(home, file)),
    ...cases.flatMap(({ sources = [] }) => sources),
  ]);
  const gives = answerFinder(pkg, cases);
  const hidden: Hidden[] = [];
  let left = MAX_ENTRIES;
  const walk = (dir: string) => {
    for (const entry of entriesOf(dir)) {
      left -= 1;
      if (left < 0) return;
      const path = join(dir, entry.name);
      if (entry.isDirectory()) {
        if (known.has(path) || isHiddenFolder(dir, entry.name)) hidden.push({ path, isFolder: true });
        else if (!TOOLS.has(entry.name)) walk(path);
      } else if (entry.isFile()) {
        if (definitions.has(path) || EVAL_FILE.test(entry.name)) hidden.push({ path, isFolder: false });
        else {
          const text = beginningOf(path, MAX_TEXT)?.toString() ?? '';
          const isAnswer =
            text !== '' && gives(text) !== null && !isNeeded(pkg, relative(pkg.root, path), text);
          if (isAnswer) hidden.push({ path, isFolder: false });
        }
      }
    }
  };
  walk(folder);
  return { hidden, isWhole: left >= 0 };
}

function isHiddenFolder(parent: string, name: string): boolean {
  return HIDDEN_ANYWHERE.has(name) || (own(HIDDEN_IN, basename(parent))?.has(name) ?? false);
}

/** What cannot be read the agent cannot read either. */
function entriesOf(dir: string): Dirent[] {
  try {
    return readdirSync(dir, { withFileTypes: true });
  } catch {
    return [];
  }
}
