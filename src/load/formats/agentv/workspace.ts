/** `workspace`: what is in the working folder before the agent starts, and what is done around it. */
import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import type { CaseFile, CaseSetup, SetupCommand } from '../../../model/case.ts';
import type { Finding } from '../../../model/diagnostic.ts';
import { openDoc } from './docs.ts';
import { filesBelow, findPath, isFolder, isInside } from './files.ts';
import { commandIn, folderIn } from './kinds/program.ts';
import { type Fields, fieldOf, type Part, wholeOf } from './part.ts';
import type { Reading } from './reading.ts';
import { readRepositories } from './repositories.ts';
import { booleanIn, fieldsIn, numberIn, textIn, wordIn } from './values.ts';

export interface Prepared {
  readonly files: readonly CaseFile[];
  /** Absolute: files that say what is prepared. */
  readonly sources: readonly string[];
  readonly setup: CaseSetup | null;
}

const KEYS = ['template', 'isolation', 'mode', 'path', 'docker', 'repos', 'hooks', 'scripts'];

/** The test's own workspace counts key by key before the suite's. */
export function readWorkspace(suite: Part | null, test: Part | null, reading: Reading): Prepared {
  const layers = [test, suite].flatMap((it) => opened(it, reading) ?? []);
  for (const layer of layers) reading.findings.keys(layer, KEYS);
  const pick = (key: string) => layers.map((it) => fieldOf(it, key)).find((it) => it !== null) ?? null;
  refuseOthers(pick, reading);
  const repositories = readRepositories(pick('repos'), reading);
  const hooks = readHooks(layers, reading);
  const template = pick('template');
  const isNeeded = repositories.length + hooks.before.length + hooks.after.length > 0;
  return {
    files: template === null ? [] : templateFiles(template, reading),
    sources: layers.filter((it) => it.path.length === 0).map(({ doc }) => doc.path),
    setup: isNeeded ? { repositories, ...hooks } : null,
  };
}

/** A path names a YAML file that holds it. */
function opened(part: Part | null, reading: Reading): Fields | null {
  if (part === null || typeof part.value !== 'string') return fieldsIn(part, reading.findings);
  const path = findPath(part.value, part.doc, reading.place);
  if (path === null) {
    reading.findings.error(part, {
      rule: 'missing-file',
      message: `the workspace file ${JSON.stringify(part.value)} does not exist`,
      hint: 'paths are relative to the eval file',
    });
    return null;
  }
  return fieldsIn(wholeOf(openDoc(path, [dirname(path), reading.place.evalsDir], reading)), reading.findings);
}

/** What would make the working folder another one than the author means. */
function refuseOthers(pick: (key: string) => Part | null, { findings }: Reading): void {
  const docker = pick('docker');
  if (docker !== null)
    findings.error(docker, {
      rule: 'unsupported',
      message: 'docker is not used: the agent runs in aam’s own sandbox, without the image',
    });
  const path = pick('path');
  const mode = pick('mode');
  wordIn(mode, ['pooled', 'temp', 'static'] as const, findings);
  if (path !== null && mode?.value !== 'static')
    findings.error(path, {
      rule: 'unsupported',
      message: 'path would let the agent work in your own folder; each trial gets a fresh one',
      hint: 'name that folder as template: it is copied for each trial',
    });
  if (mode?.value === 'static')
    findings.error(mode, {
      rule: 'unsupported',
      message: 'mode: static would let the agent work in your own folder; each trial gets a fresh one',
      hint: 'name that folder as template: it is copied for each trial',
    });
  else if (mode?.value === 'pooled')
    findings.warnOnce(mode, {
      rule: 'not-honoured',
      message: 'mode: pooled is not used: each trial gets a fresh workspace',
    });
  const isolation = pick('isolation');
  wordIn(isolation, ['shared', 'per-test'] as const, findings);
  if (isolation?.value === 'shared')
    findings.warnOnce(isolation, {
      rule: 'not-honoured',
      message:
        'isolation: shared is not used: each trial gets a fresh workspace, so no test sees what another left',
    });
}

