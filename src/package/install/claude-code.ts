/** The layout of Claude Code: CLAUDE.md, .claude/ and .mcp.json. */
import { stringify } from 'yaml';
import { parseRef } from '../../model/names.ts';
import type { Agent, AgentPackage, Command } from '../../model/package.ts';
import { skillParts } from './contents.ts';
import { type HookTarget, hookParts } from './hooks.ts';
import { isPathName, json, lost, type Part, type Where, written } from './installation.ts';
import { type RemoteServer, type StartedServer, serversOf } from './mcp.ts';
import { globsOf, rulesFor, shelved } from './rules.ts';

export const CLAUDE_CODE_HOOKS: HookTarget = {
  engine: 'claude-code',
  product: 'Claude Code',
  file: '.claude/settings.json',
  missing: [],
  longest: {},
};

export function* claudeCodeParts(pkg: AgentPackage, where: Where): Iterable<Part> {
  yield* skillParts(pkg, '.claude/skills');
  for (const command of pkg.commands) yield* commandFile(command);
  for (const agent of pkg.agents) yield* agentFile(pkg, agent);
  yield* memory(pkg, where);
  yield* hookParts(pkg, CLAUDE_CODE_HOOKS, where);
  yield* servers(pkg, where);
}

/** AGENTS.md is loaded by itself only where there is no CLAUDE.md, so CLAUDE.md imports it. */
function* memory(pkg: AgentPackage, { instructions }: Where): Iterable<Part> {
  const sections: string[] = [];
  if (instructions?.trim()) {
    yield written('AGENTS.md', instructions);
    sections.push('@AGENTS.md');
  }
  for (const rule of rulesFor(pkg, 'claude')) {
    if (!('body' in rule)) {
      yield rule;
      continue;
    }
    const { mode } = rule.frontmatter.value.apply;
    if (mode === 'always') sections.push(rule.body.trim());
    else if (mode === 'files')
      yield written(`.claude/rules/${rule.name}.md`, markdown({ paths: globsOf(rule) }, rule.body));
    else yield* shelved(rule, sections);
  }
  if (sections.length > 0) yield written('CLAUDE.md', sections.join('\n\n'));
}

/** `{{name}}` becomes `$name`, an argument by position; a single variable takes all that is written. */
function* commandFile({ name, file, frontmatter, body }: Command): Iterable<Part> {
  if (!frontmatter || !isPathName(name)) {
    yield lost(file, 'its frontmatter cannot be read, so it is not installed');
    return;
  }
  const { description, argumentHint, allowedTools, model, variables = [] } = frontmatter.value;
  const names = variables.map((variable) => variable.name);
  const text = body.replace(/\{\{\s*([\w-]+)\s*\}\}(?=([\w-]?))/g, (placeholder, variable, next) => {
    const index = names.indexOf(variable);
    if (index < 0) return placeholder;
    if (names.length === 1) return '$ARGUMENTS';
    return next ? `$ARGUMENTS[${index}]` : `$${variable}`;
  });
  for (const variable of variables.filter((it) => it.default !== undefined))
    yield lost(file, `Claude Code has no defaults for arguments; ${variable.name} is empty unless given`);
  const head = {
    description,
    'argument-hint': argumentHint ?? (names.map((it) => `[${it}]`).join(' ') || undefined),
    'allowed-tools': allowedTools,
    model,
    arguments: names.length > 1 ? names : undefined,
  };
  yield written(`.claude/commands/${name}.md`, markdown(head, text));
}

function* agentFile(pkg: AgentPackage, { name, file, definition, prompt }: Agent): Iterable<Part> {
  if (!definition || prompt === null || !isPathName(name)) {
    yield lost(file, 'its definition or system prompt cannot be read, so it is not installed');
    return;
  }
  const { description, tools = [], skills = [], commands = [], model, parameters } = definition.value;
  const known = tools.filter((tool) => /^(?:[A-Z]|mcp__)/.test(tool));
  const unknown = tools.filter((tool) => !known.includes(tool));
  if (unknown.length > 0) {
    const effect = known.length > 0 ? 'it gets the others' : 'it gets all tools';
    yield lost(file, `no tools of Claude Code: ${unknown.join(', ')}; ${effect}`);
  }
  const own = skills.filter((skill) => isOwnSkill(pkg, skill));
  for (const skill of skills.filter((it) => !own.includes(it)))
    yield lost(file, `its skill ${skill} is not in this package`);
  if (commands.length > 0)
    yield lost(file, `sub-agents of Claude Code have no commands: ${commands.join(', ')}`);
  if (parameters) yield lost(file, `Claude Code has no parameters: ${Object.keys(parameters).join(', ')}`);
  const isClaude = model === undefined || /^(?:claude|sonnet|opus|haiku|inherit)/.test(model);
  if (!isClaude) yield lost(file, `${model} is not a model of Claude Code; it uses the session’s`);
  const head = {
    name,
    description,
    tools: known.length > 0 ? known.join(', ') : undefined,
    skills: own.length > 0 ? own.map((skill) => parseRef(skill)?.name) : undefined,
    model: isClaude ? model : undefined,
  };
  yield written(`.claude/agents/${name}.md`, markdown(head, prompt));
}

function isOwnSkill(pkg: AgentPackage, text: string): boolean {
  const ref = parseRef(text);
  if (!ref || (ref.package !== null && ref.package !== pkg.name)) return false;
  return pkg.skills.some(({ name }) => name === ref.name);
}

function* servers(pkg: AgentPackage, where: Where): Iterable<Part> {
  const mcpServers: Record<string, object> = {};
  for (const part of serversOf(pkg, where)) {
    if (!('server' in part)) yield part;
    else mcpServers[part.name] = 'command' in part.server ? started(part.server) : remote(part.server);
  }
  if (Object.keys(mcpServers).length > 0) yield json('.mcp.json', { mcpServers });
}

/** There is no setting for the working folder, so a shell goes there first. */
function started({ command, args = [], env, cwd }: StartedServer): object {
  const rest = env ? { env } : {};
  if (cwd === undefined) return { type: 'stdio', command, args, ...rest };
  const inFolder = ['-c', 'cd "$1" && shift && exec "$@"', 'sh', cwd, command, ...args];
  return { type: 'stdio', command: '/bin/sh', args: inFolder, ...rest };
}

function remote({ type = 'http', url, headers }: RemoteServer): object {
  return { type, url, ...(headers && { headers }) };
}

function markdown(head: Record<string, unknown>, body: string): string {
  return `---\n${stringify(head, { lineWidth: 0 })}---\n\n${body.trim()}\n`;
}
