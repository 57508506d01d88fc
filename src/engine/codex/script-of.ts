/** The script in a command line that Codex printed: `/bin/bash -lc 'ls "a b"'` is `ls "a b"`. */
export function scriptOf(commandLine: string): string {
  const script = /^\S*\/(?:ba|da|z|k)?sh -l?c ([\s\S]+)$/.exec(commandLine)?.[1];
  return script === undefined ? commandLine : (unquote(script) ?? script);
}

const PART = /'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|([^\s'"\\]+)/gy;

/** null: not one word of a shell. */
function unquote(quoted: string): string | null {
  let word = '';
  let end = 0;
  for (const match of quoted.matchAll(PART)) {
    const [all, single, double, escaped, bare] = match;
    word += single ?? double?.replace(/\\([$`"\\])/g, '$1') ?? escaped ?? bare ?? '';
    end = match.index + all.length;
  }
  return end === quoted.length ? word : null;
}
