/** Agent Skills: `evals/evals.json` and sets of queries that should or should not trigger a skill. */
import { basename } from 'node:path';
import type { Format } from '../../format.ts';
import { isEvalFileName } from './file-names.ts';
import { readAgentSkills } from './suite.ts';

export const agentSkills: Format = {
  title: 'Agent Skills evals.json',
  usualFiles: ['evals/evals.json', 'evals.json'],
  recognises: (file, text) =>
    file.endsWith('.json') && (isEvalFileName(basename(file)) || (KEYS.test(text) && !REPORT.test(text))),
  read: readAgentSkills,
};

const KEYS =
  /"(?:skill_name|should_trigger|expected_output|expectations|assertions)"\s*:|"(?:evals|cases|queries|evaluations|test_cases)"\s*:\s*\[/;
const REPORT = /"(?:eval-run-|deterministic_checks")/;
