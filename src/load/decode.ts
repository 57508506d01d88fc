/** Source → typed value: unknown keys become warnings, everything else that is wrong an error. */
import type { z } from 'zod';
import { type Diagnostic, finding, type Located, type Path, pathText } from '../model/diagnostic.ts';
import { nearest } from '../model/nearest.ts';
import { salvage } from './salvage.ts';
import { firstFindings, type Source } from './source.ts';

export interface Decoded<T> {
  /** null when something is wrong beyond unknown keys; or, with `partial`, when nothing right is left. */
  readonly located: Located<T> | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** `partial`: what is left of a document with errors is given too, for rules that look at each part by itself. */
export function decode<Schema extends z.ZodType>(
  schema: Schema,
  source: Source,
  { partial = false }: { readonly partial?: boolean } = {},
): Decoded<z.output<Schema>> {
  const { file, at } = source;
  if (source.value === undefined) return { located: null, diagnostics: source.diagnostics };
  const broken = source.diagnostics.some((it) => it.severity === 'error');

  const value = structuredClone(source.value);
  const unknown: Path[] = [];
  let result = schema.safeParse(value);
  // Removing the unknown keys reveals what else is wrong; each round removes at least one.
  while (!result.success) {
    const strangers = flatten(result.error.issues).filter((issue) => issue.code === 'unrecognized_keys');
    if (strangers.length === 0) break;
    for (const issue of strangers) {
      for (const key of issue.keys) unknown.push([...(issue.path as Path), key]);
      removeKeys(value, issue);
    }
    result = schema.safeParse(value);
  }
  const issues = result.success ? [] : flatten(result.error.issues);
  const diagnostics = [
    ...source.diagnostics,
    ...firstFindings(file, 'warning', unknown.filter(isForUs), (path) => unknownKey(path, source, schema)),
    ...firstFindings(file, 'error', issues, (issue) => toDiagnostic(issue, value, source)),
  ];
  if (result.success && !broken) return { located: { file, value: result.data, at }, diagnostics };
  if (broken || !partial) return { located: null, diagnostics };
  const left = salvage(schema, value, at, flatten);
  return { located: left && { file, ...left }, diagnostics };
}

type Issue = z.core.$ZodIssue;

/** `x-` keys belong to others, in every document. */
function isForUs(path: Path): boolean {
  return !String(path.at(-1)).startsWith('x-');
}

function unknownKey(path: Path, source: Source, schema: z.ZodType): Diagnostic {
  const parent = path.slice(0, -1);
  const key = String(path.at(-1));
  // Another alternative of a union may know the very same key.
  const others = keysAt(schema, parent).filter((it) => it !== key);
  const meant = nearest(key, others);
  const hint = meant && `did you mean ${pathText([...parent, meant])}?`;
  const message = `${pathText(path)} is not a known field`;
  return finding('warning', source, path, { rule: 'unknown-key', message, hint }, 'key');
}

function removeKeys(root: unknown, issue: Issue & { code: 'unrecognized_keys' }): void {
  const object = valueAt(root, issue.path as Path) as Record<string, unknown>;
  for (const key of issue.keys) delete object[key];
}

/** Replaces a failed union by the issues of the alternative that the value was meant to be. */
function flatten(issues: readonly Issue[]): Issue[] {
  return issues.flatMap((issue) => {
    if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue];
    const closest = issue.errors
      .map((alternative) => ({ alternative, misfit: misfit(alternative) }))
      .sort((a, b) => a.misfit - b.misfit)[0];
    if (!closest || closest.misfit === Number.POSITIVE_INFINITY) return [issue];
    const inside = closest.alternative.map((it) => ({ ...it, path: [...issue.path, ...it.path] }) as Issue);
    return flatten(inside);
  });
}

/** How badly an alternative fits; infinite when not even the type of the value is right. */
function misfit(issues: readonly Issue[]): number {
  const wrongKind = issues.some((it) => it.path.length === 0 && it.code !== 'unrecognized_keys');
  if (wrongKind) return Number.POSITIVE_INFINITY;
  const wrongLiteral = issues.some((it) => it.code === 'invalid_value');
  const unknown = issues.reduce((sum, it) => sum + (it.code === 'unrecognized_keys' ? it.keys.length : 0), 0);
  return issues.length + unknown + (wrongLiteral ? 100 : 0);
}

function toDiagnostic(issue: Issue, root: unknown, source: Source): Diagnostic {
  const path = issue.path as Path;
  const name = path.length > 0 ? pathText(path) : 'the document';
  const actual = valueAt(root, path);
  const part = issue.code === 'invalid_key' ? 'key' : 'value';
  return finding('error', source, path, describe(issue, name, actual), part);
}

