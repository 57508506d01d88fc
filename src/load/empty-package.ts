/** For eval sources that install nothing. */
import type { AgentPackage } from '../model/package.ts';

export function emptyPackage(root: string, name: string): AgentPackage {
  return {
    root,
    shape: 'skill',
    name,
    version: null,
    manifestFile: null,
    manifest: null,
    lock: null,
    skills: [],
    commands: [],
    agents: [],
    rules: [],
    hooksFile: 'hooks/hooks.json',
    hooks: null,
    mcp: null,
    instructions: null,
    evals: { dir: 'evals', config: null, cases: [] },
    tests: [],
    files: new Map(),
    diagnostics: [],
  };
}
