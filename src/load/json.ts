/** JSON with positions: strict as JSON is, but every mistake is reported, not only the first. */
import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { Diagnostic, Path } from '../model/diagnostic.ts';
import { LineMap, MAX_DEPTH, type Source, TOO_DEEP, unreadable } from './source.ts';

export function parseJson(text: string, file: string): Source {
  const lines = new LineMap(text);
  const diagnostics: Diagnostic[] = [];
  const report = (offset: number, finding: { rule: string; message: string; hint?: string }) => {
    diagnostics.push({ severity: 'error', file, ...lines.position(offset), ...finding });
  };

  if (tooDeep(text)) {
    report(0, TOO_DEEP);
    return unreadable(file, diagnostics);
  }
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: false, disallowComments: true });
  for (const error of errors) report(error.offset, syntaxFinding(error));
  if (!root || errors.length > 0) {
    if (errors.length === 0) report(0, { rule: 'syntax', message: 'is empty' });
    return unreadable(file, diagnostics);
  }

  const repeated = (node: Node, key: string) =>
    report(node.offset, {
      rule: 'duplicate-key',
      message: `the key ${JSON.stringify(key)} is there twice`,
      hint: 'remove one of them',
    });
  const value = toValue(root, repeated);
  return {
    file,
    value,
    diagnostics,
    at: (path, part) => lines.position(find(root, path, part ?? 'value').offset),
  };
}

/** Brackets that open more levels than MAX_DEPTH: the parser is recursive, so this comes first. */
function tooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === 0x5c) at++;
      else if (code === 0x22 || code === 0x0a) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > MAX_DEPTH) return true;
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
  return false;
}

const EXPLANATIONS: Readonly<Record<string, string>> = {
  InvalidSymbol: 'this is not JSON',
  InvalidNumberFormat: 'this is not a JSON number',
  PropertyNameExpected: 'a key in double quotes is expected here',
  ValueExpected: 'a value is expected here',
  ColonExpected: 'a colon is expected here',
  CommaExpected: 'a comma is expected here',
  CloseBraceExpected: 'a closing } is expected here',
  CloseBracketExpected: 'a closing ] is expected here',
  EndOfFileExpected: 'the document should end here',
  InvalidCommentToken: 'comments are not allowed in JSON',
  UnexpectedEndOfComment: 'comments are not allowed in JSON',
  UnexpectedEndOfString: 'this string is not closed',
  UnexpectedEndOfNumber: 'this number is not complete',
  InvalidUnicode: 'this \\u escape is not complete',
  InvalidEscapeCharacter: 'this escape does not exist in JSON',
  InvalidCharacter: 'control characters must be escaped in JSON strings',
};

function syntaxFinding(error: ParseError) {
  const code = printParseErrorCode(error.error);
  return { rule: 'syntax', message: EXPLANATIONS[code] ?? code };
}

function toValue(node: Node, repeated: (node: Node, key: string) => void): unknown {
  if (node.type === 'array') return (node.children ?? []).map((child) => toValue(child, repeated));
  if (node.type !== 'object') return node.value;
  const object: Record<string, unknown> = {};
  for (const property of node.children ?? []) {
    const [keyNode, valueNode] = property.children ?? [];
    if (!keyNode || !valueNode) continue;
    const key = String(keyNode.value);
    if (Object.hasOwn(object, key)) repeated(keyNode, key);
    // defineProperty: a key called __proto__ must stay a key.
    Object.defineProperty(object, key, {
      value: toValue(valueNode, repeated),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return object;
}

/** The deepest part of `path` that exists. */
function find(root: Node, path: Path, part: 'key' | 'value'): Node {
  let node = root;
  for (const [index, step] of path.entries()) {
    if (node.type === 'array' && typeof step === 'number') {
      const child = node.children?.[step];
      if (!child) return node;
      node = child;
    } else if (node.type === 'object') {
      const property = node.children?.findLast((child) => child.children?.[0]?.value === String(step));
      const [keyNode, valueNode] = property?.children ?? [];
      if (!keyNode || !valueNode) return node;
      if (index === path.length - 1 && part === 'key') return keyNode;
      node = valueNode;
    } else return node;
  }
  return node;
}
