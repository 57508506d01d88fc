#!/usr/bin/env node
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
