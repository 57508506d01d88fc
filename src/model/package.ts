/** A package as read from disk: every artifact with the file it stands in. */
import type { AgentDefinition, CommandFrontmatter, RuleFrontmatter, SkillFrontmatter } from './artifacts.ts';
import type { Diagnostic, Located } from './diagnostic.ts';
import type { EvalCase, EvalConfig } from './evals.ts';
import type { HooksFile, McpServers } from './hooks.ts';
import type { Lock } from './lock.ts';
import type { Manifest } from './manifest.ts';
import type { HookTestCase, SkillTestCase, TestConfig } from './tests.ts';

export interface AgentPackage {
  /** Absolute path of the folder. */
  readonly root: string;
  /** `skill`: a folder with only a SKILL.md, read as a package with one skill. */
  readonly shape: 'package' | 'skill';
  /** From the manifest when it could be read, else the folder's name. */
  readonly name: string;
  readonly version: string | null;
  /** null for a bare skill. */
  readonly manifestFile: string | null;
  readonly manifest: Located<Manifest> | null;
  readonly lock: Located<Lock> | null;
  readonly skills: readonly Skill[];
  readonly commands: readonly Command[];
  readonly agents: readonly Agent[];
  readonly rules: readonly Rule[];
  /** Where hooks are declared, whether or not they can be read. */
  readonly hooksFile: string;
  readonly hooks: Located<HooksFile> | null;
  readonly mcp: Located<McpServers> | null;
  /** Path of AGENTS.md, when there is one. */
  readonly instructions: string | null;
  readonly evals: Evals;
  readonly tests: readonly TestSuite[];
  readonly files: Inventory;
  /** What reading found wrong. Rules that look across files come later. */
  readonly diagnostics: readonly Diagnostic[];
}

/** `frontmatter` is null when it could not be read; the artifact still exists and has a name. */
export interface Skill {
  readonly name: string;
  readonly dir: string;
  readonly file: string;
  readonly frontmatter: Located<SkillFrontmatter> | null;
  readonly body: string;
  /** The line of the file that the body begins on. */
  readonly bodyLine: number;
}

export interface Command {
  readonly name: string;
  readonly file: string;
  readonly frontmatter: Located<CommandFrontmatter> | null;
  readonly body: string;
  readonly bodyLine: number;
}

export interface Agent {
  readonly name: string;
  readonly file: string;
  readonly definition: Located<AgentDefinition> | null;
  /** Path of the system prompt, relative to the package root. */
  readonly promptFile: string | null;
  readonly prompt: string | null;
}

export interface Rule {
  readonly name: string;
  readonly file: string;
  readonly frontmatter: Located<RuleFrontmatter> | null;
  readonly body: string;
}

export interface Evals {
  readonly dir: string;
  readonly config: Located<EvalConfig> | null;
  readonly cases: readonly Located<EvalCase>[];
}

/** The cases below one `tests/` folder. */
export type TestSuite = SkillTestSuite | HookTestSuite;

interface TestSuiteBase<Case> {
  /** Path of the `tests/` folder. */
  readonly dir: string;
  /** null: there is none, or it could not be read (then `diagnostics` of the package say why). */
  readonly config: Located<TestConfig> | null;
  readonly cases: readonly Located<Case>[];
  /** Case files that could not be read. */
  readonly broken: readonly string[];
}

export interface SkillTestSuite extends TestSuiteBase<SkillTestCase> {
  readonly kind: 'skill';
  readonly skill: string;
  /** The skill's folder: where its commands run. */
  readonly skillDir: string;
}

export interface HookTestSuite extends TestSuiteBase<HookTestCase> {
  readonly kind: 'hooks';
}

/** Every file below a package's root, by relative path with forward slashes. */
export type Inventory = ReadonlyMap<string, FileEntry>;

export interface FileEntry {
  /** What is there after following links; `other` is a socket, FIFO or device. */
  readonly kind: 'file' | 'dir' | 'other' | 'missing';
  readonly size: number;
  readonly executable: boolean;
  /** For a symbolic link: where it points, and whether that is inside the package. */
  readonly link?: { readonly target: string; readonly inside: boolean };
}
