/** Prompts that an author wrote for a judge: their placeholders become words that point at what our judge is shown. */
import type { Finding } from '../../../model/diagnostic.ts';

/** What may be written out: the author's own words, never what the agent made. */
export interface TemplateWords {
  readonly criteria: string | null;
  readonly metadata: string;
}

const SHOWN: Readonly<Record<string, string>> = {
  question: '[the task that was given to the agent]',
  input: '[the task that was given to the agent]',
  answer: '[the agent’s answer]',
  output: '[the agent’s answer]',
  candidate_answer: '[the agent’s answer]',
  reference_answer: '[the reference]',
  expected_output: '[the reference]',
  file_changes: '[the files that the agent changed]',
  tool_calls: '[what the agent did]',
  trace: '[what the agent did]',
  rubrics: '[the other criteria]',
};

const PLACEHOLDER = /\{\{\s*([A-Za-z_][\w.]*)\s*\}\}/g;

export function fillTemplate(
  template: string,
  words: TemplateWords,
): { text: string; unknown: readonly string[] } {
  const unknown: string[] = [];
  const text = template.replaceAll(PLACEHOLDER, (written, name: string) => {
    const key = name.toLowerCase();
    if (key === 'criteria' || key === 'expected_outcome') return words.criteria ?? '[the criteria]';
    if (key === 'metadata') return words.metadata;
    if (Object.hasOwn(SHOWN, key)) return SHOWN[key] as string;
    unknown.push(name);
    return written;
  });
  return { text: text.trim(), unknown };
}

export function unknownPlaceholder(name: string): Finding {
  return {
    rule: 'unknown-placeholder',
    message: `{{${name}}} in a judge’s prompt stands for nothing, so the judge sees it as it is written`,
    hint: `known are: criteria, metadata, ${Object.keys(SHOWN).join(', ')}`,
  };
}
