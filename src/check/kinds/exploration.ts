/** Which share of tool calls only looked and changed nothing. A shell can do both, so its calls leave a range. */

const LOOKING: ReadonlySet<string> = new Set([
  ...['Read', 'Grep', 'Glob', 'LS', 'NotebookRead', 'WebFetch', 'WebSearch', 'web_search'],
  ...['read', 'grep', 'glob', 'ls', 'list', 'search', 'read_file', 'list_dir', 'list_files', 'grep_search'],
]);

const CHANGING: ReadonlySet<string> = new Set([
  ...['Edit', 'MultiEdit', 'Write', 'NotebookEdit', 'apply_patch'],
  ...['edit', 'write', 'write_file', 'edit_file', 'create_file', 'delete_file'],
]);

export interface ExplorationBounds {
  readonly least: number;
  readonly most: number;
  /** Tools of which it cannot be told. */
  readonly unclear: readonly string[];
}

/** `tools`: of each call, at least one. */
export function explorationBounds(tools: readonly string[]): ExplorationBounds {
  const looking = tools.filter((tool) => LOOKING.has(tool)).length;
  const unclear = tools.filter((tool) => !LOOKING.has(tool) && !CHANGING.has(tool));
  return {
    least: looking / tools.length,
    most: (looking + unclear.length) / tools.length,
    unclear: [...new Set(unclear)],
  };
}
