/** One hook that keeps agents from writing to protected files, and its tests. */
import type { Draft } from './draft.ts';

export function hookFiles(): Draft[] {
  return [
    { path: 'hooks/hooks.json', content: HOOKS, schema: 'hooks' },
    { path: 'hooks/scripts/protect-files.mjs', content: SCRIPT, executable: true },
    { path: 'hooks/tests/test-config.json', content: { version: 1, timeout: 10 }, schema: 'test-config' },
    { path: 'hooks/tests/fixtures/write-notes.json', content: WRITE_NOTES },
    { path: 'hooks/tests/fixtures/write-secrets.json', content: WRITE_SECRETS },
    { path: 'hooks/tests/cases/01-blocks-secrets.yaml', content: BLOCKS_SECRETS, schema: 'hook-test-case' },
    { path: 'hooks/tests/cases/02-allows-notes.yaml', content: ALLOWS_NOTES, schema: 'hook-test-case' },
    {
      path: 'hooks/tests/cases/03-blocks-unreadable.yaml',
      content: BLOCKS_UNREADABLE,
      schema: 'hook-test-case',
    },
  ];
}

const HOOKS = {
  version: 1,
  description: 'Stops writes to .env files and /etc',
  hooks: {
    'pre-tool-use': [
      {
        matcher: '^(Write|Edit|MultiEdit|NotebookEdit|apply_patch)$',
        hooks: [
          // biome-ignore lint/suspicious/noTemplateCurlyInString: the agent fills it in
          { type: 'command', command: 'node "${PACKAGE_ROOT}/hooks/scripts/protect-files.mjs"', timeout: 10 },
        ],
      },
    ],
  },
};

const SCRIPT = String.raw`#!/usr/bin/env node
// Gets a tool call as JSON on stdin. Exit code 0 lets it happen; 2 stops it, and the agent is told why.
import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';

// What nobody but you should write. Add your own.
const PROTECTED = [
  {
    what: 'a file of secrets',
    covers: (path) => /^\.env(\..+)?$/i.test(basename(path)) && !/\.(example|sample|template)$/i.test(path),
  },
  {
    what: 'configuration of the system',
    covers: (path) => /^(\/private)?\/etc(\/|$)/i.test(path),
  },
];

let objection;
try {
  objection = objectionTo(JSON.parse(await text(process.stdin)));
} catch (error) {
  // Agents go ahead when a hook crashes, so a call that cannot be understood is stopped here.
  objection = 'the tool call could not be checked: ' + error.message;
}
if (objection) {
  console.error('Blocked: ' + objection);
  process.exitCode = 2;
}

function objectionTo(call) {
  const folder = typeof call?.cwd === 'string' ? call.cwd : process.cwd();
  for (const written of filesOf(call)) {
    const path = resolve(folder, written);
    const hit = PROTECTED.find(({ covers }) => covers(path) || covers(realPath(path)));
    if (hit) return written + ' is protected (' + hit.what + '). Ask the user to change it.';
  }
  return null;
}

// The files a call would write: one path, or the headers of a patch.
function filesOf(call) {
  const input = call?.toolInput ?? call?.tool_input;
  if (typeof input !== 'object' || input === null) throw new Error('it has no toolInput');
  const patch = [input.command, input.patch, input.input].find((it) => typeof it === 'string') ?? '';
  const headers = patch.matchAll(/^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)$/gm);
  const files = [input.file_path, input.notebook_path, input.path, ...Array.from(headers, ([, path]) => path.trim())]
    .filter((it) => typeof it === 'string' && it !== '');
  if (files.length === 0) throw new Error('it names no file');
  return files;
}

// Where a path leads once links are followed, also when the file is yet to be made.
function realPath(path) {
  try {
    return realpathSync(path);
  } catch {
    return path === dirname(path) ? path : join(realPath(dirname(path)), basename(path));
  }
}
`;

const WRITE_NOTES = {
  hookEventName: 'pre-tool-use',
  toolName: 'Write',
  toolInput: { file_path: 'docs/notes.md', content: '# Notes\n' },
};

const WRITE_SECRETS = {
  hookEventName: 'pre-tool-use',
  toolName: 'Write',
  toolInput: { file_path: 'config/.env.production', content: 'TOKEN=1\n' },
};

const BLOCKS_SECRETS = `name: blocks-secrets
description: A write to an .env file is stopped, and the agent is told why
event: pre-tool-use
input:
  fixture: fixtures/write-secrets.json
expected:
  exit-code: 2
  stderr-contains:
    - config/.env.production is protected
`;

const ALLOWS_NOTES = `name: allows-notes
description: A write to an ordinary file goes through in silence
event: pre-tool-use
input:
  fixture: fixtures/write-notes.json
expected:
  exit-code: 0
  not-contains:
    - Blocked
`;

const BLOCKS_UNREADABLE = `name: blocks-unreadable
description: A call that names no file cannot be checked, so it is stopped
event: pre-tool-use
input:
  fixture: fixtures/write-notes.json
  overrides:
    toolInput.file_path: null
expected:
  exit-code: 2
  stderr-contains:
    - could not be checked
`;
