/** Decides whether a path is on the list: `/folder/` of the machine, `folder/` anywhere, `name*` anywhere. */
import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** The first rule that covers a file, or undefined. */
export function protection(file, folder, rules) {
  const path = resolve(folder, file);
  // A link into a protected folder is a way into it. Some disks do not tell upper from lower case.
  const places = [path, realPath(path)].map((it) => it.toLowerCase());
  return rules.find((rule) => places.some((place) => covers(rule, place)));
}

function covers({ path, except = [] }, place) {
  const rule = path.toLowerCase();
  if (except.some((name) => nameMatches(name.toLowerCase(), basename(place)))) return false;
  if (!rule.endsWith('/')) return nameMatches(rule, basename(place));
  return rule.startsWith('/') ? `${place}/`.startsWith(rule) : `${place}/`.includes(`/${rule}`);
}

function nameMatches(pattern, name) {
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(name);
}

/** Where a path leads once links are followed, also when the file is yet to be made. */
function realPath(path) {
  try {
    return realpathSync(path);
  } catch {
    return path === dirname(path) ? path : join(realPath(dirname(path)), basename(path));
  }
}
