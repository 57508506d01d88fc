/** Whether a file holds tests of AgentV's kind; `text` is its beginning. */
import { basename } from 'node:path';
import { isEvalName } from './file-names.ts';

export function holdsTests(file: string, text: string): boolean {
  if (file.endsWith('.jsonl')) return TEST_LINE.test(text) && !RESULT_LINE.test(text);
  if (!/\.ya?ml$/i.test(file)) return false;
  return isEvalName(basename(file)) || (TESTS.test(text) && !OTHERS.test(text));
}

const TESTS = /^(?:tests|eval_cases)[ \t]*:/m;
/** Marks of other formats' files. */
const OTHERS = /^(?:schema_version|skill_or_agent|cases)[ \t]*:/m;
const TEST_LINE = /^\s*\{.*"(?:input|criteria|assert|assertions|expected_output)"\s*:/;
const RESULT_LINE = /^\s*\{.*"(?:test_id|score|verdict)"\s*:/;
