/** Tells a file that gives the answers of eval cases away. Pure: texts are read elsewhere. */
import type { Case } from '../model/case.ts';
import type { AgentPackage } from '../model/package.ts';
import { recordIn } from '../model/records.ts';

/** Why the text gives answers away; null: it does not, as far as can be told. */
export type AnswerFinder = (text: string) => string | null;

/** So many letters and digits in a row are no coincidence. */
const RUN = 48;
/** What is shorter says nothing that could not stand anywhere. */
const SHORTEST = 24;
const MAX_RUNS = 50;

/** `cases`: those of the run, which need not be cases of the package. */
export function answerFinder(
  { evals }: AgentPackage,
  cases: readonly Pick<Case, 'name' | 'criteria'>[],
): AnswerFinder {
  const own = evals.cases.map(({ value }) => ({ name: value.name, texts: [value.judge.criteria] }));
  const others = cases.map(({ name, criteria }) => ({ name, texts: criteria.map(({ text }) => text) }));
  const all = [...own, ...others];
  const names = new Set(all.map(({ name }) => name));
  const texts = new Map(all.flatMap(({ name, texts }) => texts.map((text) => [text, name])));
  const criteria = [...texts].flatMap(([text, name]) => runsOf(text).map((run) => ({ ...run, name })));
  return (text) => {
    const record = recordIn(text);
    if (record !== null) return record;
    const defined = definedCase(text, names);
    if (defined !== null) return `defines the eval case ${defined}`;
    const lower = text.toLowerCase();
    const likely = criteria.filter(({ word }) => word === null || lower.includes(word));
    if (likely.length === 0) return null;
    const reduced = plain(text);
    const found = likely.find((run) => reduced.includes(run.text));
    return found ? `has the criteria of the eval case ${found.name} in it` : null;
  };
}

/** Whether a package would not work without the file: what agents load, and the programs that it brings. */
export function isNeeded(pkg: AgentPackage, path: string, text: string): boolean {
  const loaded = [
    pkg.manifestFile,
    pkg.instructions,
    pkg.hooksFile,
    pkg.mcp?.file,
    ...[...pkg.skills, ...pkg.commands, ...pkg.agents, ...pkg.rules].map(({ file }) => file),
    ...pkg.agents.map(({ promptFile }) => promptFile),
  ];
  return loaded.includes(path) || text.startsWith('#!') || PROGRAM.test(path);
}

const PROGRAM = /\.(?:sh|bash|zsh|py|js|mjs|cjs|ts|mts|rb|pl|php|lua|go|rs|ps1)$/i;

const CASE_KEYS = /\b(?:criteria|not-contains|files-created|agent-blocked)["']?\s*:/;

function definedCase(text: string, names: ReadonlySet<string>): string | null {
  if (!CASE_KEYS.test(text)) return null;
  for (const [, name = ''] of text.matchAll(/\bname["']?\s*:\s*["']?([a-z0-9-]+)/g))
    if (names.has(name)) return name;
  return null;
}

interface Run {
  readonly text: string;
  /** Its longest plain word, which is looked for first because that is quick; null: it has none. */
  readonly word: string | null;
}

/** Words are never cut, so that each run is found by one of its own. */
function runsOf(criteria: string): Run[] {
  const runs: Run[] = [];
  let text = '';
  let words: string[] = [];
  for (const word of criteria.split(/\s+/)) {
    text += plain(word);
    words = words.concat(word.toLowerCase().match(/[a-z]{5,}/g) ?? []);
    if (text.length < RUN) continue;
    runs.push({ text, word: longest(words) });
    text = '';
    words = [];
    if (runs.length === MAX_RUNS) return runs;
  }
  return text.length >= SHORTEST ? [...runs, { text, word: longest(words) }] : runs;
}

function longest(words: readonly string[]): string | null {
  return words.reduce<string | null>((best, it) => (it.length > (best?.length ?? 0) ? it : best), null);
}

/** Letters and digits alone: however it was wrapped, indented or escaped, the same words are the same text. */
function plain(text: string): string {
  return text
    .replace(/\\+u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\+[nrtbf]|&(?:#\w+|[a-z]+);/gi, ' ')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}
