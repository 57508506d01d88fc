/** The machine as the command line saw it at the start; nothing below reads the environment itself. */
export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home: string;
}
