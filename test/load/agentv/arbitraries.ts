/** Eval files of AgentV as they might be written by anybody. */
import fc from 'fast-check';
import { anyValue } from '../arbitraries.ts';

const TYPES = [
  ...['contains', 'regex', 'is-json', 'llm-judge', 'rubrics', 'agent-judge', 'code-judge', 'composite'],
  ...[
    'tool-trajectory',
    'field-accuracy',
    'latency',
    'cost',
    'token-usage',
    'execution-metrics',
    'skill-trigger',
  ],
];
const value = fc.oneof(anyValue, fc.string(), fc.integer(), fc.boolean());
const keyed = (keys: readonly string[]) => fc.dictionary(fc.constantFrom(...keys), value, { maxKeys: 5 });
const assertion = fc
  .tuple(
    fc.constantFrom(...TYPES),
    keyed([
      'value',
      'prompt',
      'command',
      'criteria',
      'expected',
      'mode',
      'fields',
      'assert',
      'aggregator',
      'weight',
      'required',
      'name',
    ]),
  )
  .map(([type, fields]) => ({ ...fields, type }));
const test = fc
  .tuple(
    keyed([
      'id',
      'input',
      'criteria',
      'expected_output',
      'workspace',
      'execution',
      'vars',
      'turns',
      'mode',
      'metadata',
      'rubrics',
      'input_files',
    ]),
    fc.array(fc.oneof(assertion, value), { maxLength: 3 }),
  )
  .map(([fields, assert]) => ({ id: 'a', input: 'x', ...fields, assert }));
export const document = fc
  .tuple(
    keyed(['name', 'input', 'assert', 'workspace', 'execution', 'evaluator', 'target']),
    fc.array(fc.oneof(test, value), { maxLength: 4 }),
  )
  .map(([fields, tests]) => ({ ...fields, tests }));
