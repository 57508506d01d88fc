/** Which files a tool call would write. */
import { shellWrites } from './shell-writes.mjs';

const PATCH_HEADER = /^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)$/gm;

/** Each with the folder it is relative to. A call that names no file where it must is an error. */
export function writtenFiles(call, root) {
  const input = call?.toolInput;
  if (typeof input !== 'object' || input === null) throw new Error('it has no toolInput');
  const inRoot = (files) => files.map((file) => ({ file, folder: root }));
  if (call.toolName === 'Bash') {
    const { command } = input;
    if (typeof command !== 'string') throw new Error('it has no command');
    return [...shellWrites(command, root), ...inRoot(patchedFiles(command))];
  }
  const files =
    call.toolName === 'apply_patch'
      ? patchedFiles([input.command, input.patch, input.input].find((it) => typeof it === 'string') ?? '')
      : [input.file_path, input.notebook_path].filter((it) => typeof it === 'string' && it !== '');
  if (files.length === 0) throw new Error('it names no file');
  return inRoot(files);
}

function patchedFiles(patch) {
  return Array.from(patch.matchAll(PATCH_HEADER), ([, path]) => path.trim());
}
