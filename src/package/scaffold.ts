/** The files of a new package. Pure: nothing is read or written here. */
import { gitignore, manifest, readme } from './scaffold/about.ts';
import type { Draft, ScaffoldOptions } from './scaffold/draft.ts';
import { evalFiles } from './scaffold/evals.ts';
import { hookFiles } from './scaffold/hook.ts';
import { skillFiles } from './scaffold/skill.ts';

export interface ScaffoldFile {
  /** Relative to the package's root, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly executable: boolean;
  /** One that is there already serves as well. */
  readonly optional: boolean;
}

export function scaffold(options: ScaffoldOptions): ScaffoldFile[] {
  const drafts = [
    manifest(options),
    readme(options),
    gitignore(),
    ...skillFiles(options),
    ...hookFiles(),
    ...evalFiles(options),
  ];
  return drafts.map((draft) => ({
    path: draft.path,
    text: textOf(draft, options.schemas),
    executable: draft.executable ?? false,
    optional: draft.optional ?? false,
  }));
}

/** The draft as text, with a word for editors on where its schema is, when there is one to point at. */
function textOf({ path, content, schema }: Draft, schemas: string | null): string {
  const up = '../'.repeat(path.split('/').length - 1);
  const url = schema && schemas ? `${up || './'}${schemas}/${schema}.schema.json` : null;
  if (typeof content === 'string')
    return url ? `# yaml-language-server: $schema=${url}\n${content}` : content;
  return `${JSON.stringify(url ? { $schema: url, ...content } : content, null, 2)}\n`;
}
