/** The keys there are, and why some of them change nothing. */

/** About a file or a test, and of no consequence for a verdict. */
const INFORMATION = ['name', 'description', 'tags', 'category', 'suite', 'dataset', 'governance', 'note'];

export const SUITE_KEYS = [
  ...INFORMATION,
  ...['$schema', 'version', 'author', 'license', 'requires', 'metadata'],
  ...['input', 'input_files', 'assert', 'assertions', 'evaluators', 'graders', 'evaluator'],
  ...['tests', 'eval_cases', 'workspace', 'execution', 'target', 'targets'],
];

export const SUITE_NOT_HEARD: Readonly<Record<string, string>> = {
  preprocessors: 'files are shown to the judge as they are',
  experiment: 'a report is found by its time, or named with -o',
  extensions: 'extensions of AgentV are not run',
  environment: 'use env in evals/eval-config.json',
};

export const TEST_KEYS = [
  ...INFORMATION,
  ...['id', 'criteria', 'expected_outcome', 'input', 'input_files', 'expected_output', 'reference_answer'],
  ...[
    'file_paths',
    'assert',
    'assertions',
    'evaluators',
    'graders',
    'rubrics',
    'execution',
    'target',
    'targets',
  ],
  ...['workspace', 'metadata', 'conversation_id', 'vars', 'depends_on', 'on_dependency_failure'],
  ...['mode', 'turns', 'aggregation', 'on_turn_failure', 'window_size'],
];

export const TEST_NOT_HEARD: Readonly<Record<string, string>> = {
  preprocessors: 'files are shown to the judge as they are',
};
