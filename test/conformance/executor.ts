/** Suites that every site must bring to the same verdicts, wherever their trials are executed. */
import { evalCase, type Judge, judgeSays, PACKAGE, shell } from '../helpers/eval.ts';
import type { Script } from '../helpers/model-server.ts';
import { type Files, MANIFEST, skillText } from '../helpers/package.ts';

export interface ConformanceSuite {
  readonly files: Files;
  readonly args: readonly string[];
  /** Of each case. */
  readonly verdicts: Readonly<Record<string, string>>;
  /** What models answer; left out: none is asked. */
  readonly script?: Script;
  /** Whether captures hold nothing but what the agent did. */
  readonly samePerByte: boolean;
}

const AGENT = `
case "$1" in
  pass) echo "the number 1" ;;
  fail) echo "a word" ;;
  crash) echo "no token" >&2; exit 3 ;;
  hang) sleep 100 ;;
  files) mkdir -p out; echo made > out/made.txt; rm -f fixtures/given.txt; echo "the number 2" ;;
  given) cat fixtures/given.txt; ls -R . ;;
  package) test -e skills/echo/SKILL.md || test -e /package; echo "package $?" ;;
  env) echo "the number \${COLOUR:-none}" ;;
esac`;

function ownCase(name: string, expected: object, more: object = {}): Files {
  const input = { prompt: name, ...more };
  return { [`evals/cases/${name}.yaml`]: evalCase(name, { input, expected }) };
}

/** An agent that is a shell script: how trials end, what they are given, what they leave behind. */
const OWN_AGENT: ConformanceSuite = {
  files: {
    'package.agent.json': MANIFEST,
    'skills/echo/SKILL.md': skillText('echo'),
    'hooks/hooks.json': {
      version: 1,
      hooks: { 'pre-tool-use': [{ hooks: [{ type: 'command', command: '$PACKAGE_ROOT/hooks/guard.sh' }] }] },
    },
    'hooks/guard.sh!': '#!/bin/sh\nexit 0\n',
    'evals/eval-config.json': {
      version: 1,
      engine: 'command',
      timeout: 8,
      command: ['/bin/sh', '-c', AGENT, 'agent', '{prompt}'],
      env: { COLOUR: '42' },
    },
    'evals/fixtures/given.txt': 'a given word\n',
    ...ownCase('pass', { contains: ['number'] }),
    ...ownCase('fail', { contains: ['number'], 'not-contains': ['word'] }),
    ...ownCase('crash', { contains: ['number'] }),
    ...ownCase('hang', { contains: ['number'] }),
    ...ownCase(
      'files',
      { contains: ['number'], 'files-created': ['out/made.txt'] },
      { files: ['fixtures/given.txt'] },
    ),
    ...ownCase(
      'given',
      { contains: ['given'] },
      { files: ['fixtures/given.txt'], 'workspace-files': ['src/empty.txt'] },
    ),
    ...ownCase('env', { contains: ['number 42'] }),
    ...ownCase('blocked', { 'agent-blocked': true }),
  },
  args: ['--judge', 'claude-sonnet-5-5', '--baseline', '--runs', '2'],
  verdicts: {
    pass: 'PASS',
    fail: 'FAIL',
    crash: 'FAIL',
    hang: 'FAIL',
    files: 'PASS',
    given: 'PASS',
    env: 'PASS',
    blocked: 'SKIP',
  },
  samePerByte: true,
};

/** An eval file: programs that grade, commands around a trial, a template, conversations. */
const EVAL_FILE: ConformanceSuite = {
  files: {
    'evals/EVAL.yaml': {
      name: 'colours',
      workspace: {
        template: '../template',
        hooks: {
          before_each: { command: ['sh', './prepare.sh'], cwd: '../tools' },
          after_each: { command: 'exit 4' },
        },
      },
      tests: [
        {
          id: 'program',
          input: 'Name a colour.',
          assert: [{ type: 'code-judge', name: 'grade', command: ['sh', '../graders/grade.sh'] }],
        },
        {
          id: 'program-fails',
          input: 'Name none.',
          assert: [{ type: 'code-judge', name: 'grade', command: ['sh', '../graders/low.sh'] }],
        },
        {
          id: 'program-breaks',
          input: 'Name one.',
          assert: [{ type: 'code-judge', name: 'grade', command: ['sh', '../graders/none.sh'] }],
        },
        {
          id: 'with-file',
          input: [{ role: 'user', content: [{ type: 'file', value: '../data/colours.txt' }] }],
          assert: [
            { type: 'icontains', value: 'prepared' },
            { type: 'icontains', value: 'blue', weight: 0.1 },
          ],
        },
        {
          id: 'bad-setup',
          input: 'Name a colour.',
          workspace: { hooks: { before_each: { command: 'echo broken >&2; exit 5' } } },
          assert: [{ type: 'icontains', value: 'red' }],
        },
      ],
    },
    'graders/grade.sh': `grep -q 'red' && echo '{"score": 0.9, "reasoning": "Red."}'\n`,
    'graders/low.sh': `echo '{"score": 0.1, "reasoning": "Low."}'\n`,
    'graders/none.sh': 'echo nothing; exit 1\n',
    'template/base.txt': 'red\n',
    'tools/prepare.sh': 'cat part.txt >> /workspace/base.txt\n',
    'tools/part.txt': 'prepared\n',
    'data/colours.txt': 'green\n',
    '.agentv/targets.yaml': {
      targets: [{ name: 'own', provider: 'cli', command: 'cat base.txt; echo {PROMPT} > asked.txt' }],
    },
  },
  args: ['evals/EVAL.yaml', '--target', 'own', '--no-judge'],
  verdicts: {
    program: 'PASS',
    'program-fails': 'FAIL',
    'program-breaks': 'FAIL',
    'with-file': 'PASS',
    'bad-setup': 'SKIP',
  },
  samePerByte: true,
};

