/** When and where something was measured, and with what. */
import { readFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';
import process from 'node:process';

export function machine() {
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: {
      cores: cpus().length,
      processor: cpus()[0]?.model.trim() ?? 'unknown',
      memoryGb: Math.round(totalmem() / 1024 ** 3),
      system: `${type()} ${release().replace(/^(\d+\.\d+).*/, '$1')}`,
    },
    versions: {
      node: process.version.slice(1),
      aam: versionOf('../package.json'),
      'claude-code': versionOf('../node_modules/@anthropic-ai/claude-code/package.json'),
      codex: versionOf('../node_modules/@openai/codex/package.json'),
    },
  };
}

function versionOf(path) {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')).version;
}
