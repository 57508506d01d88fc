/** What Claude Code is told by git before it starts: on a machine without git, nothing. */
import { isList, isObject, type Json } from '../canonical.ts';
import { placeholder } from '../names.ts';
import { type IsPrompt, textsOf } from './texts.ts';

const STATUS =
  /^(<system-reminder>\nAs you answer the user's questions, you can use the following context:\n# gitStatus\nThis is the git status [^\n]*\n\n(?:(?:Current branch|Main branch|Git user)[^\n]*\n\n)*Status:\n)([\s\S]*?)(?=\n\nRecent commits:\n)/;
const NO_GIT = '(unavailable)';

/** null: the request does not tell, or there is no git. */
export function gitStatusIn(body: Json, isPrompt: IsPrompt): string | null {
  const messages = isObject(body) && isList(body['messages']) ? body['messages'] : [];
  const texts = messages.flatMap((it) =>
    isObject(it) && it['role'] === 'user' ? textsOf(it['content']) : [],
  );
  const told = texts.filter((text) => !isPrompt(text)).flatMap((text) => STATUS.exec(text)?.[2] ?? []);
  return told.find((status) => status !== NO_GIT) ?? null;
}

export function withoutGitStatus(text: string): string {
  return text.replace(STATUS, `$1${placeholder('git')}`);
}
