/** The prompt in the form in which Claude Code gives it to its model. */

/** Its own commands (`/cost`, `/compact`…) never get there, or become other words; those of the workspace are meant. */
export function promptFor(prompt: string, files: readonly string[]): string {
  const command = /^\/([\w:.-]+)(?:\s|$)/.exec(prompt)?.[1];
  if (command === undefined || files.some((path) => commandAt(path) === command)) return prompt;
  // With anything before the slash it is text.
  return ` ${prompt}`;
}

/** The command that a file of the workspace makes; null: none. */
function commandAt(path: string): string | null {
  const named = /^\.claude\/(?:commands\/(.+)\.md|skills\/([^/]+)\/SKILL\.md)$/.exec(path);
  return named?.[1]?.replaceAll('/', ':') ?? named?.[2] ?? null;
}
