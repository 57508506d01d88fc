/** Finds out which skills an agent read by itself. */

/** Folders between `skills` and the skill. Bounded, so that no text takes long to look at. */
const ABOVE = '(?:[^/\\s\'"]+/){0,4}?';
const NAME = '([^/\\s\'"*?<>()$]+)';

/** The skill whose SKILL.md this is. */
export function skillAt(path: string): string | null {
  return SKILL_PATH.exec(path)?.[1] ?? null;
}

const SKILL_PATH = new RegExp(`(?:^|/)skills/${ABOVE}([^/]+)/SKILL\\.md$`);

/** The skills whose SKILL.md a shell command prints. */
export function skillsRead(command: string): string[] {
  if (!command.includes('SKILL.md')) return [];
  const names = new Set<string>();
  let folder: string | undefined;
  for (const part of command.split(/[;&|\n]+/)) {
    if (/^\s*cd\s/.test(part)) folder = SKILL_FOLDER.exec(part)?.[1];
    const read = part.replace(WRITES, ' ');
    if (!PRINTS.test(read)) continue;
    for (const [, name = ''] of read.matchAll(SKILL_FILE)) names.add(name);
    if (folder !== undefined && /[\s'"](?:\.\/)?SKILL\.md/.test(read)) names.add(folder);
  }
  return [...names];
}

/** Commands that only name the file (ls, find, rm) do not read it, and neither do those that change it. */
const PRINTS =
  /(?:^|[\s(/'"`])(?:cat|sed(?!\s+(?:-i|--in-place))|head|tail|less|more|bat|batcat|nl|awk|gawk|perl|python3?|node|tac)\s/;
const WRITES = />{1,2}\s?['"]?[^\s'"<>]{1,500}/g;

const SKILL_FILE = new RegExp(`\\bskills/${ABOVE}${NAME}/SKILL\\.md`, 'g');
const SKILL_FOLDER = new RegExp(`\\bskills/${ABOVE}${NAME}/?['"]?\\s*$`);
