/** Which names may stand in an archive. */

const MAX_NAME_BYTES = 1024;
const MAX_PART_BYTES = 255;
const MAX_FOLDERS_DEEP = 64;

/** Why a name may not stand in an archive; null: it may. */
export function nameProblem(name: string): string | null {
  if (name === '') return 'is empty';
  if (!name.isWellFormed()) return 'is not Unicode text';
  if (/[\x00-\x1f\x7f-\x9f]/.test(name)) return 'has a control character';
  if (name.includes('\\')) return 'has a backslash';
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name)) return 'is absolute';
  const parts = name.split('/');
  if (parts.includes('..')) return 'leads outside with ".."';
  if (parts.includes('') || parts.includes('.')) return 'has a part that is empty or "."';
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) return `is longer than ${MAX_NAME_BYTES} bytes`;
  if (parts.some((part) => Buffer.byteLength(part) > MAX_PART_BYTES))
    return `has a part longer than ${MAX_PART_BYTES} bytes`;
  if (parts.length > MAX_FOLDERS_DEEP) return `is more than ${MAX_FOLDERS_DEEP} folders deep`;
  return null;
}
