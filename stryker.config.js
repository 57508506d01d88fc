/** Changes the code that verdicts come from, one small thing at a time, and asks whether a test notices. */
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'vitest.mutation.config.ts' },
  mutate: [
    'src/check/**/*.ts',
    'src/report/stats/*.ts',
    'src/judge/{judge,votes,read-answer,quotes,json-answer,same-model}.ts',
    'src/pipeline/journal*.ts',
  ],
  // Stryker reads tsconfig.json with functions that TypeScript 7 does not have.
  ignorePatterns: ['/tsconfig.json', '/dist', '/docs', '/bench', '/examples', '/schema'],
  // Most texts are messages: that one of them is empty would be told by tests of words, not of verdicts.
  mutator: { excludedMutations: ['StringLiteral'] },
  thresholds: { high: 95, low: 85, break: 85 },
  concurrency: 2,
  // A machine that is busy with other things must not pass for a mutant that never ends.
  timeoutMS: 20_000,
  incremental: true,
  incrementalFile: '.stryker/incremental.json',
  tempDirName: '.stryker/tmp',
  jsonReporter: { fileName: '.stryker/mutation.json' },
  reporters: ['progress-append-only', 'clear-text', 'json'],
  clearTextReporter: { allowColor: false, logTests: false, allowEmojis: false },
};
