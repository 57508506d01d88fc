/** Markdown files that begin with YAML between two `---` lines. */
import type { Diagnostic } from '../model/diagnostic.ts';
import { type Source, unreadable } from './source.ts';
import { parseYaml } from './yaml.ts';

export interface MarkdownSource extends Source {
  readonly body: string;
}

export function parseFrontmatter(text: string, file: string): MarkdownSource {
  const lines = text.split(/\r?\n/);
  const problem = (line: number, message: string, hint: string): MarkdownSource => {
    const diagnostic: Diagnostic = {
      severity: 'error',
      rule: 'frontmatter',
      file,
      line,
      column: 1,
      message,
      hint,
    };
    return { ...unreadable(file, [diagnostic]), body: text };
  };
  const add = 'begin the file with --- on its own line, then name: and description:, then ---';
  if (lines[0]?.trimEnd() !== '---') return problem(1, 'has no frontmatter', add);
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---');
  if (end < 0) return problem(1, 'has frontmatter that is not closed', 'add a line with only --- after it');

  const tabbed = lines.findIndex((line, index) => index > 0 && index < end && /^\s*\t/.test(line));
  if (tabbed > 0) return problem(tabbed + 1, 'tabs must not be used for indentation', 'use spaces');
  const source = parseYaml(lines.slice(1, end).join('\n'), file, { firstLine: 2 });
  return { ...source, body: lines.slice(end + 1).join('\n') };
}
