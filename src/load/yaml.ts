/** YAML 1.2 with positions. */
import { Composer, type Document, Lexer, type ParsedNode, Parser, Schema, type YAMLError } from 'yaml';
import {
  LineMap,
  MAX_DEPTH,
  MAX_TOKENS,
  type Mistake,
  offsetOf,
  type Source,
  TOO_DEEP,
  TOO_LONG,
  unreadable,
} from './source.ts';
import { NodeReader } from './yaml-values.ts';

interface YamlOptions {
  /** Only what JSON can express: no anchors, aliases, tags or merge keys. */
  readonly jsonOnly?: boolean;
  /** Added to every line, for YAML that stands inside another file. */
  readonly firstLine?: number;
}

export function parseYaml(text: string, file: string, options: YamlOptions = {}): Source {
  const lines = new LineMap(text, file, options.firstLine);
  const composed = compose(text);
  if ('offset' in composed) return unreadable(file, lines.findings('error', [composed]));
  const [document, second] = composed;
  const warnings = lines.findings('warning', syntaxMistakes(document.warnings));
  const syntax = syntaxMistakes(document.errors);
  if (second) syntax.push({ offset: second.range[0], ...SECOND_DOCUMENT });
  if (syntax.length > 0) {
    return unreadable(file, [...lines.findings('error', lines.firstOfLines(syntax)), ...warnings]);
  }

  const reader = new NodeReader(options.jsonOnly ?? false);
  const { value, spot } = reader.read(document.contents, 1);
  const diagnostics = [...lines.findings('error', reader.mistakes), ...warnings];
  if (reader.refused) return unreadable(file, diagnostics);
  return { file, value, diagnostics, at: (path, part) => lines.position(offsetOf(spot, path, part)) };
}

const SECOND_DOCUMENT = {
  rule: 'syntax',
  message: 'a second document begins here',
  hint: 'put it into a file of its own',
};

/** Fixed, so that neither a `%YAML 1.1` line nor a tag brings in values that are not JSON's. */
const SCHEMA = new Schema({ schema: 'core', resolveKnownTags: false });

type Composed = Document.Parsed<ParsedNode>;

/** Its documents; or why the text is not even looked at, because the composer is recursive and slow at errors. */
function compose(text: string): readonly [Composed, Composed?] | Mistake {
  const parser = new Parser();
  const tokens = [];
  let count = 0;
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme));
    // Each escape in a string is a token too: each can be wrong.
    count += lexeme.startsWith('"') ? lexeme.split('\\').length : 1;
    const { offset } = parser;
    if (count > MAX_TOKENS) return { offset, ...TOO_LONG };
    if (parser.stack.length > MAX_DEPTH + 3) return { offset, ...TOO_DEEP };
  }
  tokens.push(...parser.end());
  const composer = new Composer({
    schema: SCHEMA,
    stringKeys: true,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'silent',
  });
  const [first, second] = composer.compose(tokens, true, text.length);
  return [first as Composed, second];
}

const QUOTE = 'put the value in quotes';

function syntaxMistakes(errors: readonly YAMLError[]): Mistake[] {
  const multiline = new Set(
    errors.filter(({ code }) => code === 'MULTILINE_IMPLICIT_KEY').map(({ pos }) => pos[0]),
  );
  return errors.map((error) => {
    const offset = error.pos[0];
    const stray = error.code === 'BLOCK_AS_IMPLICIT_KEY' && multiline.has(offset);
    const [message, hint] = stray
      ? ['the line after this value is indented too far', 'indent it like this key']
      : explain(error);
    return { offset, rule: 'syntax', message, ...(hint && { hint }) };
  });
}

/** What is wrong, and what to do when that is known, in fewer terms of the YAML specification. */
function explain({ code, message }: YAMLError): [string, string?] {
  switch (code) {
    case 'TAB_AS_INDENT':
      return ['tabs must not be used for indentation', 'use spaces'];
    case 'BLOCK_AS_IMPLICIT_KEY':
      return ['there is a second "key: value" on this line', `${QUOTE} if it contains a colon`];
    case 'MULTILINE_IMPLICIT_KEY':
      return ['this key has no colon on its line', 'write key: value'];
    case 'BAD_SCALAR_START':
      return [lowerFirst(message).replace('plain value', 'a value without quotes'), QUOTE];
    case 'BAD_INDENT':
      if (message.startsWith('Flow')) return ['a bracket before this is not closed'];
      return ['this line is not indented like the lines it belongs to'];
    case 'NON_STRING_KEY':
      return ['a key must be plain text'];
    case 'TAG_RESOLVE_FAILED':
      return [
        `the tag ${message.replace('Unresolved tag: ', '').replace('tag:yaml.org,2002:', '!!')} is not known`,
      ];
    case 'MISSING_CHAR':
      if (message.startsWith('Missing closing'))
        return [`the text before this has no closing ${message.charAt(16)}`];
      if (message.startsWith('Implicit map'))
        return ['a colon is missing after this key', 'write key: value'];
      return [lowerFirst(message)];
    case 'UNEXPECTED_TOKEN':
      if (/ at node end$| token in YAML /.test(message)) {
        return ['this does not belong here: the value before it has ended', 'look at quotes and indentation'];
      }
      return [lowerFirst(message)];
    default:
      return [lowerFirst(message)];
  }
}

function lowerFirst(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1);
}
