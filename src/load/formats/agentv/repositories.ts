/** `workspace.repos`: repositories of this machine that are cloned into the workspace. */
import { realpathSync } from 'node:fs';
import { sep } from 'node:path';
import type { Repository } from '../../../model/case.ts';
import { normalizePath, pathProblem } from '../../../model/names.ts';
import { findPath, isFolder } from './files.ts';
import { type Fields, fieldOf, type Part } from './part.ts';
import type { Reading } from './reading.ts';
import { fieldsIn, listIn, numberIn, textIn } from './values.ts';

const KEYS = [
  'path',
  'source',
  'repo',
  'url',
  'checkout',
  'clone',
  'commit',
  'base_commit',
  'ref',
  'ancestor',
];

export function readRepositories(part: Part | null, reading: Reading): Repository[] {
  return (listIn(part, reading.findings) ?? []).flatMap((it) => readOne(it, reading) ?? []);
}

function readOne(part: Part, reading: Reading): Repository | null {
  const { findings } = reading;
  const fields = fieldsIn(part, findings);
  if (fields === null) return null;
  findings.keys(fields, KEYS, { sparse: 'a sparse checkout is not made: the whole tree is there' });
  const source = fieldsIn(fieldOf(fields, 'source'), findings);
  const checkout = fieldsIn(fieldOf(fields, 'checkout'), findings);
  const clone = fieldsIn(fieldOf(fields, 'clone'), findings);
  if (source) findings.keys(source, ['type', 'url', 'path']);
  if (checkout) findings.keys(checkout, ['ref', 'resolve', 'ancestor']);
  if (clone)
    findings.keys(clone, ['depth', 'filter'], {
      sparse: 'a sparse checkout is not made: the whole tree is there',
    });
  const where = (source && fieldOf(source, 'path', 'url')) ?? fieldOf(fields, 'repo', 'url');
  if (where === null) {
    findings.error(part, {
      rule: 'missing-key',
      message: 'a repository needs a source: a path on this machine',
    });
    return null;
  }
  const from = localRepository(where, reading);
  const to = targetIn(fields, reading);
  const ref = (checkout && fieldOf(checkout, 'ref')) ?? fieldOf(fields, 'commit', 'base_commit', 'ref');
  const ancestor = (checkout && fieldOf(checkout, 'ancestor')) ?? fieldOf(fields, 'ancestor');
  if (from === null || to === null) return null;
  return {
    from,
    to,
    ref: textIn(ref, findings)?.trim() || null,
    ancestor: numberIn(ancestor, findings, { min: 0, whole: true }) ?? 0,
  };
}

/** Where it goes in the workspace. */
function targetIn(fields: Fields, { findings }: Reading): string | null {
  const part = fieldOf(fields, 'path');
  if (part === null) {
    findings.error(fields, { rule: 'missing-key', message: 'a repository needs a path in the workspace' });
    return null;
  }
  const written = textIn(part, findings);
  if (written === null) return null;
  const problem = pathProblem(written);
  const to = problem === null ? normalizePath(written) : '';
  if (to !== '') return to;
  findings.error(part, {
    rule: 'wrong-value',
    message: `path ${problem ?? 'must name a folder of the workspace'}`,
  });
  return null;
}

function localRepository(part: Part, { findings, place, answers }: Reading): string | null {
  const written = textIn(part, findings)?.trim();
  if (!written) return null;
  const found = findPath(written, part.doc, place);
  if (found !== null && isFolder(found)) {
    const inside = `${realpathSync(found)}${sep}`;
    if (![...answers].some((it) => it.startsWith(inside))) return found;
    findings.error(part, {
      rule: 'holds-answers',
      message: `the repository ${written} has this eval file in it, so the agent would find the answers there`,
      hint: 'clone it once to another place, at a commit from before the evals, and give the path of the clone',
    });
    return null;
  }
  const isRemote = /^(?!file:)[a-z][a-z0-9+.-]*:\/\/|^[\w.-]+@[\w.-]+:|^[\w-]+\/[\w.-]+$/i.test(written);
  findings.error(part, {
    rule: isRemote ? 'needs-network' : 'missing-file',
    message: isRemote
      ? `the repository ${written} needs the network, and trials have none`
      : `there is no repository at ${written}`,
    hint: 'clone it once and give its path on this machine',
  });
  return null;
}
