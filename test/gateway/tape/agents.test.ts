/** The real CLIs: what they ask twice has the same key, and a tape carries a whole session. */
import { describe, expect, it } from 'vitest';
import { TapePlayer } from '../../../src/gateway/tape/player.ts';
import { parseTape } from '../../../src/gateway/tape/read.ts';
import { TapeRecorder } from '../../../src/gateway/tape/recorder.ts';
import { evalReport } from '../../../src/model/report.ts';
import { aam } from '../../helpers/cli.ts';
import { type AgentEngine, ENGINE_NAMES, evalCase, modelEnv, PACKAGE, shell } from '../../helpers/eval.ts';
import { type ModelRequest, modelServer, type Script, type Turn } from '../../helpers/model-server.ts';
import { type Files, skillText, writePackage } from '../../helpers/package.ts';
import { playingServer, recordingServer } from './tape-server.ts';

const FILES: Files = {
  ...PACKAGE,
  'hooks/hooks.json': {
    version: 1,
    hooks: { 'pre-tool-use': [{ hooks: [{ type: 'command', command: '$PACKAGE_ROOT/hooks/look.sh' }] }] },
  },
  'hooks/look.sh!': '#!/bin/sh\ncat > /dev/null\n',
  'agents/helper/agent.yaml': 'name: helper\ndescription: Helps.\nsystem_prompt: system-prompt.md\n',
  'agents/helper/system-prompt.md': '---\ndescription: Helps\n---\nHelp.\n',
  'rules/tone/RULE.md': '---\nname: tone\ndescription: Tone\napply:\n  mode: always\n---\nBe kind.\n',
  'evals/cases/a.yaml': evalCase('a', { expected: { contains: ['All done.'], 'files-created': ['made'] } }),
};

/** A session that repeats whatever the CLIs name anew in every run. */
const SCRIPTS: Readonly<Record<AgentEngine, Script>> = {
  'claude-code': (request) => {
    if (isSubAgent(request))
      return [{ tools: [shell('claude-code', 'echo sub')] }, { text: 'Found it.' }][request.turn] ?? {};
    const saved = /saved to: (\S+?)\\n/.exec(JSON.stringify(request.body))?.[1];
    const turns: Turn[] = [
      { text: 'Reading.', tools: [{ name: 'Skill', input: { skill: 'echo' } }] },
      {
        tools: [
          shell('claude-code', 'seq 1 9000'),
          shell('claude-code', 'touch made'),
          shell('claude-code', 'false'),
        ],
      },
      { tools: [{ name: 'Read', input: { file_path: saved, limit: 3 } }] },
      { tools: ['one', 'two'].map((it) => ({ name: 'Agent', input: subTask('helper', it) })) },
      { text: 'All done.' },
    ];
    return turns[request.turn] ?? {};
  },
  codex: (request) => {
    if (isSubAgent(request))
      return [{ tools: [shell('codex', 'echo sub')] }, { text: 'Found it.' }][request.turn] ?? {};
    const agent = /agent_id\\":\\"([0-9a-f-]+)/.exec(JSON.stringify(request.body))?.[1];
    const turns: Turn[] = [
      { text: 'Reading.', tools: [shell('codex', 'cat .agents/skills/echo/SKILL.md')] },
      { tools: [shell('codex', 'touch made'), shell('codex', 'false'), shell('codex', 'echo "$PATH"')] },
      {
        tools: [
          {
            namespace: 'multi_agent_v1',
            name: 'spawn_agent',
            input: { message: 'SUBTASK', agent_type: 'helper' },
          },
        ],
      },
      { tools: [{ namespace: 'multi_agent_v1', name: 'wait_agent', input: { targets: [agent] } }] },
      // By the end of this one the news of the sub-agent has come, if not before.
      { tools: [shell('codex', 'sleep 1')] },
      { text: 'All done.' },
    ];
    return turns[request.turn] ?? {};
  },
};

function subTask(agent: string, what: string): object {
  return { description: what, prompt: `SUBTASK ${what}`, subagent_type: agent };
}

/** The first words of a sub-agent's conversation are its task. */
function isSubAgent({ body }: ModelRequest): boolean {
  const said = JSON.stringify(
    (body.messages ?? body.input).filter((it: { role?: string }) => it.role === 'user'),
  );
  return said.includes('SUBTASK') && !said.includes('Do it.');
}

const ABOUT = {
  source: 'scripted',
  recorded_at: '2026-01-01T00:00:00.000Z',
  trial: 'a',
  case: 'a',
  case_hash: null,
  engine_version: null,
  aam_version: '0',
  model: null,
  judge: null,
  package: {},
} as const;

async function run(files: Files, engine: AgentEngine, url: string) {
  await using pkg = await writePackage(files);
  const args = [
    'eval',
    '--json',
    '--engine',
    engine,
    '--model',
    engine === 'codex' ? 'gpt-5.5' : 'claude-opus-5-5',
  ];
  const { stdout, stderr } = await aam(args, { cwd: pkg.root, env: modelEnv(url) });
  if (stdout === '') throw new Error(stderr);
  return evalReport.parse(JSON.parse(stdout)).cases[0];
}

async function record(engine: AgentEngine): Promise<{ text: string; requestBytes: number }> {
  const recorder = new TapeRecorder();
  await using model = await modelServer(SCRIPTS[engine]);
  await using server = await recordingServer(model.url, recorder);
  const result = await run(FILES, engine, server.url);
  expect(result).toMatchObject({ deterministic_checks: { contains: 'PASS', files_created: 'PASS' } });
  const requestBytes = model.requests.reduce((sum, it) => sum + JSON.stringify(it.body).length, 0);
  const done = recorder.finish({ ...ABOUT, engine });
  if ('problem' in done) throw new Error(done.problem);
  return { text: done.text, requestBytes };
}

async function replay(files: Files, engine: AgentEngine, text: string) {
  const player = new TapePlayer(parseTape('a.jsonl', text));
  await using server = await playingServer(player);
  const result = await run(files, engine, server.url);
  return { result, misses: player.misses.map(({ message }) => message) };
}

describe.each(ENGINE_NAMES)('a tape of %s', (engine) => {
  it('carries a session with skill, hook, sub-agents and big outputs, and misses what was edited', async () => {
    const { text, requestBytes } = await record(engine);
    const { result, misses } = await replay(FILES, engine, text);
    expect(misses).toEqual([]);
    expect(result).toMatchObject({ deterministic_checks: { contains: 'PASS', files_created: 'PASS' } });
    expect(text.length).toBeLessThan(requestBytes / 4);

    const skill = await replay(
      { ...FILES, 'skills/echo/SKILL.md': skillText('echo', 'Do it well.\n') },
      engine,
      text,
    );
    expect(skill.misses[0]).toContain('the text of the skill echo (SKILL.md)');
    expect(skill.misses[0]).toMatch(/^ {4}-Do it\.$/m);
    expect(skill.misses[0]).toMatch(/^ {4}\+Do it well\.$/m);

    const described = skillText('echo').replace('Does echo.', 'Does echo twice.');
    const description = await replay({ ...FILES, 'skills/echo/SKILL.md': described }, engine, text);
    expect(description.misses[0]).toContain('the description of the skill echo (SKILL.md) differs');

    const prompt = await replay(
      { ...FILES, 'evals/cases/a.yaml': evalCase('a', { input: { prompt: 'Do it now.' } }) },
      engine,
      text,
    );
    expect(prompt.misses[0]).toContain('the prompt differs');
  });
});