/** An agent that is started in the project of its user, and looks for the answers there. */
const OWN_FOLDER: ConformanceSuite = {
  files: {
    'evals/EVAL.yaml': {
      name: 'colours',
      workspace: { hooks: { before_each: { command: ['sh', './prepare.sh'], cwd: '../tools' } } },
      tests: './more.yaml',
    },
    'evals/more.yaml': [
      {
        id: 'looks',
        input: 'Name a colour.',
        assert: [
          { type: 'icontains', value: 'red' },
          { type: 'icontains', value: 'ANSWER-NEVER-SHOWN', negate: true },
          { type: 'code-judge', name: 'grade', command: ['sh', '../graders/grade.sh'] },
        ],
      },
    ],
    'graders/grade.sh': `grep -q 'red' && echo '{"score": 1}'\n`,
    'tools/prepare.sh': 'cp ../agent.sh /workspace/copy.txt\n',
    'agent.sh': 'echo red; cat evals/* evals/*/* notes.txt copy.txt 2> /dev/null; ls . evals; true\n',
    'notes.txt': 'Of the project.\n',
    '.agentv/targets.yaml': {
      targets: [{ name: 'own', provider: 'cli', command: 'sh ./agent.sh', cwd: '..' }],
    },
  },
  args: ['evals/EVAL.yaml', '--target', 'own', '--no-judge'],
  verdicts: { looks: 'PASS' },
  samePerByte: true,
};

const CONVERSATION: ConformanceSuite = {
  files: {
    'evals/EVAL.yaml': {
      name: 'talk',
      tests: [
        {
          id: 'turns',
          mode: 'conversation',
          turns: [
            { input: 'Hello' },
            { input: 'Sum 1 and 2', assertions: [{ type: 'contains', value: '3' }] },
          ],
        },
        { id: 'other', input: 'Hello', assert: [{ type: 'contains', value: '4' }] },
      ],
    },
    '.agentv/targets.yaml': { targets: [{ name: 'fixed', provider: 'mock', response: 'It is 3.' }] },
  },
  args: ['evals/EVAL.yaml', '--target', 'fixed', '--no-judge'],
  verdicts: { turns: 'PASS', other: 'FAIL' },
  samePerByte: true,
};

/** The real CLI: a skill with a file to read, a hook that blocks, and one that only a judge decides. */
const CLAUDE: ConformanceSuite = {
  files: {
    ...PACKAGE,
    'hooks/hooks.json': {
      version: 1,
      hooks: { 'pre-tool-use': [{ hooks: [{ type: 'command', command: '$PACKAGE_ROOT/hooks/guard.sh' }] }] },
    },
    'hooks/guard.sh!': '#!/bin/sh\ncase "$(cat)" in *forbidden*) echo "not that" >&2; exit 2;; esac\n',
    'evals/fixtures/given.txt': 'a given word\n',
    ...ownCase(
      'reads',
      { contains: ['given'], 'files-created': ['made.txt'] },
      { prompt: 'Read fixtures/given.txt', files: ['fixtures/given.txt'] },
    ),
    'evals/cases/blocked.yaml': evalCase('blocked', {
      target: 'hook:pre-tool-use',
      input: { prompt: 'Do what is forbidden' },
      expected: { 'agent-blocked': true },
    }),
    'evals/cases/judged.yaml': evalCase('judged', { input: { prompt: 'Say it.' } }),
  },
  args: ['--engine', 'claude-code', '--model', 'claude-sonnet-5-5', '--judge', 'claude-sonnet-5-5'],
  verdicts: { reads: 'PASS', blocked: 'PASS', judged: 'PASS' },
  script: ({ body, turn }) => {
    const text = JSON.stringify(body.messages);
    if (text.includes('Say it.')) return { text: 'I have said it.' };
    const command = text.includes('Do what is forbidden')
      ? 'echo forbidden'
      : 'cat fixtures/given.txt | tee made.txt';
    return turn === 0 ? { tools: [shell('claude-code', command)] } : { text: 'It says: a given word.' };
  },
  samePerByte: false,
};

/** Quotes what it finds, so that its verdict counts. */
export const CONFORMANCE_JUDGE: Judge = (request) => {
  const text = JSON.stringify(request.body);
  const quote = ['I have said it.', 'the number', 'given word'].find((it) => text.includes(it)) ?? '';
  return judgeSays('PASS', [quote])(request);
};

export const CONFORMANCE = { OWN_AGENT, EVAL_FILE, OWN_FOLDER, CONVERSATION, CLAUDE } as const;
