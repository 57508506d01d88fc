/** Hooks of a package that hang. */
import { commandScript, ENGINE_NAMES } from '../helpers/eval.ts';
import type { Fault } from './fault.ts';
import { ANSWER, type Experiment, type LabEngine } from './lab.ts';

/** Holds on to life, and leaves something behind. */
const HANGING = `trap '' TERM INT HUP; setsid sleep 600 & sleep 600; sleep 600`;

function withHook(engine: LabEngine, event: string, timeout: number): Experiment {
  return {
    engine,
    files: {
      'hooks/hooks.json': {
        version: 1,
        hooks: { [event]: [{ hooks: [{ type: 'command', command: HANGING, timeout }] }] },
      },
    },
    script: commandScript(engine === 'codex' ? 'codex' : 'claude-code', 'true', ANSWER),
  };
}

export const HOOK_FAULTS: readonly Fault[] = [
  {
    name: 'a hook hangs for longer than its own `timeout`',
    engines: ENGINE_NAMES,
    ...{ verdict: 'PASS', kind: null, exit: 0 },
    says: 'the pre-tool-use hook … is broken: was still running after 1 s; it and all it started were ended',
    inject: (lab, engine) => lab.run(withHook(engine, 'pre-tool-use', 1)),
  },
  {
    name: 'a hook hangs for longer than the case has',
    engines: ENGINE_NAMES,
    ...{ verdict: 'FAIL', kind: 'timeout', exit: 1 },
    says: 'the agent was still running after 20 s; …the session-start hook … was still running when the agent was ended',
    inject: (lab, engine) =>
      lab.run({ ...withHook(engine, 'session-start', 300), args: ['--timeout', '20'] }),
  },
];
