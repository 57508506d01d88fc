import { chmod, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CLEAN, type Files, findings, findingsOf, writePackage } from '../helpers/package.ts';

const SCRIPTS: Files = {
  'hooks/scripts/guard.sh!': '#!/bin/sh\n',
  'hooks/scripts/plain.sh': '#!/bin/sh\n',
  'hooks/check.py': '',
  'check.js': '',
};

function withHooks(hooks: unknown, files: Files = {}): Promise<string[]> {
  return findingsOf({ ...CLEAN, ...SCRIPTS, 'hooks/hooks.json': { version: 1, hooks }, ...files });
}

/** What is found about one command, without the place, which is always the command. */
async function aboutCommand(command: string): Promise<string[]> {
  const found = await withHooks({ stop: [{ hooks: [{ type: 'command', command }] }] });
  return found.map((line) => line.replace('error hooks/hooks.json:9:24 ', ''));
}

describe('hooks.json', () => {
  it('has a version and hooks', async () => {
    expect(await findingsOf({ ...CLEAN, 'hooks/hooks.json': {} })).toMatchInlineSnapshot(`
      [
        "error hooks/hooks.json:1:1 missing-key: version is required (it must be 1)",
        "error hooks/hooks.json:1:1 missing-key: hooks is required",
      ]
    `);
    expect(
      await findingsOf({ ...CLEAN, 'hooks/hooks.json': { version: 2, hooks: [], extra: 1 } }),
    ).toMatchInlineSnapshot(`
      [
        "error hooks/hooks.json:2:14 wrong-value: version must be 1, not 2",
        "error hooks/hooks.json:3:12 wrong-type: hooks must be a map of keys, not a list",
        "warning hooks/hooks.json:4:3 unknown-key: extra is not a known field",
      ]
    `);
    expect(
      await findingsOf({ ...CLEAN, 'hooks/hooks.json': { version: 1, description: 'x', hooks: {} } }),
    ).toEqual([]);
  });

  it('has groups of hooks of the right kind', async () => {
    expect(
      await withHooks({
        stop: [
          { matcher: 3, hooks: [] },
          { mathcer: 'x', hooks: [{ type: 'command', command: 'true', timeout: 0 }] },
          {
            hooks: [
              { type: 'command', command: '', timeout: 301 },
              { type: 'prompt' },
              { type: 'http', url: 'x' },
              { command: 'true' },
            ],
          },
          { hooks: [{ type: 'command', command: 'a\0b' }] },
        ],
        'pre-prompt': {},
      }),
    ).toMatchInlineSnapshot(`
      [
        "error hooks/hooks.json:6:20 wrong-type: hooks.stop[0].matcher must be a string, not a number (3) (put it in quotes)",
        "error hooks/hooks.json:7:18 wrong-value: hooks.stop[0].hooks must have at least one hook",
        "warning hooks/hooks.json:10:9 unknown-key: hooks.stop[1].mathcer is not a known field (did you mean hooks.stop[1].matcher?)",
        "error hooks/hooks.json:15:24 wrong-value: hooks.stop[1].hooks[0].timeout must be 1 to 300 seconds, not 0",
        "error hooks/hooks.json:23:24 wrong-value: hooks.stop[2].hooks[0].command must not be empty",
        "error hooks/hooks.json:24:24 wrong-value: hooks.stop[2].hooks[0].timeout must be 1 to 300 seconds, not 301",
        "error hooks/hooks.json:26:11 missing-key: hooks.stop[2].hooks[1].prompt is required",
        "error hooks/hooks.json:30:21 wrong-value: hooks.stop[2].hooks[2].type must be command or prompt, not "http"",
        "error hooks/hooks.json:33:11 missing-key: hooks.stop[2].hooks[3].type is required",
        "error hooks/hooks.json:42:24 wrong-value: hooks.stop[3].hooks[0].command must not contain a NUL character",
        "error hooks/hooks.json:47:19 wrong-type: hooks.pre-prompt must be a list, not a map of keys",
      ]
    `);
  });

  it('may have events that are not known, which are pointed out at the key', async () => {
    expect(
      await withHooks({ 'pre-tool-us': [], PreToolUse: [], constructor: [], 'a\nb': [] }),
    ).toMatchInlineSnapshot(`
      [
        "warning hooks/hooks.json:4:5 unknown-event: "pre-tool-us" is not a known event (did you mean pre-tool-use?)",
        "warning hooks/hooks.json:5:5 unknown-event: "PreToolUse" is not a known event (did you mean pre-tool-use?)",
        "warning hooks/hooks.json:6:5 unknown-event: "constructor" is not a known event (known: pre-tool-use, permission-request, post-tool-use, pre-prompt, session-start, session-end, stop, sub-agent-end, pre-compact, notification)",
        "warning hooks/hooks.json:7:5 unknown-event: "a\\nb" is not a known event (known: pre-tool-use, permission-request, post-tool-use, pre-prompt, session-start, session-end, stop, sub-agent-end, pre-compact, notification)",
      ]
    `);
    expect(
      await withHooks({
        'pre-tool-use': [],
        'permission-request': [],
        'post-tool-use': [],
        'pre-prompt': [],
        'session-start': [],
        'session-end': [],
        stop: [],
        'sub-agent-end': [],
        'pre-compact': [],
        notification: [],
      }),
    ).toEqual([]);
  });

  it('has matchers that compile', async () => {
    const matcher = (text: string) =>
      withHooks({ stop: [{ matcher: text, hooks: [{ type: 'command', command: 'true' }] }] });
    expect(await matcher('Write|(Edit')).toMatchInlineSnapshot(`
      [
        "error hooks/hooks.json:6:20 bad-regex: the matcher does not compile: /Write|(Edit/: Unterminated group",
      ]
    `);
    expect(await matcher(`(${'x'.repeat(500)}`)).toMatchInlineSnapshot(`
      [
        "error hooks/hooks.json:6:20 bad-regex: the matcher does not compile: Unterminated group",
      ]
    `);
    for (const fine of ['*', '', 'Write|Edit', 'mcp__.*', '^Bash$']) expect(await matcher(fine)).toEqual([]);
  });
});

