/** Fills the template that a judge is asked with: prompt.md. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ScaleRange } from '../model/case.ts';
import { type JudgedCriterion, judgeAnswerSchema } from '../model/judgement.ts';
import type { Exhibit } from './digest.ts';
import { chooseMark, fence, type RandomText } from './fence.ts';
import { visible } from './visible.ts';

export interface PromptTemplate {
  readonly version: string;
  /** Of the whole file. */
  readonly sha256: string;
  readonly system: string;
  readonly request: string;
  readonly correction: string;
}

export interface JudgePrompt {
  readonly system: string;
  readonly prompt: string;
  /** JSON Schema of the answer. */
  readonly schema: Readonly<Record<string, unknown>>;
}

export function readTemplate(): PromptTemplate {
  const text = readFileSync(new URL('../judge/prompt.md', import.meta.url), 'utf8');
  const section = (name: string) => {
    const [, body] = new RegExp(`^## ${name}\\n([\\s\\S]*?)(?=^## |$(?![\\s\\S]))`, 'm').exec(text) ?? [];
    if (body === undefined) throw new Error(`prompt.md has no section ${name}`);
    return body.trim();
  };
  const version = /^version: "(.+)"$/m.exec(text)?.[1];
  if (version === undefined) throw new Error('prompt.md has no version');
  return {
    version,
    sha256: createHash('sha256').update(text).digest('hex'),
    system: section('system'),
    request: section('request'),
    correction: section('correction'),
  };
}

/** `problems`: what was wrong with the answer before. They repeat words of that answer, so they are fenced too. */
export function renderPrompt(
  template: PromptTemplate,
  criteria: readonly JudgedCriterion[],
  exhibits: readonly Exhibit[],
  problems: readonly string[],
  random?: RandomText,
): JudgePrompt {
  const asked = {
    title: 'criteria, one to a line',
    text: criteria.map(criterionLine).join('\n'),
  };
  const wrong = { title: 'problems', text: problems.map((it) => `- ${visible(it)}`).join('\n') };
  const parts = [...exhibits, asked, wrong];
  const mark = chooseMark(
    parts.flatMap(({ title, text }) => [title, text]),
    random,
  );
  const correction =
    problems.length === 0 ? '' : `${fill(template.correction, { problems: fence(wrong, mark) })}\n\n`;
  const prompt = fill(template.request, {
    mark,
    material: exhibits.map((exhibit) => fence(exhibit, mark)).join('\n\n'),
    criteria: fence(asked, mark),
    correction,
  });
  return { system: template.system, prompt, schema: judgeAnswerSchema(criteria) };
}

function criterionLine({ id, text, scale, negate }: JudgedCriterion): string {
  return JSON.stringify({
    id,
    criterion: visible(text),
    ...(negate && { mustNotHold: true }),
    ...(scale !== undefined && { scale: scale.length === 0 ? '0 to 10' : scale.map(rangeWords) }),
  });
}

function rangeWords({ from, to, text }: ScaleRange): string {
  return `${from === to ? from : `${from} to ${to}`}: ${visible(text)}`;
}

/** In one pass: what looks like a placeholder in a value is none. */
function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`prompt.md names {{${name}}}, which nothing fills`);
    return value;
  });
}
