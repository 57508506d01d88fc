/** `{{ name }}` in a test, filled in from its `vars`. What stands for nothing stays as it is. */
import { isObject } from '../uaaps/manifest.ts';
import { mapValues } from './environment.ts';
import type { Part } from './part.ts';

const PLACEHOLDER = /\{\{\s*([A-Za-z_][\w-]*(?:\.[\w-]+)*)\s*\}\}/g;
const WHOLE = /^\s*\{\{\s*([A-Za-z_][\w-]*(?:\.[\w-]+)*)\s*\}\}\s*$/;

export type Vars = Readonly<Record<string, unknown>>;

export function withVars<Kind extends Part>(part: Kind, vars: Vars): Kind {
  return Object.keys(vars).length === 0 ? part : { ...part, value: filled(part.value, vars) };
}

/** A text that is nothing but a placeholder becomes the value itself, of whatever type it is. */
function filled(value: unknown, vars: Vars): unknown {
  if (typeof value !== 'string') return mapValues(value, (inner) => filled(inner, vars));
  const whole = WHOLE.exec(value)?.[1];
  const found = whole === undefined ? undefined : namedValue(whole, vars);
  if (found !== undefined) return found;
  return value.replaceAll(PLACEHOLDER, (written, name: string) => {
    const inner = namedValue(name, vars);
    if (inner === undefined) return written;
    return typeof inner === 'string' ? inner : JSON.stringify(inner);
  });
}

function namedValue(name: string, vars: Vars): unknown {
  return name
    .split('.')
    .reduce<unknown>(
      (value, key) =>
        (isObject(value) || Array.isArray(value)) && Object.hasOwn(value, key)
          ? (value as Record<string, unknown>)[key]
          : undefined,
      vars,
    );
}