describe('the script that a hook starts', () => {
  it.each(
    [
      'hooks/scripts/guard.sh',
      './hooks/scripts/guard.sh --fast',
      '"hooks/scripts/guard.sh"',
      '$' + '{PACKAGE_ROOT}/hooks/scripts/guard.sh',
      '"$' + '{PACKAGE_ROOT}"/hooks/scripts/guard.sh',
      '$PACKAGE_ROOT/hooks/scripts/guard.sh',
      'sh hooks/scripts/plain.sh',
      'bash -eu ./hooks/scripts/plain.sh',
      '/bin/bash hooks/scripts/plain.sh',
      '/usr/bin/env bash hooks/scripts/plain.sh',
      'env A=1 B="2 3" hooks/scripts/guard.sh',
      'A="x y" exec hooks/scripts/guard.sh',
      'python3 hooks/check.py',
      'python3.12 -u hooks/check.py',
      'node check.js',
      '. hooks/scripts/plain.sh',
      'bun run check.js',
      'hooks/scripts/guard.sh < /dev/null > out/log.txt 2>&1',
      'hooks/scripts/guard.sh>log;true',
      'cat hooks/none.txt | hooks/scripts/guard.sh && echo done/ok || true',
      'jq -r .x',
      '/usr/bin/true',
      '~/bin/mine',
      '$HOME/bin/mine',
      '$' + '{CLAUDE_PLUGIN_ROOT}/x.sh',
      'hooks/scripts/*.sh',
      'bash -c "cd /tmp/x && ./y"',
      'sh -lc "hooks/none.sh"',
      'node -e "require(\'./none/x\')"',
      'python3 -m http.server/x',
      'perl -ne "s/a/b/"',
      'cd "$' + '{PACKAGE_ROOT}/hooks" && ./scripts/anything.sh',
      'echo "not a/script"',
      'node --version',
      'bash',
      '# nothing',
      '',
    ].filter((it) => it !== ''),
  )('is right in %s', async (command) => {
    expect(await aboutCommand(command)).toEqual([]);
  });

  it.each([
    [
      'hooks/scripts/gaurd.sh',
      'missing-file: hooks/scripts/gaurd.sh does not exist (did you mean hooks/scripts/guard.sh?)',
    ],
    [
      '$' + '{PACKAGE_ROOT}/none.sh',
      'missing-file: none.sh does not exist (there is: hooks/check.py, hooks/scripts/guard.sh, hooks/scripts/plain.sh)',
    ],
    ['bash hooks/none.sh', 'missing-file: hooks/none.sh does not exist'],
    [
      '/usr/bin/env python3 hooks/chek.py',
      'missing-file: hooks/chek.py does not exist (did you mean hooks/check.py?)',
    ],
    ['node chekc.js', 'missing-file: chekc.js does not exist'],
    ['true && ./hooks/none.sh', 'missing-file: hooks/none.sh does not exist'],
    ['(hooks/none.sh)', 'missing-file: hooks/none.sh does not exist'],
    ['>log hooks/none.sh', 'missing-file: hooks/none.sh does not exist'],
    ['cd /tmp && $' + '{PACKAGE_ROOT}/hooks/none.sh', 'missing-file: hooks/none.sh does not exist'],
    [
      'hooks/scripts/plain.sh',
      'not-executable: hooks/scripts/plain.sh is not executable (chmod +x hooks/scripts/plain.sh)',
    ],
    ['hooks/scripts', 'not-a-file: hooks/scripts is a folder, not a file'],
    [
      '../x.sh',
      'path-outside: the path "../x.sh" leads outside with ".." (only files of the package are there when it is installed)',
    ],
    [
      '$' + '{PACKAGE_ROOT}/../x.sh',
      'path-outside: the path "$' +
        '{PACKAGE_ROOT}/../x.sh" leads outside with ".." (only files of the package are there when it is installed)',
    ],
    [
      'sh hooks\\scripts/x.sh',
      'path-outside: the path "hooks\\\\scripts/x.sh" has a backslash: use forward slashes (only files of the package are there when it is installed)',
    ],
  ])('is wrong in %s', async (command, expected) => {
    const [found, ...others] = await aboutCommand(command);
    expect(found?.slice(0, expected.length)).toBe(expected);
    expect(others).toEqual([]);
  });

  it('is looked for in every command of a line, and every hook of a group', async () => {
    const command = 'hooks/a.sh; hooks/b.sh | hooks/c.sh';
    expect(
      await withHooks({
        stop: [
          {
            hooks: [
              { type: 'prompt', prompt: 'x' },
              { type: 'command', command },
            ],
          },
          { hooks: [{ type: 'command', command: 'hooks/d.sh' }] },
        ],
      }),
    ).toMatchInlineSnapshot(`
      [
        "error hooks/hooks.json:13:24 missing-file: hooks/a.sh does not exist (there is: hooks/check.py, hooks/scripts/guard.sh, hooks/scripts/plain.sh)",
        "error hooks/hooks.json:13:24 missing-file: hooks/b.sh does not exist (there is: hooks/check.py, hooks/scripts/guard.sh, hooks/scripts/plain.sh)",
        "error hooks/hooks.json:13:24 missing-file: hooks/c.sh does not exist (there is: hooks/check.py, hooks/scripts/guard.sh, hooks/scripts/plain.sh)",
        "error hooks/hooks.json:21:24 missing-file: hooks/d.sh does not exist (there is: hooks/check.py, hooks/scripts/guard.sh, hooks/scripts/plain.sh)",
      ]
    `);
  });

  it('may be made executable, and may not be a link that leads out or nowhere', async () => {
    const hooks = {
      version: 1,
      hooks: { stop: [{ hooks: [{ type: 'command', command: 'hooks/run.sh' }] }] },
    };
    await using pkg = await writePackage({ ...CLEAN, 'hooks/hooks.json': hooks, 'hooks/run.sh': '' });
    expect(await findings(pkg.root)).toMatchInlineSnapshot(`
      [
        "error hooks/hooks.json:9:24 not-executable: hooks/run.sh is not executable (chmod +x hooks/run.sh)",
      ]
    `);
    await chmod(join(pkg.root, 'hooks/run.sh'), 0o755);
    expect(await findings(pkg.root)).toEqual([]);

    await using linked = await writePackage({ ...CLEAN, 'hooks/hooks.json': hooks });
    await symlink('/bin/sh', join(linked.root, 'hooks/run.sh'));
    expect(await findings(linked.root)).toMatchInlineSnapshot(`
      [
        "error hooks/run.sh link-outside: is a link that leads out of the package, to /bin/sh (copy the file into the package)",
      ]
    `);
    await using broken = await writePackage({ ...CLEAN, 'hooks/hooks.json': hooks });
    await symlink('none.sh', join(broken.root, 'hooks/run.sh'));
    expect(await findings(broken.root)).toMatchInlineSnapshot(`
      [
        "error hooks/hooks.json:9:24 missing-file: hooks/run.sh does not exist (the package has no hook scripts)",
        "error hooks/run.sh broken-link: is a link to none.sh, which leads to nothing (remove it)",
      ]
    `);
  });
});
