/** Which files hold eval cases, of whatever format: cases tell what is expected, so no agent may get one. */
import { basename } from 'node:path';
import { holdsCases } from './formats/agent-skills/holds-cases.ts';
import { isFixture } from './formats/agentcarousel/is-fixture.ts';
import { holdsTests } from './formats/agentv/holds-tests.ts';

/** By what is in them; one entry for each format of `formats.ts`. */
export const RECOGNISERS = {
  'agent-skills': holdsCases,
  agentv: holdsTests,
  agentcarousel: isFixture,
} as const satisfies Record<string, (file: string, text: string) => boolean>;

/** By name, in all formats that are in use. */
const NAME = /^(?:evals?|.+\.evals?)\.(?:jsonl?|ya?ml|toml)$|^eval-config\.json$/i;

export function isEvalFile(file: string, text: string): boolean {
  return NAME.test(basename(file)) || Object.values(RECOGNISERS).some((recognises) => recognises(file, text));
}
