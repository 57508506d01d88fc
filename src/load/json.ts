/** JSON with positions: strict as JSON is, but the mistakes of every line are reported, not only the first. */
import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import {
  LineMap,
  MAX_DEPTH,
  MAX_TOKENS,
  type Mistake,
  offsetOf,
  type Source,
  type Spot,
  TOO_DEEP,
  TOO_LONG,
  unreadable,
} from './source.ts';

/** `written`: the text as it stands in the file, where `text` has other characters at the same places. */
export function parseJson(text: string, file: string, written = text): Source {
  const value = plainValue(text);
  if (value === undefined) return parseWithPlaces(text, file, written);
  // Mostly nobody asks where something stands.
  let source: Source | null = null;
  return {
    file,
    value,
    diagnostics: [],
    at(path, part) {
      source ??= parseWithPlaces(text, file, written);
      return source.at(path, part);
    },
  };
}

const SIGNS_BETWEEN = /("(?:[^"\\]|\\.)*")|\s+/g;
const OPENING = /[{[]/g;

/**
 * The value of a text that says it just as JSON would be written: then no key is there twice, and nothing is wrong with
 * it. undefined: it has to be looked at more closely.
 */
function plainValue(text: string): unknown {
  if (text.length > MAX_TOKENS || (text.match(OPENING)?.length ?? 0) > MAX_DEPTH) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(value) === text.replace(SIGNS_BETWEEN, '$1') ? value : undefined;
  } catch {
    return undefined;
  }
}

function parseWithPlaces(text: string, file: string, written: string): Source {
  const lines = new LineMap(written, file);
  const refuse = (mistakes: readonly Mistake[]) => unreadable(file, lines.findings('error', mistakes));
  const excess = tooMuch(text);
  if (excess) return refuse([excess]);
  if (text.trim() === '') return refuse([{ offset: 0, rule: 'syntax', message: 'is empty' }]);
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: false, disallowComments: true });
  if (!root || errors.length > 0) {
    return refuse(lines.firstOfLines(errors.map((error) => syntaxMistake(error, text))));
  }

  const repeated: Mistake[] = [];
  const { value, spot } = read(root, repeated);
  return {
    file,
    value,
    diagnostics: lines.findings('error', repeated),
    at: (path, part) => lines.position(offsetOf(spot, path, part)),
  };
}

/** Looked for before parsing, because the parser is recursive and has something to say about every token. */
function tooMuch(text: string): Mistake | null {
  const scanner = createScanner(text, true);
  const open: string[] = [];
  let tokens = 0;
  for (scanner.scan(); scanner.getTokenLength() > 0; scanner.scan()) {
    const offset = scanner.getTokenOffset();
    if (++tokens > MAX_TOKENS) return { offset, ...TOO_LONG };
    const sign = text[offset];
    if (sign === '{' || sign === '[') open.push(sign === '{' ? '}' : ']');
    // The parser skips a bracket that closes nothing, so only the one that is awaited lowers the count.
    else if (open.length > 0 && sign === open.at(-1)) open.pop();
    if (open.length > MAX_DEPTH) return { offset, ...TOO_DEEP };
  }
  return null;
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
  InvalidEscapeCharacter: 'this string has an escape that does not exist in JSON',
  InvalidCharacter: 'control characters must be escaped in JSON strings',
};

function syntaxMistake({ error, offset }: ParseError, text: string): Mistake {
  const code = printParseErrorCode(error);
  const sign = text.charAt(offset);
  if ((sign === '}' || sign === ']') && text.slice(0, offset).trimEnd().endsWith(',')) {
    return { offset, rule: 'syntax', message: `there is a comma too many before this ${sign}` };
  }
  const mistake = { offset, rule: 'syntax', message: EXPLANATIONS[code] ?? code };
  return code === 'InvalidSymbol' ? { ...mistake, hint: 'keys and text stand in double quotes' } : mistake;
}

function read(node: Node, repeated: Mistake[], keyOffset?: number): { value: unknown; spot: Spot } {
  const here = { offset: node.offset, ...(keyOffset !== undefined && { keyOffset }) };
  if (node.type === 'array') {
    const items = (node.children ?? []).map((child) => read(child, repeated));
    return {
      value: items.map(({ value }) => value),
      spot: { ...here, parts: items.map(({ spot }) => spot) },
    };
  }
  if (node.type !== 'object') return { value: node.value, spot: here };
  const object: Record<string, unknown> = {};
  const parts = new Map<string, Spot>();
  for (const { children: [keyNode, valueNode] = [] } of node.children ?? []) {
    if (!keyNode || !valueNode) continue;
    const key = String(keyNode.value);
    if (parts.has(key)) {
      const message = `the key ${JSON.stringify(key)} is there twice`;
      repeated.push({ offset: keyNode.offset, rule: 'duplicate-key', message, hint: 'remove one of them' });
    }
    const { value, spot } = read(valueNode, repeated, keyNode.offset);
    // defineProperty: a key called __proto__ must stay a key.
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
    parts.set(key, spot);
  }
  return { value: object, spot: { ...here, parts } };
}
