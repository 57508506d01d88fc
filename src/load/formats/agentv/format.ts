/** AgentV: `EVAL.yaml`, `*.eval.yaml` and files with one test per line. */
import type { Format } from '../../format.ts';
import { holdsTests } from './holds-tests.ts';
import { readAgentv } from './suite.ts';

export const agentv: Format = {
  title: 'AgentV EVAL.yaml',
  usualFiles: [
    ...['EVAL.yaml', 'EVAL.yml', 'evals/EVAL.yaml', 'evals/EVAL.yml'],
    ...['evals/*.eval.yaml', 'evals/*.eval.yml', '*.eval.yaml', '*.eval.yml'],
  ],
  recognises: holdsTests,
  read: readAgentv,
};
