/** The real CLIs: what they ask twice has the same key, and a tape carries a whole session. */
import { describe, expect, it } from 'vitest';
import { TapePlayer } from '../../../src/gateway/tape/player.ts';
import { parseTape } from '../../../src/gateway/tape/read.ts';
import { TapeRecorder } from '../../../src/gateway/tape/recorder.ts';
import { evalReport } from '../../../src/model/report.ts';
import { aam } from '../../helpers/cli.ts';
import { type AgentEngine, ENGINE_NAMES, evalCase, modelEnv } from '../../helpers/eval.ts';
import { modelServer } from '../../helpers/model-server.ts';
import { type Files, skillText, writePackage } from '../../helpers/package.ts';
import { SESSION_FILES, SESSION_SCRIPTS } from './session.ts';
import { playingServer, recordingServer } from './tape-server.ts';

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
  await using model = await modelServer(SESSION_SCRIPTS[engine]);
  await using server = await recordingServer(model.url, recorder);
  const result = await run(SESSION_FILES, engine, server.url);
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
    const { result, misses } = await replay(SESSION_FILES, engine, text);
    expect(misses).toEqual([]);
    expect(result).toMatchObject({ deterministic_checks: { contains: 'PASS', files_created: 'PASS' } });
    expect(text.length).toBeLessThan(requestBytes / 4);

    const skill = await replay(
      { ...SESSION_FILES, 'skills/echo/SKILL.md': skillText('echo', 'Do it well.\n') },
      engine,
      text,
    );
    expect(skill.misses[0]).toContain('the text of the skill echo (SKILL.md)');
    expect(skill.misses[0]).toMatch(/^ {4}-Do it\.$/m);
    expect(skill.misses[0]).toMatch(/^ {4}\+Do it well\.$/m);

    const described = skillText('echo').replace('Does echo.', 'Does echo twice.');
    const description = await replay({ ...SESSION_FILES, 'skills/echo/SKILL.md': described }, engine, text);
    expect(description.misses[0]).toContain('the description of the skill echo (SKILL.md) differs');

    const prompt = await replay(
      { ...SESSION_FILES, 'evals/cases/a.yaml': evalCase('a', { input: { prompt: 'Do it now.' } }) },
      engine,
      text,
    );
    expect(prompt.misses[0]).toContain('the prompt differs');
  });
});
