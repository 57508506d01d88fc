/** Skills: a body worth loading, references that exist. */
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { AgentPackage } from '../../model/package.ts';
import { error, fileWarning, warning } from './report.ts';

const RECOMMENDED_LINES = 500;

export function* skillRules({ skills, agents, manifest }: AgentPackage): Iterable<Diagnostic> {
  for (const { file, body, frontmatter } of skills) {
    if (!frontmatter) continue;
    if (body.trim() === '') {
      yield fileWarning(
        file,
        'empty-body',
        'has no text after the frontmatter',
        'write there what the agent should do',
      );
    }
    const lines = body.trim().split('\n').length;
    if (lines > RECOMMENDED_LINES) {
      yield fileWarning(
        file,
        'long-skill',
        `has ${lines} lines; ${RECOMMENDED_LINES} at most are recommended`,
        'move details into references/',
      );
    }
    const { agent, compatibility } = frontmatter.value;
    if (agent && agents.length > 0 && !agents.some(({ name }) => name === agent)) {
      yield warning(
        frontmatter,
        ['agent'],
        'unknown-agent',
        `there is no sub-agent ${agent} in this package`,
      );
    }
    const required = typeof compatibility === 'object' ? (compatibility.packages ?? []) : [];
    for (const [index, name] of required.entries()) {
      const declared = {
        ...manifest?.value.dependencies,
        ...manifest?.value.optionalDependencies,
        ...manifest?.value.peerDependencies,
      };
      if (manifest && !(name in declared)) {
        yield error(
          frontmatter,
          ['compatibility', 'packages', index],
          'unknown-dependency',
          `${name} is not among the package’s dependencies`,
        );
      }
    }
  }
}
