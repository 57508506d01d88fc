/** YAML 1.2 with positions. */
import { isAlias, isMap, isNode, isPair, isScalar, isSeq, LineCounter, parseDocument, visit } from 'yaml';
import type { Diagnostic, Path } from '../model/diagnostic.ts';
import { MAX_DEPTH, type Source, TOO_DEEP, unreadable } from './source.ts';

interface YamlOptions {
  /** Only what JSON can express: no anchors, aliases, tags or merge keys. */
  readonly jsonOnly?: boolean;
  /** Added to every line, for YAML that stands inside another file. */
  readonly firstLine?: number;
}

export function parseYaml(text: string, file: string, options: YamlOptions = {}): Source {
  const lines = new LineCounter();
  const shift = (options.firstLine ?? 1) - 1;
  const diagnostics: Diagnostic[] = [];
  const position = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1) + shift, column: Math.max(col, 1) };
  };
  const report = (
    severity: Diagnostic['severity'],
    offset: number,
    finding: { rule: string; message: string; hint?: string },
  ) => diagnostics.push({ severity, file, ...position(offset), ...finding });

  try {
    const document = parseDocument(text, {
      lineCounter: lines,
      prettyErrors: false,
      uniqueKeys: true,
      stringKeys: true,
      logLevel: 'silent',
    });
    for (const error of document.errors) report('error', error.pos[0], syntaxFinding(error));
    for (const warning of document.warnings) {
      report('warning', warning.pos[0], { rule: 'syntax', message: lowerFirst(warning.message) });
    }
    if (document.errors.length > 0) return unreadable(file, diagnostics);
    if (options.jsonOnly) reportBeyondJson(document, (offset, finding) => report('error', offset, finding));

    const value: unknown = document.toJS({ maxAliasCount: 100 });
    if (depthOf(value) > MAX_DEPTH) {
      report('error', 0, TOO_DEEP);
      return unreadable(file, diagnostics);
    }
    return {
      file,
      value,
      diagnostics,
      at: (path, part) => position(offsetOf(document.contents, path, part ?? 'value')),
    };
  } catch (error) {
    if (error instanceof RangeError) report('error', 0, TOO_DEEP);
    else if (error instanceof ReferenceError) {
      report('error', 0, {
        rule: 'syntax',
        message: 'has aliases that expand without bound',
        hint: 'write the values out',
      });
    } else throw error;
    return unreadable(file, diagnostics);
  }
}

function syntaxFinding(error: { code: string; message: string }) {
  switch (error.code) {
    case 'DUPLICATE_KEY':
      return { rule: 'duplicate-key', message: 'this key is there twice', hint: 'remove one of them' };
    case 'TAB_AS_INDENT':
      return { rule: 'syntax', message: 'tabs must not be used for indentation', hint: 'use spaces' };
    default:
      return { rule: 'syntax', message: lowerFirst(error.message) };
  }
}

function reportBeyondJson(
  document: Parameters<typeof visit>[0],
  report: (offset: number, finding: { rule: string; message: string; hint?: string }) => void,
): void {
  visit(document, {
    Node(_, node) {
      const at = node.range?.[0] ?? 0;
      const hint = 'write the value out';
      if (isAlias(node)) report(at, { rule: 'yaml-subset', message: 'aliases are not allowed here', hint });
      else if (node.anchor)
        report(at, { rule: 'yaml-subset', message: 'anchors are not allowed here', hint });
      else if (node.tag) report(at, { rule: 'yaml-subset', message: 'tags are not allowed here', hint });
    },
    Pair(_, pair) {
      if (isScalar(pair.key) && pair.key.value === '<<') {
        report(pair.key.range?.[0] ?? 0, { rule: 'yaml-subset', message: 'merge keys are not allowed here' });
      }
    },
  });
}

/** Levels of nesting. Aliases make a graph: each object is measured once, and a cycle ends the walk. */
function depthOf(root: unknown): number {
  const seen = new Map<object, number>();
  let deepest = 0;
  const queue: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }];
  for (let item = queue.pop(); item; item = queue.pop()) {
    const { value, depth } = item;
    if (typeof value !== 'object' || value === null) continue;
    if (depth > MAX_DEPTH) return depth;
    if ((seen.get(value) ?? -1) >= depth) continue;
    seen.set(value, depth);
    deepest = Math.max(deepest, depth + 1);
    for (const child of Object.values(value)) queue.push({ value: child, depth: depth + 1 });
  }
  return deepest;
}

/** The deepest part of `path` that exists. */
function offsetOf(root: unknown, path: Path, part: 'key' | 'value'): number {
  let node = root;
  let offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
  for (const [index, step] of path.entries()) {
    let next: unknown;
    if (isMap(node)) {
      const pair = node.items.find(
        (item) => isPair(item) && isScalar(item.key) && String(item.key.value) === String(step),
      );
      if (!pair) return offset;
      const keyOffset = (isScalar(pair.key) ? pair.key.range?.[0] : undefined) ?? offset;
      if (index === path.length - 1 && part === 'key') return keyOffset;
      next = pair.value;
      offset = keyOffset;
    } else if (isSeq(node) && typeof step === 'number') next = node.items[step];
    else return offset;
    if (!isNode(next)) return offset;
    offset = next.range?.[0] ?? offset;
    node = next;
  }
  return offset;
}

function lowerFirst(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1);
}