export function templateFiles(part: Part, reading: Reading): CaseFile[] {
  const { findings, place } = reading;
  const written = textIn(part, findings);
  if (written === null) return [];
  const path = findPath(written, part.doc, place);
  if (path === null || !isFolder(path)) {
    findings.error(part, {
      rule: 'missing-file',
      message: `the template folder ${JSON.stringify(written)} ${path === null ? 'does not exist' : 'is no folder'}`,
      hint: 'paths are relative to the file they are written in',
    });
    return [];
  }
  const real = realpathSync(path);
  if (!isInside(real, place)) {
    findings.error(part, { rule: 'outside', message: `the template folder is outside ${place.top}` });
    return [];
  }
  const { files, links, isCut } = filesBelow(real);
  if (isCut) findings.error(part, { rule: 'too-large', message: 'the template folder has too many files' });
  if (links.length > 0)
    findings.warnOnce(part, {
      rule: 'link',
      message: `links in the template folder are left out: ${links.slice(0, 3).join(', ')}`,
    });
  const leftOut = files.filter(({ from }) => reading.isAnswer(from)).map(({ to }) => to);
  if (leftOut.length > 0) findings.warnOnce(part, withheld(leftOut));
  return files.filter(({ from }) => !reading.isAnswer(from));
}

/** What is told of files that an agent would find the answers in. */
export function withheld(paths: readonly string[]): Finding {
  const more = paths.length > 3 ? ` and ${paths.length - 3} more` : '';
  const rule = 'holds-answers';
  return {
    rule,
    message: `left out of the workspace, for answers are in it: ${paths.slice(0, 3).join(', ')}${more}`,
  };
}

type Hooks = Pick<CaseSetup, 'before' | 'after'>;
const BEFORE = { names: ['before_all', 'before_each'], timeoutMs: 60_000 };
const AFTER = { names: ['after_each', 'after_all'], timeoutMs: 30_000 };

function readHooks(layers: readonly Fields[], reading: Reading): Hooks {
  const { findings } = reading;
  const written = layers.flatMap((it) => fieldsIn(fieldOf(it, 'hooks', 'scripts'), findings) ?? []);
  for (const hooks of written) findings.keys(hooks, [...BEFORE.names, ...AFTER.names, 'enabled']);
  const isOff = written.some((it) => booleanIn(fieldOf(it, 'enabled'), findings) === false);
  if (isOff) return { before: [], after: [] };
  const commands = ({ names, timeoutMs }: typeof BEFORE) =>
    names.flatMap((name) => {
      const hook = written.map((it) => fieldOf(it, name)).find((it) => it !== null) ?? null;
      return hook === null ? [] : (readHook(hook, name, timeoutMs, reading) ?? []);
    });
  return { before: commands(BEFORE), after: commands(AFTER) };
}

function readHook(part: Part, name: string, usualMs: number, reading: Reading): SetupCommand | null {
  const { findings } = reading;
  const hook = fieldsIn(part, findings);
  if (hook === null) return null;
  findings.keys(hook, ['command', 'script', 'cwd', 'timeout_ms', 'timeout_seconds', 'reset', 'clean']);
  const command = fieldOf(hook, 'command', 'script');
  // A hook may also only say how the workspace is put back, and each trial has a fresh one.
  if (command === null) return null;
  if (name.endsWith('_all'))
    findings.warnOnce(part, {
      rule: 'not-honoured',
      message: `${name} runs for each trial, because each has a workspace of its own`,
    });
  const argv = commandIn(command, reading);
  const cwd = folderIn(fieldOf(hook, 'cwd'), hook, reading);
  const ms = numberIn(fieldOf(hook, 'timeout_ms'), findings, { min: 0, above: true });
  const seconds = numberIn(fieldOf(hook, 'timeout_seconds'), findings, { min: 0, above: true });
  if (argv === null || cwd === null) return null;
  return { name, argv, cwd, timeoutMs: ms ?? (seconds === null ? usualMs : seconds * 1000) };
}
