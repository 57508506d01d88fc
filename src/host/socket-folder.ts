/** Where sockets can be: the system allows their paths only a hundred characters or so. */
import { accessSync, constants } from 'node:fs';
import { tmpdir } from 'node:os';
import { PrerequisiteError } from '../model/errors.ts';

const MAX_BYTES = 107;
/** What is added to the folder: one of our own, and the socket's name. */
const OWN_BYTES = 36;
const SHORT = '/tmp';

/** The folder for temporary files, or /tmp where its path is too long. */
export function socketParent(): string {
  const usual = tmpdir();
  if (Buffer.byteLength(usual) + OWN_BYTES <= MAX_BYTES) return usual;
  try {
    accessSync(SHORT, constants.W_OK);
    return SHORT;
  } catch {
    throw new PrerequisiteError(
      `the path of ${usual} is too long for sockets, and ${SHORT} cannot be written`,
      'name a folder with a short path:  export TMPDIR=/tmp',
    );
  }
}
