import { describe, expect, it } from 'vitest';
import { readPackage } from '../../src/load/formats/uaaps/package.ts';
import { checkPackage } from '../../src/package/rules.ts';
import { findingsOf, writePackage } from '../helpers/package.ts';

const MESS = {
  'package.agent.json':
    '{\n  "name": "Mess",\n  "version": "1.0.0",\n  "descripton": "x",\n  "x-acme": 1,\n  "skills": "../skills"\n}\n',
  'package.agent.lock': '{"lockVersion": 2, "resolved": {"a": {"version": "1"}}}',
  'skills/one/SKILL.md': '---\nname: One\n---\nSee [x](y.md).\n',
  'skills/two/SKILL.md': 'No frontmatter.\n',
  'skills/two/tests/cases/a.yaml': 'name: a\ninput: {command: x, files: [gone.txt]}\n',
  'skills/two/tests/cases/b.yaml': 'name: b\n\tinput: {}\n',
  'commands/run.md': '---\nname: run\n---\n{{what}}\n',
  'agents/helper/agent.yaml': 'name: helper\ndescription: x\nsystem_prompt: gone.md\nskills: [three]\n',
  'rules/style/RULE.md': '---\nname: style\ndescription: x\napply: {mode: never}\n---\n',
  'hooks/hooks.json':
    '{"version": 1, "hooks": {"stop": [{"matcher": "(", "hooks": [{"type": "command", "command": "hooks/gone.sh"}]}]}}',
  'hooks/tests/cases/a.yaml': 'name: a\nevent: sotp\nexpected: {}\n',
  'mcp/servers.json': '{"servers": {"a": {"command": "./gone"}}}',
  'evals/eval-config.json': '{"version": 1, "engine": "copilot"}',
  'evals/cases/a.yaml':
    'name: a\ntarget: skill:three\ninput: {prompt: Hi, files: [gone.txt]}\nexpected: {contians: []}\njudge: {criteria: x}\n',
  'evals/cases/b.yaml': '',
};

describe('a package with mistakes everywhere', () => {
  it('is told all of them in one run, in the order of the files and lines', async () => {
    expect(await findingsOf(MESS)).toMatchInlineSnapshot(`
      [
        "error agents/helper/agent.yaml:3:16 missing-file: the system prompt agents/helper/gone.md does not exist (write it, or correct the path: it is relative to the folder of this file)",
        "error agents/helper/agent.yaml:4:10 unknown-skill: there is no skill three in this package (there is: one, two)",
        "warning commands/run.md:4:1 unknown-variable: {{what}} is not declared in variables (add  variables: [{ name: what }])",
        "error evals/cases/a.yaml:2:9 unknown-target: there is no skill three in this package (there is: one, two)",
        "error evals/cases/a.yaml:3:29 missing-file: evals/gone.txt does not exist (the package has no fixtures)",
        "warning evals/cases/a.yaml:4:12 unknown-key: expected.contians is not a known field (did you mean expected.contains?)",
        "error evals/cases/b.yaml:1:1 wrong-type: the document is empty",
        "error evals/eval-config.json:1:26 unsupported-engine: copilot has no headless mode that aam can run (use one of claude-code, codex, command, completion)",
        "error hooks/hooks.json:1:47 bad-regex: the matcher does not compile: /(/: Unterminated group",
        "error hooks/hooks.json:1:93 missing-file: hooks/gone.sh does not exist (the package has no hook scripts)",
        "error hooks/tests/cases/a.yaml:2:8 unknown-event: hooks/hooks.json has no hook for sotp (did you mean stop?)",
        "error hooks/tests/cases/a.yaml:3:11 nothing-expected: the case checks nothing (add an exit-code, stderr-contains, stdout-json or not-contains)",
        "error mcp/servers.json:1:31 missing-file: gone does not exist (the package has no MCP servers)",
        "error package.agent.json:2:11 wrong-value: name must be name or @scope/name in lower case (a-z, 0-9, hyphens), each part 64 at most, not "Mess"",
        "warning package.agent.json:4:3 unknown-key: descripton is not a known field (did you mean description?)",
        "error package.agent.json:5:13 vendor-key: x-acme must be a map of keys",
        "error package.agent.json:6:13 path-outside: the path "../skills" leads outside with ".." (paths are relative and stay inside the package)",
        "error package.agent.lock:1:38 missing-key: resolved.a.integrity is required",
        "error package.agent.lock:1:38 missing-key: resolved.a.source is required",
        "error package.agent.lock:1:50 wrong-value: resolved.a.version must be a SemVer version such as 1.0.0, not "1"",
        "error rules/style/RULE.md:4:15 wrong-value: apply.mode must be always, intelligent, files or manual, not "never"",
        "error skills/one/SKILL.md:2:1 missing-key: description is required",
        "error skills/one/SKILL.md:2:7 wrong-value: name must hold only a-z, 0-9 and hyphens, 1 to 64 of them, not "One"",
        "error skills/two/SKILL.md:1:1 frontmatter: has no frontmatter (begin the file with a line ---, then lines of key: value, then a line ---)",
        "error skills/two/tests/cases/a.yaml:2:29 missing-file: skills/two/gone.txt does not exist (there is: SKILL.md)",
        "error skills/two/tests/cases/b.yaml:2:1 syntax: tabs must not be used for indentation (use spaces)",
      ]
    `);
  });

  it('is told the same every time, each with its severity and rule', async () => {
    await using written = await writePackage(MESS);
    const first = checkPackage(await readPackage(written.root));
    expect(checkPackage(await readPackage(written.root))).toEqual(first);
    for (const { rule, severity, message } of first) {
      expect(rule).toMatch(/^[a-z-]+$/);
      expect(['error', 'warning']).toContain(severity);
      expect(message).not.toMatch(/undefined|\[object/);
    }
  });
});
