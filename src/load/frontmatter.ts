/** Markdown files that begin with YAML between two `---` lines. */
import { type Source, unreadable } from './source.ts';
import { parseYaml } from './yaml.ts';

export interface MarkdownSource extends Source {
  readonly body: string;
  /** The line of the file that the body begins on. */
  readonly bodyLine: number;
}

const HOW = 'begin the file with a line ---, then lines of key: value, then a line ---';

export function parseFrontmatter(text: string, file: string): MarkdownSource {
  const lines = text.split(/\r?\n/);
  const problem = (line: number, column: number, message: string, hint: string): MarkdownSource => {
    const place = { file, line, column };
    const source = unreadable(file, [{ severity: 'error', rule: 'frontmatter', ...place, message, hint }]);
    return { ...source, body: text, bodyLine: 1 };
  };
  if (lines[0]?.trimEnd() !== '---') return problem(1, 1, 'has no frontmatter', HOW);
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---');
  if (end < 0)
    return problem(1, 1, 'has frontmatter that is not closed', 'add a line with only --- after it');

  const inside = lines.slice(1, end);
  const tabbed = inside.findIndex((line) => /^ *\t/.test(line));
  if (tabbed >= 0) {
    const column = (inside[tabbed]?.indexOf('\t') ?? 0) + 1;
    return problem(tabbed + 2, column, 'tabs must not be used for indentation', 'use spaces');
  }
  const source = parseYaml(inside.join('\n'), file, { firstLine: 2 });
  if (source.value === null) return problem(1, 1, 'has frontmatter that is empty', HOW);
  return { ...source, body: lines.slice(end + 1).join('\n'), bodyLine: end + 2 };
}
