/** The package as a whole: manifest, README, .gitignore. */
import type { Draft, ScaffoldOptions } from './draft.ts';

export function manifest({ name, description }: ScaffoldOptions): Draft {
  return {
    path: 'package.agent.json',
    schema: 'manifest',
    content: {
      name,
      version: '0.1.0',
      description,
      systemDependencies: { node: '>=18.0.0' },
      permissions: {
        fs: { read: ['**'], write: [] },
        shell: { allow: true, binaries: ['node'] },
      },
    },
  };
}

export function gitignore(): Draft {
  return { path: '.gitignore', optional: true, content: '.aam/\n' };
}

export function readme({ name, description, skill }: ScaffoldOptions): Draft {
  return {
    path: 'README.md',
    optional: true,
    content: `# ${name}

${description}

| where | what |
|---|---|
| \`package.agent.json\` | name, version, and what the package may do |
| \`skills/${skill}/SKILL.md\` | what an agent is told |
| \`skills/${skill}/scripts/\` | what it runs |
| \`skills/${skill}/tests/\` | tests of the script |
| \`hooks/hooks.json\`, \`hooks/scripts/\` | a hook that stops writes to \`.env\` files and \`/etc\` |
| \`hooks/tests/\` | tests of the hook |
| \`evals/\` | cases for a real agent, decided by checks and by a judge |

## Working on it

    aam validate    # find mistakes in the files
    aam test        # run the tests: no model, no network, no cost
    aam eval        # let a real agent work on the eval cases: needs access to a model

Change the script or the hook, run \`aam test --watch\`, and add a case for everything that must stay true.
Run \`aam eval\` when the words in \`SKILL.md\` change: only an agent can tell whether they are understood.

The hook looks at the tools that edit files. What a shell command writes is not its business: leave that to
the agent's own sandbox.
`,
  };
}
