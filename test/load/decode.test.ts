import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { decode } from '../../src/load/decode.ts';
import { parseJson } from '../../src/load/json.ts';
import { parseYaml } from '../../src/load/yaml.ts';
import { jsonDocument, record } from '../../src/model/on-disk.ts';
import { SCHEMAS, type SchemaName } from '../../src/model/schemas.ts';
import { findingLine } from '../helpers/package.ts';

function decodeYaml(name: SchemaName, text: string) {
  const { located, diagnostics } = decode(SCHEMAS[name].schema, parseYaml(text, 'a.yaml'));
  return { value: located?.value ?? null, lines: diagnostics.map(findingLine) };
}

function decodeJson(name: SchemaName, text: string) {
  const { located, diagnostics } = decode(SCHEMAS[name].schema, parseJson(text, 'a.json'));
  return { value: located?.value ?? null, lines: diagnostics.map(findingLine) };
}

const CASE = `name: a
input:
  prompt: Hi
judge:
  criteria: Fine
`;

describe('decode', () => {
  it('gives the value with camelCase names and defaults, and the places of the file', () => {
    const text = `${CASE}expected:\n  not-contains: [x]\n  agent-blocked: true\n`;
    const { located, diagnostics } = decode(SCHEMAS['eval-case'].schema, parseYaml(text, 'a.yaml'));
    expect(diagnostics).toEqual([]);
    expect(located).toMatchObject({
      file: 'a.yaml',
      value: { name: 'a', expected: { notContains: ['x'], agentBlocked: true } },
    });
    expect(located?.at(['expected', 'not-contains', 0])).toEqual({ line: 7, column: 18 });
    expect(decodeJson('eval-config', '{"version": 1, "engine": "codex"}').value).toMatchObject({
      timeout: 120,
      env: {},
    });
  });

  it.each([
    ['name: 7\n', '1:7 wrong-type: name must be a string, not a number (7) (put it in quotes)'],
    ['name: true\n', '1:7 wrong-type: name must be a string, not true (put it in quotes)'],
    ['name:\n', '1:6 wrong-type: name must be a string, not null'],
    ['name: [a]\n', '1:7 wrong-type: name must be a string, not a list'],
    ['name: {a: b}\n', '1:7 wrong-type: name must be a string, not a map of keys'],
    ['name: A b\n', '1:7 wrong-value: name must hold only a-z, 0-9 and hyphens, 1 to 64 of them, not "A b"'],
    [
      `name: ${'x'.repeat(100)}\n`,
      `1:7 wrong-value: name must hold only a-z, 0-9 and hyphens, 1 to 64 of them, not "${'x'.repeat(56)}…`,
    ],
  ])('says what is wrong with %j', (line, expected) => {
    expect(decodeYaml('eval-case', CASE.replace('name: a\n', line)).lines).toEqual([
      `error a.yaml:${expected}`,
    ]);
  });

  it('reports missing keys where they belong, all of them', () => {
    expect(
      decodeYaml('eval-case', 'description: x\ninput:\n  files: []\njudge: {}\n'),
    ).toMatchInlineSnapshot(`
      {
        "lines": [
          "error a.yaml:1:1 missing-key: name is required",
          "error a.yaml:3:3 missing-key: input.prompt is required",
          "error a.yaml:4:8 missing-key: judge.criteria is required",
        ],
        "value": null,
      }
    `);
    expect(decodeJson('manifest', '\n  {"description": "x"}').lines).toMatchInlineSnapshot(`
      [
        "error a.json:2:3 missing-key: name is required",
        "error a.json:2:3 missing-key: version is required",
      ]
    `);
  });

  it.each([
    ['null', 'error a.json:1:1 wrong-type: the document is empty'],
    ['[]', 'error a.json:1:1 wrong-type: the document must be a map of keys, not a list'],
    ['"x"', 'error a.json:1:1 wrong-type: the document must be a map of keys, not a string ("x")'],
    ['1e999', 'error a.json:1:1 wrong-type: the document must be a map of keys, not Infinity'],
  ])('names the document itself when it is %s', (text, line) => {
    expect(decodeJson('manifest', text).lines).toEqual([line]);
  });

  it('warns about unknown keys at the key, at every depth, and still gives the value', () => {
    const { value, lines } = decodeYaml(
      'eval-case',
      `${CASE}taget: skill:a\nexpected:\n  contians: [x]\n  "a b": 1\n  zzz: 2\n`,
    );
    expect(lines).toMatchInlineSnapshot(`
      [
        "warning a.yaml:8:3 unknown-key: expected.contians is not a known field (did you mean expected.contains?)",
        "warning a.yaml:9:3 unknown-key: expected["a b"] is not a known field",
        "warning a.yaml:10:3 unknown-key: expected.zzz is not a known field",
        "warning a.yaml:6:1 unknown-key: taget is not a known field (did you mean target?)",
      ]
    `);
    expect(value).toMatchObject({ name: 'a', expected: {} });
  });

  it('says nothing about keys of others', () => {
    const { value, lines } = decodeYaml('eval-case', `${CASE}x-vendor: 1\nexpected:\n  x-note: y\n`);
    expect(lines).toEqual([]);
    expect(value).toMatchObject({ name: 'a' });
  });

  it('finds what is wrong beside and below unknown keys', () => {
    const text =
      'name: a\ninptu: {}\ninput:\n  prompt: 1\n  fils: []\n  files: [1, two, [3]]\njudge:\n  criteria: ""\n';
    expect(decodeYaml('eval-case', text)).toMatchInlineSnapshot(`
      {
        "lines": [
          "warning a.yaml:5:3 unknown-key: input.fils is not a known field (did you mean input.files?)",
          "warning a.yaml:2:1 unknown-key: inptu is not a known field (did you mean input?)",
          "error a.yaml:4:11 wrong-type: input.prompt must be a string, not a number (1) (put it in quotes)",
          "error a.yaml:6:11 wrong-type: input.files[0] must be a string, not a number (1) (put it in quotes)",
          "error a.yaml:6:19 wrong-type: input.files[2] must be a string, not a list",
          "error a.yaml:8:13 wrong-value: judge.criteria must not be empty",
        ],
        "value": null,
      }
    `);
  });

  it('keeps what the parser found, and gives no value when that was an error', () => {
    const { value, lines } = decodeJson(
      'eval-config',
      '{"version": 1, "engine": "a", "engine": "codex", "foo": 1}',
    );
    expect(value).toBeNull();
    expect(lines).toMatchInlineSnapshot(`
      [
        "error a.json:1:31 duplicate-key: the key "engine" is there twice (remove one of them)",
        "warning a.json:1:50 unknown-key: foo is not a known field",
      ]
    `);
    expect(decodeJson('eval-config', '{').lines).toMatchInlineSnapshot(`
      [
        "error a.json:1:2 syntax: a closing } is expected here",
      ]
    `);
  });

  it('understands which alternative was meant', () => {
    const hooks = (entry: string) =>
      decodeJson('hooks', `{"version": 1, "hooks": {"stop": [{"hooks": [${entry}]}]}}`).lines;
    expect(hooks('{"type": "command"}')).toMatchInlineSnapshot(`
      [
        "error a.json:1:46 missing-key: hooks.stop[0].hooks[0].command is required",
      ]
    `);
    expect(hooks('{"type": "command", "command": "x", "prompt": "y"}')).toMatchInlineSnapshot(`
      [
        "warning a.json:1:82 unknown-key: hooks.stop[0].hooks[0].prompt is not a known field",
      ]
    `);
    expect(hooks('{"type": "prompt", "prompt": ""}')).toMatchInlineSnapshot(`
      [
        "error a.json:1:75 wrong-value: hooks.stop[0].hooks[0].prompt must not be empty",
      ]
    `);
    expect(hooks('{"type": "comand", "command": "x"}')).toMatchInlineSnapshot(`
      [
        "error a.json:1:55 wrong-value: hooks.stop[0].hooks[0].type must be command or prompt, not "comand"",
      ]
    `);
    expect(hooks('{"command": "x"}')).toMatchInlineSnapshot(`
      [
        "error a.json:1:46 missing-key: hooks.stop[0].hooks[0].type is required",
      ]
    `);
    expect(hooks('"x"')).toMatchInlineSnapshot(`
      [
        "error a.json:1:46 wrong-type: hooks.stop[0].hooks[0] must be a map of keys, not a string ("x")",
      ]
    `);
  });

  it('understands which kind of server was meant', () => {
    const server = (text: string) => decodeJson('mcp-servers', `{"servers": {"a": ${text}}}`).lines;
    expect(server('{"command": "x", "args": "y"}')).toMatchInlineSnapshot(`
      [
        "error a.json:1:44 wrong-type: servers.a.args must be a list, not a string ("y")",
      ]
    `);
    expect(server('{"url": 1}')).toMatchInlineSnapshot(`
      [
        "error a.json:1:27 wrong-type: servers.a.url must be a string, not a number (1) (put it in quotes)",
      ]
    `);
    expect(server('{"type": "http", "headers": {"a": 1}}')).toMatchInlineSnapshot(`
      [
        "error a.json:1:19 missing-key: servers.a.url is required",
        "error a.json:1:53 wrong-type: servers.a.headers.a must be a string, not a number (1) (put it in quotes)",
      ]
    `);
    expect(server('{}')).toMatchInlineSnapshot(`
      [
        "error a.json:1:19 missing-key: servers.a.command is required",
      ]
    `);
    expect(server('7')).toMatchInlineSnapshot(`
      [
        "error a.json:1:19 wrong-type: servers.a must be a map of keys, not a number (7)",
      ]
    `);
  });

  it('names the choices of a union of kinds', () => {
    const skill = (line: string) => decodeYaml('skill', `name: a\ndescription: b\n${line}\n`).lines;
    expect(skill('allowed-tools: 3')).toMatchInlineSnapshot(`
      [
        "error a.yaml:3:16 wrong-type: allowed-tools must be a string or a list, not a number (3)",
      ]
    `);
    expect(skill('allowed-tools: [Read, 3]')).toMatchInlineSnapshot(`
      [
        "error a.yaml:3:23 wrong-type: allowed-tools[1] must be a string, not a number (3) (put it in quotes)",
      ]
    `);
    expect(skill('compatibility: [x]')).toMatchInlineSnapshot(`
      [
        "error a.yaml:3:16 wrong-type: compatibility must be a string or a map of keys, not a list",
      ]
    `);
    expect(skill('compatibility: {requires: x, optinal: []}')).toMatchInlineSnapshot(`
      [
        "warning a.yaml:3:30 unknown-key: compatibility.optinal is not a known field (did you mean compatibility.optional?)",
        "error a.yaml:3:27 wrong-type: compatibility.requires must be a list, not a string ("x")",
      ]
    `);
    expect(skill('metadata: {a: [1]}')).toMatchInlineSnapshot(`
      [
        "error a.yaml:3:15 wrong-type: metadata.a must be a string, a number or true or false, not a list",
      ]
    `);
  });

  it('points at keys that are not allowed', () => {
    expect(
      decodeJson('manifest', '{"name": "a", "version": "1.0.0",\n "dependencies": {"A B": "1"}}').lines,
    ).toMatchInlineSnapshot(`
      [
        "error a.json:2:19 wrong-key: dependencies["A B"]: the key must be name or @scope/name in lower case (a-z, 0-9, hyphens), each part 64 at most",
      ]
    `);
    expect(
      decodeJson('test-config', '{"version": 1, "env": {"A B": "x", "C": 1}}').lines,
    ).toMatchInlineSnapshot(`
      [
        "error a.json:1:24 wrong-key: env["A B"]: the key must be a variable name: letters, digits and _",
        "error a.json:1:41 wrong-type: env.C must be a string, not a number (1) (put it in quotes)",
      ]
    `);
  });

  it('suggests the value that was meant, and names the choices', () => {
    const rule = (mode: string) =>
      decodeYaml('rule', `name: a\ndescription: b\napply:\n  mode: ${mode}\n`).lines;
    expect(rule('allways')).toMatchInlineSnapshot(`
      [
        "error a.yaml:4:9 wrong-value: apply.mode must be always, intelligent, files or manual, not "allways" (did you mean always?)",
      ]
    `);
    expect(rule('7')).toMatchInlineSnapshot(`
      [
        "error a.yaml:4:9 wrong-value: apply.mode must be always, intelligent, files or manual, not 7",
      ]
    `);
    expect(rule('files')).toMatchInlineSnapshot(`
      [
        "error a.yaml:4:3 wrong-value: apply with mode "files" must have globs",
      ]
    `);
  });

  it('counts characters as people do', () => {
    const skill = (length: number) =>
      decodeYaml('skill', `name: a\ndescription: ${'😀'.repeat(length)}\n`).lines;
    expect(skill(1024)).toEqual([]);
    expect(skill(1025)).toMatchInlineSnapshot(`
      [
        "error a.yaml:2:14 wrong-value: description must be 1024 characters at most, not 1025",
      ]
    `);
  });

  it('shows numbers that JSON cannot say', () => {
    expect(decodeYaml('test-config', 'version: 1\ntimeout: .nan\n').lines).toMatchInlineSnapshot(`
      [
        "error a.yaml:2:10 wrong-type: timeout must be a number, not NaN",
      ]
    `);
    expect(decodeYaml('test-config', 'version: 1\ntimeout: .inf\n').lines).toMatchInlineSnapshot(`
      [
        "error a.yaml:2:10 wrong-type: timeout must be a number, not Infinity",
      ]
    `);
    expect(decodeYaml('test-config', 'version: 2\ntimeout: 0\n').lines).toMatchInlineSnapshot(`
      [
        "error a.yaml:1:10 wrong-value: version must be 1, not 2",
        "error a.yaml:2:10 wrong-value: timeout must be more than 0 seconds, not 0",
      ]
    `);
    expect(decodeYaml('test-config', 'version: 1\ntimeout: 1000000\n').lines).toMatchInlineSnapshot(`
      [
        "error a.yaml:2:10 wrong-value: timeout must be 86400 seconds (a day) at most, not 1000000",
      ]
    `);
  });

  it('is not confused by keys that objects inherit', () => {
    const text =
      '{"version": 1, "engine": "codex", "__proto__": {"timeout": 1}, "constructor": 1, "toString": 2}';
    const { value, lines } = decodeJson('eval-config', text);
    expect(lines).toMatchInlineSnapshot(`
      [
        "warning a.json:1:35 unknown-key: __proto__ is not a known field",
        "warning a.json:1:64 unknown-key: constructor is not a known field",
        "warning a.json:1:82 unknown-key: toString is not a known field",
      ]
    `);
    expect(value).toMatchObject({ timeout: 120 });
  });

  it('shows the first hundred findings of a kind, and counts the others', () => {
    const strangers = Array.from({ length: 130 }, (_, i) => `"zzzzzz${i}": 0`).join(',');
    const wrong = Array.from({ length: 105 }, () => '0').join(',');
    const { lines } = decodeJson(
      'manifest',
      `{"name": "a", "version": "1.0.0", ${strangers}, "keywords": [${wrong}]}`,
    );
    expect(lines).toHaveLength(202);
    expect(lines.filter((it) => it.includes('too-many'))).toMatchInlineSnapshot(`
      [
        "warning a.json too-many: has 30 more warnings like these",
        "error a.json too-many: has 5 more errors like these",
      ]
    `);
  });

  it('works for schemas that are not strict, and for lists at the root', () => {
    const list = z.array(record({ 'a-b': z.number() }));
    const { located, diagnostics } = decode(list, parseJson('[{"a-b": 1}, {"a-b": 2, "c": 3}]', 'a.json'));
    expect(located?.value).toEqual([{ aB: 1 }, { aB: 2 }]);
    expect(diagnostics.map(findingLine)).toEqual([
      'warning a.json:1:25 unknown-key: [1].c is not a known field',
    ]);
    const document = jsonDocument({ a: z.looseObject({ b: z.number() }) });
    const loose = decode(document, parseJson('{"$schema": "x", "a": {"b": 1, "c": 2}}', 'a.json'));
    expect(loose).toMatchObject({ located: { value: { a: { b: 1, c: 2 } } }, diagnostics: [] });
  });
});
