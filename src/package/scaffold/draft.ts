/** What a new package is made from, and the shape of its files before they are text. */
export interface ScaffoldOptions {
  readonly name: string;
  readonly description: string;
  readonly skill: string;
  readonly engine: 'claude-code' | 'codex';
  /** Folder of the JSON Schemas as seen from the package's root; null when editors would not find it. */
  readonly schemas: string | null;
}

export interface Draft {
  readonly path: string;
  /** An object becomes JSON. */
  readonly content: string | object;
  readonly executable?: boolean;
  /** One that is there already serves as well. */
  readonly optional?: boolean;
  /** Name of the schema, for YAML and JSON. */
  readonly schema?: string;
}
