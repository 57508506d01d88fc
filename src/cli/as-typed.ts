/** Commands in messages, as they can be typed here and now: by the name that aam was started by, for the same folder. */
import { existsSync, realpathSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { which } from '../host/programs.ts';
import type { Host } from '../model/host.ts';

/** Changes the commands in a text of ours; what agents and files say must not go through it. */
export type AsTyped = (text: string) => string;

/** In our texts a command stands between two blanks and two blanks, or the end of the line. */
const COMMAND = /(?<= {2})aam (init|validate|test|eval|tape|report|doctor|schema)\b([^\n]*?)(?= {2}|$)/gm;
const WITHOUT_FOLDER = new Set(['doctor', 'schema']);

/** `argv`: what follows the program's name. */
export function commandsAsTyped(program: string, argv: readonly string[]): AsTyped {
  const folder = folderIn(argv);
  return (text) =>
    text.replace(COMMAND, (_, command: string, rest: string) => {
      // A new package is made where the user is, unless that is what the user is about.
      const isElsewhere = command === 'init' && argv[0] !== 'init';
      const where =
        folder === null || WITHOUT_FOLDER.has(command) || isElsewhere ? '' : ` -C ${word(folder)}`;
      return `${program} ${command}${rest}${where}`;
    });
}

/** The last one counts. */
function folderIn(argv: readonly string[]): string | null {
  const words = argv.slice(0, argv.includes('--') ? argv.indexOf('--') : undefined);
  const named = words.flatMap((it, index) => {
    if (it === '-C' || it === '--cwd') return words[index + 1] ?? [];
    return /^(?:-C|--cwd=)(.+)$/.exec(it)?.[1] ?? [];
  });
  return named.at(-1) ?? null;
}

/** `script`: the file that was started. AAM_COMMAND is for wrappers, which know better. */
export function programName(script: string, { env, cwd }: Pick<Host, 'env' | 'cwd'>): string {
  const named = env['AAM_COMMAND']?.trim();
  if (named) return named;
  // There PATH has folders that it does not have for the user.
  if (env['npm_command'] && script.includes('/node_modules/')) return 'npx aam';
  const onPath = which('aam', env);
  if (onPath !== null && existsSync(script) && realpathSync(onPath) === realpathSync(script)) return 'aam';
  const absolute = resolve(cwd, script);
  const near = relative(cwd, absolute);
  const path = near.length < absolute.length ? near : absolute;
  return word(path.includes('/') ? path : `./${path}`);
}

/** For a shell. */
export function word(text: string): string {
  const safe = text.startsWith('-') ? `./${text}` : text;
  return /^[\w./:@+~-]+$/.test(safe) ? safe : `'${safe.replaceAll("'", `'\\''`)}'`;
}
