#!/usr/bin/env node
import process from 'node:process';
// Gets a tool call as JSON on stdin, and stops it when it names the ledger.
import { text } from 'node:stream/consumers';

const { toolInput } = JSON.parse(await text(process.stdin));
const named = [toolInput.file_path, toolInput.command].join('\n');

if (/\bledger\//.test(named)) {
  console.error('Blocked: the ledger is closed');
  process.exitCode = 1;
}
