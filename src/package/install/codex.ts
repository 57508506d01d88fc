/** The layout of Codex: AGENTS.md, .agents/ and .codex/. */
import type { Agent, AgentPackage, Command, Skill } from '../../model/package.ts';
import { skillParts } from './contents.ts';
import { type HookTarget, hookParts } from './hooks.ts';
import { isPathName, lost, type Part, type Where, written } from './installation.ts';
import { type RemoteServer, type StartedServer, serversOf } from './mcp.ts';
import { instructionParts } from './rules.ts';
import { tomlTable } from './toml.ts';

const SKILLS = '.agents/skills';
export const CODEX_HOOKS: HookTarget = {
  engine: 'codex',
  product: 'Codex',
  file: '.codex/hooks.json',
  missing: ['notification'],
  // Codex waits 3 s; the shim needs a little of it.
  longest: { 'session-end': 2 },
};
/** Keeps a skill out of the list the model sees; people still start it by its name. */
const ONLY_BY_NAME = 'policy:\n  allow_implicit_invocation: false\n';

export function* codexParts(pkg: AgentPackage, where: Where): Iterable<Part> {
  yield* skillParts(pkg, SKILLS);
  for (const skill of pkg.skills) yield* skillSettings(pkg, skill);
  for (const command of pkg.commands) yield* commandSkill(command);
  for (const agent of pkg.agents) yield* agentFile(agent);
  yield* instructionParts(pkg, 'codex', where.instructions);
  yield* hookParts(pkg, CODEX_HOOKS, where);
  yield* servers(pkg, where);
}

function* skillSettings(pkg: AgentPackage, { name, dir, file, frontmatter }: Skill): Iterable<Part> {
  if (!frontmatter || !isPathName(name)) return;
  const { context, agent, model, disableModelInvocation } = frontmatter.value;
  for (const [key, value] of Object.entries({ context, agent, model }))
    if (value !== undefined) yield lost(file, `Codex does not know ${key}: ${value}`);
  const own = dir ? `${dir}/agents/openai.yaml` : 'agents/openai.yaml';
  if (disableModelInvocation && !pkg.files.has(own))
    yield written(`${SKILLS}/${name}/agents/openai.yaml`, ONLY_BY_NAME);
}

function* commandSkill({ name, file, frontmatter, body }: Command): Iterable<Part> {
  if (!frontmatter || !isPathName(name)) {
    yield lost(file, 'its frontmatter cannot be read, so it is not installed');
    return;
  }
  const { description = `The command ${name}`, variables = [] } = frontmatter.value;
  const about = variables.map((it) => {
    const otherwise = it.default === undefined ? '' : ` (${it.default} unless given)`;
    return `- {{${it.name}}}${otherwise}${it.description ? `: ${it.description}` : ''}`;
  });
  const values = about.length > 0 ? `\n\nTake these from what the user wrote:\n\n${about.join('\n')}` : '';
  const head = `---\nname: cmd-${name}\ndescription: ${JSON.stringify(description)}\n---`;
  yield written(`${SKILLS}/cmd-${name}/SKILL.md`, `${head}\n\n${body.trim()}${values}\n`);
  yield written(`${SKILLS}/cmd-${name}/agents/openai.yaml`, ONLY_BY_NAME);
  yield lost(file, `Codex has no commands; it is the skill cmd-${name}, started by $cmd-${name} in a prompt`);
}

function* agentFile({ name, file, definition, prompt }: Agent): Iterable<Part> {
  if (!definition || !prompt?.trim() || !isPathName(name)) {
    yield lost(file, 'its definition or system prompt cannot be read, so it is not installed');
    return;
  }
  const { description, model, tools, skills, commands, parameters } = definition.value;
  for (const [key, value] of Object.entries({ tools, skills, commands, parameters }))
    if (value && Object.keys(value).length > 0)
      yield lost(file, `sub-agents of Codex have no ${key} of their own; they use those of the session`);
  const foreign = model !== undefined && /^(?:claude|sonnet|opus|haiku|inherit)/.test(model);
  if (foreign) yield lost(file, `${model} is not a model of Codex; it uses the session’s`);
  const table = {
    name,
    description,
    developer_instructions: prompt.trim(),
    ...(model !== undefined && !foreign && { model }),
  };
  yield written(`.codex/agents/${name}.toml`, tomlTable(table));
}

function* servers(pkg: AgentPackage, where: Where): Iterable<Part> {
  const tables: string[] = [];
  for (const part of serversOf(pkg, where)) {
    if (!('server' in part)) {
      yield part;
      continue;
    }
    const { name, file, server } = part;
    if (!('command' in server) && server.type === 'sse') {
      yield lost(file, `Codex does not speak sse, so the server ${name} is left out`);
      continue;
    }
    const { table, dropped } = 'command' in server ? started(server) : remote(server);
    for (const value of dropped)
      yield lost(file, `Codex does not fill in ${value}; the server ${name} gets it as it is written`);
    tables.push(`[mcp_servers.${name}]\n${tomlTable(table)}`);
  }
  if (tables.length > 0) yield written('.codex/config.toml', tables.join('\n'));
}

/** Variables of the session reach a server only by name, so `X: "${X}"` becomes that name. */
function started({ command, args = [], env = {}, cwd }: StartedServer) {
  const passed = Object.keys(env).filter((name) => env[name] === `\${${name}}`);
  const fixed = Object.fromEntries(Object.entries(env).filter(([name]) => !passed.includes(name)));
  const table = {
    command,
    args,
    ...(Object.keys(fixed).length > 0 && { env: fixed }),
    ...(passed.length > 0 && { env_vars: passed }),
    ...(cwd !== undefined && { cwd }),
  };
  return { table, dropped: variablesIn([command, args, fixed, cwd]) };
}

function remote({ url, headers }: RemoteServer) {
  return {
    table: { url, ...(headers && { http_headers: headers }) },
    dropped: variablesIn([url, headers]),
  };
}

function variablesIn(values: unknown): string[] {
  return [...new Set(JSON.stringify(values).match(/\$\{\w+\}/g))];
}
