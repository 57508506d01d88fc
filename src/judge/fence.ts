/** Sets text of others apart, so that none of it can pass for ours. */
import { randomBytes } from 'node:crypto';
import { tellCuts } from './cut.ts';

export interface Fenced {
  readonly title: string;
  readonly text: string;
}

export type RandomText = () => string;

const randomText: RandomText = () => randomBytes(16).toString('hex');

const MAX_DRAWS = 100;

/** A mark that occurs in none of the texts. */
export function chooseMark(texts: readonly string[], random: RandomText = randomText): string {
  for (let draw = 0; draw < MAX_DRAWS; draw += 1) {
    const mark = random();
    if (mark !== '' && !texts.some((text) => text.includes(mark))) return mark;
  }
  throw new Error('no mark was found that does not occur in the material');
}

export function fence({ title, text }: Fenced, mark: string): string {
  return `<<<${mark} ${tellCuts(title, mark)}\n${tellCuts(text, mark)}\n${mark}>>>`;
}
