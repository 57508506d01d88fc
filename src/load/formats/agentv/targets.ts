/** `.agentv/targets.yaml`: who can be asked, by name. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { Host } from '../../../model/host.ts';
import { nearest } from '../../../model/nearest.ts';
import type { Target } from '../../../model/target.ts';
import { openDoc } from './docs.ts';
import { interpolate, type Lookup, lookupIn, missingVariable } from './environment.ts';
import { Findings } from './findings.ts';
import { type Fields, fieldOf, isFields, itemsOf, type Part, wholeOf } from './part.ts';
import { foldersUpTo, placeEval } from './place.ts';
import { makeTarget, readJudge } from './target.ts';

export interface Targets {
  /** Absolute. */
  readonly file: string;
  readonly names: readonly string[];
  /** What is wrong with the file itself. */
  readonly diagnostics: readonly Diagnostic[];
  /** null: there is none of this name. */
  find(name: string): FoundTarget | null;
}

interface FoundTarget {
  /** null: it cannot be used; the diagnostics have an error. */
  readonly target: Target | null;
  readonly diagnostics: readonly Diagnostic[];
}

const FILES = ['.agentv/targets.yaml', '.agentv/targets.yml'];

/** The nearest above the eval file, else above the working folder; null: there is none. */
export function findTargetsFile(evalFile: string | null, cwd: string): string | null {
  const starts = [...(evalFile === null ? [] : [dirname(evalFile)]), cwd];
  const folders = starts.flatMap((start) => foldersUpTo(start, '/'));
  return folders.flatMap((dir) => FILES.map((name) => join(dir, name))).find((it) => existsSync(it)) ?? null;
}

/** `shown`: folder that findings name the file relative to. `evalsDir`: where commands without a folder may look. */
export function readTargets(
  file: string,
  { env, shown, evalsDir }: { readonly env: Host['env']; readonly shown: string; readonly evalsDir: string },
): Targets {
  const findings = new Findings();
  const doc = openDoc(file, [dirname(file)], {
    home: shown,
    // Filled in only where a target is used: others may speak of variables that nobody has.
    lookup: null,
    findings,
    opened: new Map(),
    answers: new Set(),
  });
  const listed = listIn(wholeOf(doc), findings);
  const names = listed.map(nameOf).filter((name) => name !== '');
  const upward = placeEval(join(evalsDir, 'EVAL.yaml')).upward;
  const lookup = lookupIn(env, [...upward, dirname(file), dirname(dirname(file))]);
  const find = (name: string): FoundTarget | null => {
    const about = new Findings();
    const part = listed.find((it) => nameOf(it) === name);
    if (part === undefined) return null;
    const found = follow(part, { listed, names, lookup, findings: about });
    const target = found && makeTarget(found, name, { lookup, findings: about, evalsDir });
    const judge = found && judgeOf(found, { listed, names, lookup, findings: about });
    const { all } = about;
    const isWrong = all.some(({ severity }) => severity === 'error');
    return { target: target && !isWrong ? { ...target, judge } : null, diagnostics: all };
  };
  return { file, names, diagnostics: findings.all, find };
}

function listIn(whole: Part, findings: Findings): Fields[] {
  if (whole.value === undefined) return [];
  const list = isFields(whole) ? fieldOf(whole, 'targets') : null;
  if (list !== null && Array.isArray(list.value)) return itemsOf(list).filter(isFields);
  const isLater = isFields(whole) && fieldOf(whole, 'providers') !== null;
  findings.error(whole, {
    rule: 'missing-key',
    message: isLater
      ? 'providers of later generations of AgentV are not read'
      : 'there is no list of targets',
    hint: 'write  targets:  and below it  - name: …  provider: claude',
  });
  return [];
}

function nameOf({ value }: Fields): string {
  return typeof value['name'] === 'string' ? value['name'].trim() : '';
}

interface Around {
  readonly listed: readonly Fields[];
  readonly names: readonly string[];
  readonly lookup: Lookup;
  readonly findings: Findings;
}

/** The target that stands for another is that other; null after reporting that it leads nowhere. */
function follow(part: Fields, { listed, names, lookup, findings }: Around): Fields | null {
  const seen = new Set<string>();
  for (let here = part; ; ) {
    const at = fieldOf(here, 'use_target');
    if (at === null) return here;
    const name = String(interpolate(at.value, lookup, (it) => findings.warn(at, missingVariable(it)))).trim();
    const next = listed.find((it) => nameOf(it) === name);
    if (next === undefined || seen.has(name)) {
      const meant = nearest(name, names);
      findings.error(at, {
        rule: 'unknown-target',
        message:
          next === undefined
            ? `there is no target called ${JSON.stringify(name)}`
            : `${name} stands for itself`,
        hint: next === undefined && meant ? `did you mean ${meant}?` : `there is: ${names.join(', ')}`,
      });
      return null;
    }
    seen.add(name);
    here = next;
  }
}

/** What cannot judge here leaves the choice to the run, and is told. */
function judgeOf(part: Fields, around: Around): string | null {
  const at = fieldOf(part, 'judge_target', 'grader_target');
  if (at === null) return null;
  const name = String(interpolate(at.value, around.lookup, () => {})).trim();
  const found = around.listed.find((it) => nameOf(it) === name);
  const followed = found && follow(found, around);
  const judge = followed ? readJudge(followed, around.lookup) : null;
  if (judge !== null) return judge;
  const why = followed
    ? `is of the provider ${String(followed.value['provider'])}, or names no model`
    : 'is not there';
  around.findings.warn(at, {
    rule: 'judge-target',
    message: `the judge ${JSON.stringify(name)} ${why}, so the model of the agent judges`,
    hint: 'choose another:  --judge <model>',
  });
  return null;
}
