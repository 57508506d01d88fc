/** AgentV: `EVAL.yaml`, `*.eval.yaml` and files with one test per line. */
import { basename } from 'node:path';
import type { Format } from '../../format.ts';
import { isEvalName } from './file-names.ts';
import { readAgentv } from './suite.ts';

export const agentv: Format = {
  title: 'AgentV EVAL.yaml',
  usualFiles: [
    'EVAL.yaml',
    'EVAL.yml',
    'evals/EVAL.yaml',
    'evals/EVAL.yml',
    'evals/*.eval.yaml',
    '*.eval.yaml',
  ],
  recognises: (file, text) => {
    if (file.endsWith('.jsonl')) return TEST_LINE.test(text) && !RESULT_LINE.test(text);
    if (!/\.ya?ml$/i.test(file)) return false;
    return isEvalName(basename(file)) || (TESTS.test(text) && !OTHERS.test(text));
  },
  read: readAgentv,
};

const TESTS = /^(?:tests|eval_cases)[ \t]*:/m;
/** Marks of other formats' files. */
const OTHERS = /^(?:schema_version|skill_or_agent|cases)[ \t]*:/m;
const TEST_LINE = /^\s*\{.*"(?:input|criteria|assert|assertions|expected_output)"\s*:/;
const RESULT_LINE = /^\s*\{.*"(?:test_id|score|verdict)"\s*:/;
