/** The queue needs libraries that an installation may leave out. */
import { PrerequisiteError } from '../model/errors.ts';

export function withoutQueue(error: NodeJS.ErrnoException): never {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  throw new PrerequisiteError(
    'this installation of aam has no queue: the packages bullmq and ioredis are missing',
    'install it with them:  npm install -g aam --include=optional',
  );
}
