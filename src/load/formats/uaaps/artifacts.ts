/** Skills, commands, sub-agents and rules. */
import {
  agentDefinition,
  commandFrontmatter,
  legacyAgentFrontmatter,
  legacyRuleFrontmatter,
  type RuleFrontmatter,
  ruleFrontmatter,
  skillFrontmatter,
  systemPromptFrontmatter,
} from '../../../model/artifacts.ts';
import type { Located } from '../../../model/diagnostic.ts';
import type { Agent, Command, Rule, Skill } from '../../../model/package.ts';
import type { MarkdownSource } from '../../frontmatter.ts';
import type { PackageReader } from './reader.ts';

/** A skill's folder. `''` is the package root itself. */
export async function readSkill(reader: PackageReader, dir: string, fallbackName?: string): Promise<Skill> {
  const file = dir ? `${dir}/SKILL.md` : 'SKILL.md';
  const source = await reader.markdown(file);
  const frontmatter = source && reader.decoded(skillFrontmatter, source);
  const name = frontmatter?.value.name ?? fallbackName ?? lastPart(dir);
  return { name, dir, file, frontmatter, body: source?.body ?? '', bodyLine: source?.bodyLine ?? 1 };
}

export async function readCommand(reader: PackageReader, file: string): Promise<Command> {
  const source = await reader.markdown(file);
  const frontmatter = source && reader.decoded(commandFrontmatter, source);
  const name = frontmatter?.value.name ?? stem(file);
  return { name, file, frontmatter, body: source?.body ?? '', bodyLine: source?.bodyLine ?? 1 };
}

/** `agents/<name>/agent.yaml` with its prompt beside it, or the older single `agents/<name>.md`. */
export async function readAgent(reader: PackageReader, file: string): Promise<Agent> {
  if (file.endsWith('.md')) return readLegacyAgent(reader, file);
  const definition = await reader.document(file, agentDefinition);
  const dir = file.slice(0, Math.max(file.lastIndexOf('/'), 0));
  const name = definition?.value.name ?? lastPart(dir);
  const written = definition?.value.system_prompt;
  const promptFile =
    definition && written ? reader.pathIn(definition, ['system_prompt'], written, dir) : null;
  if (!definition || !promptFile) return { name, file, definition, promptFile: null, prompt: null };
  if (!reader.files.has(promptFile)) {
    reader.errorAt(definition, ['system_prompt'], {
      rule: 'missing-file',
      message: `the system prompt ${promptFile} does not exist`,
      hint: 'write it, or correct the path: it is relative to the folder of this file',
    });
    return { name, file, definition, promptFile: null, prompt: null };
  }
  const source = await reader.markdown(promptFile);
  if (source) reader.decoded(systemPromptFrontmatter, source);
  return { name, file, definition, promptFile, prompt: source?.body ?? null };
}

async function readLegacyAgent(reader: PackageReader, file: string): Promise<Agent> {
  const source = await reader.markdown(file);
  const frontmatter = source && reader.decoded(legacyAgentFrontmatter, source);
  const name = frontmatter?.value.name ?? stem(file);
  const prompt = source?.body ?? null;
  if (!frontmatter) return { name, file, definition: null, promptFile: file, prompt };
  const value = { name, description: frontmatter.value.description, system_prompt: file };
  return { name, file, definition: { ...frontmatter, value }, promptFile: file, prompt };
}

export async function readRule(reader: PackageReader, file: string): Promise<Rule> {
  const fallback = file.endsWith('/RULE.md')
    ? lastPart(file.slice(0, -'/RULE.md'.length))
    : stem(file).replace(/\.rule$/, '');
  const source = await reader.markdown(file);
  if (!source) return { name: fallback, file, frontmatter: null, body: '' };
  const frontmatter = isLegacyRule(source)
    ? legacyRule(reader, source, fallback)
    : reader.decoded(ruleFrontmatter, source);
  if (frontmatter && source.body.trim() === '') {
    reader.error(file, {
      rule: 'empty-body',
      message: 'has no text after the frontmatter',
      hint: 'write the rule there',
    });
  }
  return { name: frontmatter?.value.name ?? fallback, file, frontmatter, body: source.body };
}

function isLegacyRule(source: MarkdownSource): boolean {
  const value = source.value;
  return (
    typeof value === 'object' &&
    value !== null &&
    !('apply' in value) &&
    ('alwaysApply' in value || 'globs' in value)
  );
}

function legacyRule(
  reader: PackageReader,
  source: MarkdownSource,
  name: string,
): Located<RuleFrontmatter> | null {
  const legacy = reader.decoded(legacyRuleFrontmatter, source);
  if (!legacy) return null;
  const { description, alwaysApply } = legacy.value;
  const globs = legacy.value.globs ?? undefined;
  const mode = alwaysApply ? 'always' : globs?.length ? 'files' : 'intelligent';
  return { ...legacy, value: { name: legacy.value.name ?? name, description, apply: { mode, globs } } };
}

function stem(file: string): string {
  return lastPart(file).replace(/\.[^.]+$/, '');
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
