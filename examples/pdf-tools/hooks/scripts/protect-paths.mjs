#!/usr/bin/env node
// Gets a tool call as JSON on stdin. Exit code 0 lets it happen; 2 stops it, and the agent is told why.
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { protection } from './protection.mjs';
import { writtenFiles } from './written-files.mjs';

const LIST = new URL('../protected-paths.json', import.meta.url);

let objection;
try {
  objection = objectionTo(JSON.parse(await text(process.stdin)));
} catch (error) {
  // Agents go ahead when a hook crashes, so a call that cannot be checked is stopped here.
  objection = `the call could not be checked: ${error.message}`;
}
if (objection) {
  console.error(`Blocked: ${objection}`);
  process.exitCode = 2;
}

function objectionTo(call) {
  const rules = JSON.parse(readFileSync(LIST, 'utf8'));
  const root = typeof call.cwd === 'string' ? call.cwd : process.cwd();
  for (const { file, folder } of writtenFiles(call, root)) {
    const rule = protection(file, folder, rules);
    if (rule) return `${file} is protected (${rule.why}). Ask the user to change it.`;
  }
  return null;
}
