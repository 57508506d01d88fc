import { describe, expect, it } from 'vitest';
import type { SuiteSettings } from '../../src/model/case.ts';
import type { Target } from '../../src/model/target.ts';
import { chooseTarget } from '../../src/pipeline/eval-target.ts';

const SETTINGS: SuiteSettings = {
  ...{ engine: 'claude-code', timeoutSeconds: 60, judge: null, runs: 1, network: false },
  ...{ writablePaths: null, env: {}, command: null, prices: {} },
};

const TARGET: Target = {
  ...{ name: 't', engine: 'completion', model: 'gpt-5.4', timeoutSeconds: null, instructions: 'x' },
  ...{ shell: null, provider: null, response: null, judge: null },
};

const SHELL = { command: 'my-agent {PROMPT}', cwd: null, filesFormat: '{path}', healthcheck: null };

describe('chooseTarget', () => {
  it('takes the target of the file before its settings', () => {
    const { engineName, model, engine, settings } = chooseTarget({ ...SETTINGS, target: TARGET }, ASKED);
    expect({ engineName, model, provider: engine.provider }).toEqual({
      engineName: 'completion',
      model: 'gpt-5.4',
      provider: 'openai',
    });
    expect(settings).toMatchObject({ engine: 'completion', target: TARGET });
  });

  it('takes what is asked for before both, and then nothing of a target with another engine', () => {
    const asked = { engine: 'codex', model: null };
    const { engineName, model, settings } = chooseTarget({ ...SETTINGS, target: TARGET }, asked);
    expect({ engineName, model, target: settings.target }).toEqual({
      engineName: 'codex',
      model: null,
      target: undefined,
    });
  });

  it('starts a shell agent by its own command', () => {
    const target = { ...TARGET, engine: 'command', shell: SHELL };
    const { engine } = chooseTarget({ ...SETTINGS, target }, ASKED);
    const inside = { workspace: '/w', configDir: '/c', socket: '', node: '', bridge: '', program: '' };
    const request = { ...inside, prompt: 'hi', model: null, template: null, network: false };
    expect(engine.command({ ...request, files: [], budgetUsd: null }).argv).toEqual([
      '/bin/sh',
      '-c',
      "my-agent 'hi'",
    ]);
  });

  it.each([
    ['gpt-5.4', null, 'openai', 'gpt-5.4'],
    ['anthropic/our-own', null, 'anthropic', 'our-own'],
    ['org/our-own', 'openai', 'openai', 'org/our-own'],
    ['gemini-3-pro', null, 'google', 'gemini-3-pro'],
  ] as const)('knows whose model %s is', (name, known, provider, model) => {
    const target = { ...TARGET, model: name, provider: known };
    const chosen = chooseTarget({ ...SETTINGS, target }, ASKED);
    expect([chosen.engine.provider, chosen.model]).toEqual([provider, model]);
  });
});

const ASKED = { engine: null, model: null };
