/** What the readers of a package share: the file list, the findings so far, and how to read one file. */
import type { z } from 'zod';
import { type Diagnostic, fileFinding, finding, type Located, type Path } from '../../../model/diagnostic.ts';
import { normalizePath, pathProblem } from '../../../model/names.ts';
import type { Inventory } from '../../../model/package.ts';
import { decode } from '../../decode.ts';
import { type MarkdownSource, parseFrontmatter } from '../../frontmatter.ts';
import type { InventoryTaken } from '../../inventory.ts';
import { parseJson } from '../../json.ts';
import { readText } from '../../read-text.ts';
import type { Source } from '../../source.ts';
import { parseYaml } from '../../yaml.ts';

type Finding = Parameters<typeof fileFinding>[2];

export class PackageReader {
  readonly root: string;
  readonly files: Inventory;
  readonly diagnostics: Diagnostic[] = [];
  readonly #children: ReadonlyMap<string, readonly string[]>;

  constructor(root: string, { files, diagnostics }: InventoryTaken) {
    this.root = root;
    this.files = files;
    this.diagnostics.push(...diagnostics);
    this.#children = childrenByFolder(files);
  }

  isFile(path: string): boolean {
    return this.files.get(path)?.kind === 'file';
  }

  isDir(path: string): boolean {
    return this.files.get(path)?.kind === 'dir';
  }

  /** Paths directly below a folder. */
  children(dir: string): readonly string[] {
    return this.#children.get(dir) ?? [];
  }

  /** Files below a folder, at any depth. */
  below(dir: string): string[] {
    const prefix = dir && `${dir}/`;
    return [...this.files]
      .filter(([path, { kind }]) => kind === 'file' && path.startsWith(prefix))
      .map(([path]) => path);
  }

  /** The text of a file, or null after reporting why not. */
  async text(file: string): Promise<string | null> {
    const entry = this.files.get(file);
    // Never opened: a link that leads out or nowhere, a pipe, a device. The rules on files report them.
    if (entry?.link?.inside === false || entry?.kind === 'missing' || entry?.kind === 'other') return null;
    const result = await readText(this.root, file);
    if ('text' in result) return result.text;
    this.diagnostics.push(result.problem);
    return null;
  }

  /** JSON or YAML, by the file's ending. */
  async source(file: string, options: { jsonOnly?: boolean } = {}): Promise<Source | null> {
    const text = await this.text(file);
    if (text === null) return null;
    return /\.ya?ml$/.test(file) ? parseYaml(text, file, options) : parseJson(text, file);
  }

  /** A document that may not be there: then it is null, and nothing is reported. */
  async optional<Schema extends z.ZodType>(
    file: string,
    schema: Schema,
  ): Promise<Located<z.output<Schema>> | null> {
    return this.files.has(file) ? this.document(file, schema, { partial: true }) : null;
  }

  async document<Schema extends z.ZodType>(
    file: string,
    schema: Schema,
    options: { readonly partial?: boolean } = {},
  ): Promise<Located<z.output<Schema>> | null> {
    const source = await this.source(file);
    return source && this.decoded(schema, source, options);
  }

  async markdown(file: string): Promise<MarkdownSource | null> {
    const text = await this.text(file);
    return text === null ? null : parseFrontmatter(text, file);
  }

  decoded<Schema extends z.ZodType>(
    schema: Schema,
    source: Source,
    options: { readonly partial?: boolean } = {},
  ): Located<z.output<Schema>> | null {
    const { located, diagnostics } = decode(schema, source, options);
    this.diagnostics.push(...diagnostics);
    return located;
  }

  error(file: string, it: Finding): void {
    this.diagnostics.push(fileFinding('error', file, it));
  }

  warn(file: string, it: Finding): void {
    this.diagnostics.push(fileFinding('warning', file, it));
  }

  errorAt(where: Pick<Located<unknown>, 'file' | 'at'>, path: Path, it: Finding, part?: 'key'): void {
    this.diagnostics.push(finding('error', where, path, it, part));
  }

  warnAt(where: Pick<Located<unknown>, 'file' | 'at'>, path: Path, it: Finding): void {
    this.diagnostics.push(finding('warning', where, path, it));
  }

  /** Something lies where it is not looked for, most likely by mistake. */
  notRead(file: string, hint: string): void {
    this.warn(file, { rule: 'not-read', message: 'is not read', hint });
  }

  /** A path written in a document, made relative to the root, or null after reporting what is wrong with it. */
  pathIn(where: Pick<Located<unknown>, 'file' | 'at'>, at: Path, written: string, base = ''): string | null {
    const problem = pathProblem(written);
    if (problem) {
      this.errorAt(where, at, {
        rule: 'path-outside',
        message: `the path ${JSON.stringify(written)} ${problem}`,
        hint: 'paths are relative and stay inside the package',
      });
      return null;
    }
    return normalizePath(base ? `${base}/${written}` : written);
  }
}

function childrenByFolder(files: Inventory): Map<string, string[]> {
  const folders = new Map<string, string[]>();
  for (const path of files.keys()) {
    const folder = path.slice(0, Math.max(path.lastIndexOf('/'), 0));
    const children = folders.get(folder);
    if (children) children.push(path);
    else folders.set(folder, [path]);
  }
  return folders;
}
