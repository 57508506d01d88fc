/** The same cases in the formats of other tools. Each comes with a way to count, in what the tool wrote, those that passed. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ANSWER, SKILL } from './places.js';

export function writeAgentv(dir, cases) {
  const test = (index) =>
    `  - id: case-${index}\n    criteria: It is done.\n    input: Do it.\n    assertions:\n      - type: contains\n        value: ${ANSWER}\n`;
  write(dir, {
    '.git/HEAD': 'ref: refs/heads/main\n',
    '.agentv/targets.yaml': `targets:\n  - name: default\n    provider: cli\n    command: "echo ${ANSWER} > {OUTPUT_FILE}"\n`,
    'bench.eval.yaml': `name: bench\ntests:\n${numbers(cases).map(test).join('')}`,
  });
  const results = join(dir, 'out', 'index.jsonl');
  const passed = (line) => line !== '' && JSON.parse(line).score === 1;
  return { count: () => lines(results).filter(passed).length };
}

export function writePromptfoo(dir, cases) {
  const config = {
    prompts: ['Do it. {{number}}'],
    providers: [`exec: sh -c "echo ${ANSWER}"`],
    tests: numbers(cases).map((index) => ({
      description: `case-${index}`,
      vars: { number: String(index) },
      assert: [{ type: 'contains', value: ANSWER }],
    })),
  };
  write(dir, { 'promptfooconfig.json': JSON.stringify(config) });
  const results = join(dir, 'out.json');
  return { count: () => (existsSync(results) ? json(results).results.stats.successes : 0) };
}

/** For `claude plugin eval`. */
export function writePlugin(dir, cases) {
  const files = numbers(cases).flatMap((index) => [
    [`evals/case-${index}/prompt.md`, '---\nmax_turns: 3\nruns: 1\n---\nDo it.\n'],
    [`evals/case-${index}/graders/done.md`, `---\ntype: regex\ntarget: last_message\n---\n${ANSWER}\n`],
  ]);
  write(dir, {
    '.claude-plugin/plugin.json': JSON.stringify({ name: 'bench', version: '1.0.0' }),
    'skills/echo/SKILL.md': SKILL,
    ...Object.fromEntries(files),
  });
  const results = join(dir, 'out.json');
  const passed = (it) => it.arms.with.length === 1 && it.arms.with.every((run) => run.passed);
  return { count: () => (existsSync(results) ? json(results).cases.filter(passed).length : 0) };
}

function write(dir, files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
}

function numbers(count) {
  return Array.from({ length: count }, (_, index) => index);
}

function lines(file) {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
}

function json(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
