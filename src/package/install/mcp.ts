/** MCP servers as Claude Code and Codex want them told. */
import type { McpServers } from '../../model/hooks.ts';
import type { AgentPackage } from '../../model/package.ts';
import { lost, type Part, type Where } from './installation.ts';

type Server = McpServers['servers'][string];
export type StartedServer = Extract<Server, { command: string }>;
export type RemoteServer = Exclude<Server, StartedServer>;

/** The servers with PACKAGE_ROOT filled in, or why one cannot be had. */
export function* serversOf(
  { mcp }: AgentPackage,
  { packageRoot }: Where,
): Iterable<Part | { readonly name: string; readonly file: string; readonly server: Server }> {
  if (!mcp) return;
  const { file, value } = mcp;
  for (const [name, raw] of Object.entries(value.servers)) {
    const server = filledIn(raw, packageRoot);
    const asked = [...JSON.stringify(server).matchAll(/\$\{input:([^}]*)\}/g)].map(([, id]) => id);
    if (asked.length > 0)
      yield lost(
        file,
        `the server ${name} asks people for ${asked.join(', ')}, which a trial cannot; it is left out`,
      );
    else if ('command' in server && !['stdio', undefined].includes(server.type))
      yield lost(file, `the server ${name} is started, yet speaks ${server.type}; it is left out`);
    else {
      if ('command' in server && server.envFile !== undefined)
        yield lost(file, `the envFile of the server ${name} is not read`);
      yield { name, file, server };
    }
  }
}

function filledIn<Value>(value: Value, packageRoot: string): Value {
  if (typeof value === 'string') return value.replaceAll('$' + '{PACKAGE_ROOT}', packageRoot) as Value;
  if (Array.isArray(value)) return value.map((item) => filledIn(item, packageRoot)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, filledIn(item, packageRoot)]),
  ) as Value;
}
