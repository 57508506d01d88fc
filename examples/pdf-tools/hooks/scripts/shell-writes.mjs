/**
 * The files that a shell command plainly writes: redirections, and programs whose arguments are files they change.
 * What a variable, a substitution or another program's own code writes cannot be seen here.
 */
import { homedir } from 'node:os';
import { basename, resolve } from 'node:path';

/** Which of a program's arguments it writes; options are left out before. */
const all = (files) => files;
const last = (files) => files.slice(-1);
const WRITERS = {
  tee: all,
  touch: all,
  rm: all,
  rmdir: all,
  unlink: all,
  shred: all,
  mv: all,
  truncate: all,
  mkdir: all,
  cp: last,
  ln: last,
  install: last,
  rsync: last,
  chmod: (files) => files.slice(1),
  chown: (files) => files.slice(1),
  dd: (files) => files.flatMap((it) => (it.startsWith('of=') ? [it.slice(3)] : [])),
};
const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh']);
/** Programs that start the one named after them. */
const PREFIXES = new Set([
  'sudo',
  'env',
  'command',
  'exec',
  'nohup',
  'time',
  'xargs',
  'do',
  'then',
  'else',
  '{',
  '!',
]);
const WORD = /(?:\\.|'[^']*'|"(?:\\.|[^"\\])*"|[^\s;&|<>()'"\\])+/sy;
const OPERATOR = /\d*(?:&>>|&>|>>|>\||>&|<>|>|<<<|<&|<)|&&|\|\||\|&|[;&|()\n]/y;

export function shellWrites(command, root) {
  const found = [];
  let folder = root;
  for (const { words, redirects } of simpleCommands(withoutHereDocuments(command))) {
    const [program = '', ...rest] = withoutPrefixes(words);
    const args = rest.filter((it) => !it.startsWith('-'));
    for (const file of [...redirects, ...writtenBy(basename(program), rest, args)])
      found.push({ file: fromHome(file), folder });
    for (const script of SHELLS.has(basename(program)) ? scriptArgument(rest) : [])
      found.push(...shellWrites(script, folder));
    if (program === 'cd') folder = resolve(folder, fromHome(args[0] ?? '~'));
  }
  return found;
}

function writtenBy(program, rest, args) {
  if (program === 'sed' || program === 'perl') {
    const inPlace = rest.some((it) => /^(?:-[a-z]*i|--in-place)/.test(it));
    return inPlace ? args : [];
  }
  const targets = rest.flatMap((it, index) => {
    if (it === '-t' || it === '--target-directory') return rest.slice(index + 1, index + 2);
    return it.startsWith('--target-directory=') ? [it.slice(it.indexOf('=') + 1)] : [];
  });
  return Object.hasOwn(WRITERS, program) ? [...WRITERS[program](args), ...targets] : [];
}

/** What stands after -c, as in `bash -lc '…'`. */
function scriptArgument(rest) {
  const at = rest.findIndex((it) => /^-\w*c$/.test(it));
  return at < 0 ? [] : rest.slice(at + 1, at + 2);
}

/** Words and targets of redirections between one `;`, `|`, `&&` and the next. */
function* simpleCommands(command) {
  let current = { words: [], redirects: [] };
  let isTarget = false;
  for (const token of tokens(command)) {
    if (token.word !== undefined) {
      if (isTarget) current.redirects.push(token.word);
      else current.words.push(token.word);
      isTarget = false;
    } else if (/[<>]/.test(token.operator)) isTarget = token.operator.includes('>');
    else {
      yield current;
      current = { words: [], redirects: [] };
      isTarget = false;
    }
  }
  yield current;
}

function* tokens(command) {
  let at = 0;
  while (at < command.length) {
    OPERATOR.lastIndex = at;
    WORD.lastIndex = at;
    const operator = OPERATOR.exec(command)?.[0];
    const word = operator === undefined ? WORD.exec(command)?.[0] : undefined;
    if (operator !== undefined) yield { operator };
    else if (word !== undefined) yield { word: unquoted(word) };
    at += (operator ?? word ?? ' ').length;
  }
}

function unquoted(word) {
  return word.replace(/\\(.)|'([^']*)'|"((?:\\.|[^"\\])*)"/gs, (_, escaped, single, double) => {
    return escaped ?? single ?? double.replace(/\\(["\\$`])/g, '$1');
  });
}

function withoutPrefixes(words) {
  const at = words.findIndex((it) => !PREFIXES.has(it) && !/^\w+=/.test(it));
  return at < 0 ? [] : words.slice(at);
}

/** Their lines are text, not commands. */
function withoutHereDocuments(command) {
  return command.replace(/(?<!<)<<-?\s*(['"]?)\\?(\w+)\1(.*?)\n(?:.*?\n)?\s*\2(?=\n|$)/gs, '$3');
}

function fromHome(file) {
  return file.replace(/^~(?=\/|$)/, homedir());
}