function describe(
  issue: Issue,
  name: string,
  actual: unknown,
): { rule: string; message: string; hint?: string } {
  if (actual === null && issue.path.length === 0)
    return { rule: 'wrong-type', message: 'the document is empty' };
  if (actual === undefined && issue.code !== 'custom') {
    const values = issue.code === 'invalid_value' ? issue.values.map(String) : [];
    const hint = values.length > 0 && `it must be ${oneOf(values)}`;
    return { rule: 'missing-key', message: `${name} is required`, ...(hint && { hint }) };
  }
  switch (issue.code) {
    case 'invalid_type': {
      const message = `${name} must be ${article(issue.expected)}, not ${kindOf(actual)}`;
      const hint = quotesHint(issue.expected, actual);
      return { rule: 'wrong-type', message, ...(hint && { hint }) };
    }
    case 'invalid_value': {
      const options = issue.values.map(String);
      if (!issue.message.startsWith('Invalid')) return ruleOf('wrong-value', name, issue.message, actual);
      const meant = typeof actual === 'string' ? nearest(actual, options) : undefined;
      const message = `${name} must be ${oneOf(options)}, not ${show(actual)}`;
      return { rule: 'wrong-value', message, ...(meant && { hint: `did you mean ${meant}?` }) };
    }
    case 'invalid_union': {
      if (issue.errors.length === 0) return ruleOf('wrong-value', name, issue.message, actual);
      const kinds = issue.errors.map((alternative) => expectation(alternative[0]));
      return {
        rule: 'wrong-type',
        message: `${name} must be ${oneOf([...new Set(kinds)])}, not ${kindOf(actual)}`,
      };
    }
    case 'invalid_key':
      return {
        rule: 'wrong-key',
        message: `${name}: the key ${issue.issues[0]?.message ?? 'is not allowed'}`,
      };
    default:
      return ruleOf('wrong-value', name, issue.message, actual);
  }
}

function quotesHint(expected: string, actual: unknown): string | undefined {
  if (expected === 'string') {
    return typeof actual === 'number' || typeof actual === 'boolean' ? 'put it in quotes' : undefined;
  }
  return typeof actual === 'string' && /^(?:-?\d+(?:\.\d+)?|true|false)$/.test(actual)
    ? 'take it out of the quotes'
    : undefined;
}

function ruleOf(rule: string, name: string, message: string, actual: unknown) {
  const sayable = typeof actual === 'string' || typeof actual === 'number';
  const said = message.startsWith('must not') || message.includes(', not ');
  return { rule, message: `${name} ${message}${sayable && !said ? `, not ${show(actual)}` : ''}` };
}

function expectation(issue: Issue | undefined): string {
  if (issue?.code === 'invalid_type') return article(issue.expected);
  if (issue?.code === 'invalid_value') return oneOf(issue.values.map(String));
  return 'something else';
}

const ARTICLES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map of keys',
  record: 'a map of keys',
  null: 'null',
};

function article(type: string): string {
  return ARTICLES[type] ?? type;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map of keys';
  if (typeof value === 'boolean' || (typeof value === 'number' && !Number.isFinite(value)))
    return String(value);
  return `${article(typeof value)} (${show(value)})`;
}

function show(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? String(value));
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

function oneOf(options: readonly string[]): string {
  return options.length < 2 ? (options[0] ?? '') : `${options.slice(0, -1).join(', ')} or ${options.at(-1)}`;
}

function valueAt(root: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, step)
        ? (value as Record<string | number, unknown>)[step]
        : undefined,
    root,
  );
}

/** The keys a schema knows at a path, for suggestions. */
function keysAt(schema: z.core.$ZodType, path: Path): string[] {
  const def = schema._zod.def as unknown as Record<string, unknown> & { type: string };
  const [step, ...rest] = path;
  switch (def.type) {
    case 'pipe':
      return keysAt(def['in'] as z.core.$ZodType, path);
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
      return keysAt(def['innerType'] as z.core.$ZodType, path);
    case 'union':
      return (def['options'] as z.core.$ZodType[]).flatMap((option) => keysAt(option, path));
    case 'array':
      return step === undefined ? [] : keysAt(def['element'] as z.core.$ZodType, rest);
    case 'record':
      return step === undefined ? [] : keysAt(def['valueType'] as z.core.$ZodType, rest);
    case 'object': {
      const shape = def['shape'] as Record<string, z.core.$ZodType>;
      if (step === undefined) return Object.keys(shape);
      const field = Object.hasOwn(shape, step) ? shape[step] : undefined;
      return field ? keysAt(field, rest) : [];
    }
    default:
      return [];
  }
}
