/** A machine that lacks a program, as far as agents can see. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { findBubblewrap } from '../../src/sandbox/bubblewrap/find.ts';
import { temporaryFolder } from './folder.ts';

/** A sandbox in which a program of the system cannot be run. */
export async function sandboxWithout(program: string) {
  const folder = await temporaryFolder();
  const real = findBubblewrap({ env: process.env, cwd: folder.path, home: folder.path });
  if (!real) throw new Error('there is no bubblewrap');
  const wrapper = join(folder.path, 'bwrap');
  // aam gives its options by a file descriptor, then two dashes and the command.
  const lines = [
    '#!/bin/sh',
    `[ "$1" = --args ] || exec '${real.path}' "$@"`,
    'options=$2; shift 3',
    `exec '${real.path}' --args "$options" --ro-bind /dev/null ${program} -- "$@"`,
  ];
  await writeFile(wrapper, `${lines.join('\n')}\n`, { mode: 0o755 });
  return { env: { AAM_BWRAP_BIN: wrapper }, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}
