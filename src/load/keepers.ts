/** Folders of tools that keep what was asked and answered: git has every eval file there ever was, and often a token. */
export const KEEPERS: ReadonlySet<string> = new Set(['.git', '.aam']);
