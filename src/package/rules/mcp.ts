/** MCP servers: the files they start are there, and the inputs they ask for are declared. */
import type { Diagnostic, Located, Path } from '../../model/diagnostic.ts';
import type { McpServers } from '../../model/hooks.ts';
import type { AgentPackage, Inventory } from '../../model/package.ts';
import { packageFile } from './package-file.ts';
import { error, openWord, suggest } from './report.ts';

const TYPES = ['stdio', 'http', 'sse'];
const FILES = { noun: 'MCP servers', folder: 'mcp/' };

export function* mcpRules({ mcp, files }: AgentPackage): Iterable<Diagnostic> {
  if (!mcp) return;
  for (const [name, server] of Object.entries(mcp.value.servers)) {
    const at: Path = ['servers', name];
    if (server.type !== undefined) yield* openWord(mcp, [...at, 'type'], server.type, TYPES);
    if (!('command' in server)) continue;
    const { command, args = [], cwd, envFile } = server;
    if (command.includes('/')) {
      yield* packageFile(mcp, [...at, 'command'], command, files, { ...FILES, mustRun: true });
    }
    const named = [
      ...args.map((path, index) => ({ path, at: [...at, 'args', index] })),
      ...(cwd === undefined ? [] : [{ path: cwd, at: [...at, 'cwd'] }]),
      ...(envFile === undefined ? [] : [{ path: envFile, at: [...at, 'envFile'] }]),
    ];
    for (const it of named) yield* rooted(mcp, it.at, it.path, files);
  }
  yield* inputs(mcp);
}

/** Only what begins with the package's root is sure to be meant as a file of the package. */
function* rooted(mcp: Located<McpServers>, at: Path, word: string, files: Inventory): Iterable<Diagnostic> {
  const [, path] = /^\$\{PACKAGE_ROOT\}\/(.+)$/.exec(word) ?? [];
  if (path === undefined || files.get(path.replace(/\/$/, ''))?.kind === 'dir') return;
  yield* packageFile(mcp, at, word, files, { ...FILES, mustRun: false });
}

function* inputs(mcp: Located<McpServers>): Iterable<Diagnostic> {
  const { servers, inputs = [] } = mcp.value;
  for (const [index, { type }] of inputs.entries()) {
    yield* openWord(mcp, ['inputs', index, 'type'], type, ['promptString']);
  }
  const declared = inputs.map(({ id }) => id);
  for (const [name, server] of Object.entries(servers)) {
    const values = Object.entries('command' in server ? (server.env ?? {}) : (server.headers ?? {}));
    for (const [key, value] of values) {
      const at = ['servers', name, 'command' in server ? 'env' : 'headers', key];
      for (const [, id = ''] of value.matchAll(/\$\{input:([^{}]*)\}/g)) {
        if (declared.includes(id)) continue;
        const message = `there is no input ${JSON.stringify(id)}`;
        yield error(mcp, at, 'unknown-input', message, suggest(id, declared, 'inputs'));
      }
    }
  }
}
