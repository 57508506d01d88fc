/** The agent loaded a skill, or left it alone. Names must be the same: `pdf` is not `pdf-forms`. */
import type { AgentEvent } from '../../model/agent-event.ts';
import type { GraderResult } from '../check.ts';

interface Trigger {
  readonly skill: string;
  readonly expected: boolean;
}

interface SkillEvidence {
  readonly events: readonly AgentEvent[];
  /** The engine tells which skills its agent loads. */
  readonly tellsSkills: boolean;
  /** Why events are missing; null: all are there. */
  readonly gap: string | null;
}

export function skillTrigger(
  { skill, expected }: Trigger,
  { events, tellsSkills, gap }: SkillEvidence,
): GraderResult {
  const loaded = events.filter((event) => event.type === 'skill');
  const [own] = loaded.filter(({ name }) => name === skill);
  if (own) {
    const how = own.how === 'tool' ? 'loaded' : 'read';
    return { verdict: expected ? 'PASS' : 'FAIL', message: `the agent ${how} the skill ${skill}` };
  }
  if (!tellsSkills)
    return { verdict: 'SKIP', message: `this engine does not tell whether the skill ${skill} was used` };
  if (gap !== null)
    return {
      verdict: 'SKIP',
      message: `whether the skill ${skill} was used is not known to the end: ${gap}`,
    };
  const others = [...new Set(loaded.map(({ name }) => name))];
  const instead = others.length > 0 ? `, only ${others.join(', ')}` : '';
  return {
    verdict: expected ? 'FAIL' : 'PASS',
    message: `the agent did not use the skill ${skill}${instead}`,
  };
}
