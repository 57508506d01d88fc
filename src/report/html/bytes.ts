import { Buffer } from 'node:buffer';
import { scriptJson } from '../html.ts';

/** What a value takes up in the page. */
export function byteLength(value: unknown): number {
  return Buffer.byteLength(scriptJson(value) ?? '');
}
