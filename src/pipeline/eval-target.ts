/** Who is asked in a run: what the command line says, else the target of the eval file, else its settings. */
import { completionOf } from '../engine/completion.ts';
import type { Engine } from '../engine/engine.ts';
import { ENGINES, type EngineName, engineNamed } from '../engine/engines.ts';
import { shellAgent } from '../engine/shell.ts';
import { providerOf } from '../judge/model-name.ts';
import type { SuiteSettings } from '../model/case.ts';
import { UserError } from '../model/errors.ts';
import type { JudgeProvider } from '../model/judgement.ts';

export interface Asked {
  readonly engine: string | null;
  readonly model: string | null;
}

export interface Chosen {
  readonly engine: Engine;
  readonly engineName: EngineName;
  /** null: the agent's own default. */
  readonly model: string | null;
  /** Its target is the one that is asked, or none. */
  readonly settings: SuiteSettings;
}

/** Throws a UserError where it is not clear who is meant. */
export function chooseTarget(given: SuiteSettings, asked: Asked): Chosen {
  const engineName = engineNamed(asked.engine ?? given.target?.engine ?? given.engine);
  const target = given.target?.engine === engineName ? given.target : undefined;
  const { target: _, ...rest } = given;
  const settings = { ...rest, engine: engineName, ...(target && { target }) };
  const model = asked.model ?? target?.model ?? null;
  const chosen = { engineName, settings };
  if (engineName === 'completion') return { ...chosen, ...bareModel(model, target?.provider ?? null) };
  if (engineName === 'command' && !settings.command && !target?.shell) {
    throw new UserError(
      'the engine "command" needs to know what to run',
      'add to evals/eval-config.json, for example:  "command": ["my-agent", "{prompt}"]',
    );
  }
  const shell = engineName === 'command' ? (target?.shell ?? null) : null;
  return { ...chosen, model, engine: shell === null ? ENGINES[engineName] : shellAgent(shell) };
}

const PROVIDERS: readonly JudgeProvider[] = ['anthropic', 'openai', 'google'];

function bareModel(name: string | null, known: JudgeProvider | null): Pick<Chosen, 'engine' | 'model'> {
  if (name === null) {
    throw new UserError(
      'the engine "completion" asks a bare model and needs to know which',
      'name it:  --engine completion --model <model>',
    );
  }
  const written = PROVIDERS.find((it) => name.startsWith(`${it}/`));
  const model = written === undefined ? name : name.slice(written.length + 1);
  const provider = known ?? written ?? providerOf(model);
  if (provider === null) {
    throw new UserError(
      `--model ${name}: it is not clear whose model this is`,
      `put the provider in front:  ${PROVIDERS.map((it) => `${it}/${name}`).join(', ')}`,
    );
  }
  return { model, engine: completionOf(provider) };
}
