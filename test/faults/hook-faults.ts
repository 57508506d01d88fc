/** Hooks of a package that hang, or end their agent. */
import { commandScript, ENGINE_NAMES } from '../helpers/eval.ts';
import type { Fault } from './fault.ts';
import { ANSWER, type Experiment, type LabEngine } from './lab.ts';

/** Holds on to life, and leaves something behind. */
const HANGING = `trap '' TERM INT HUP; setsid sleep 600 & sleep 600; sleep 600`;

/** Of claude and codex, wherever they are among the processes. */
const KILLING = `for it in /proc/[0-9]*; do read -r name < $it/comm && case $name in claude|codex) kill -9 "\${it#/proc/}";; esac; done; sleep 600`;

function withHook(engine: LabEngine, event: string, timeout: number, command = HANGING): Experiment {
  return {
    engine,
    files: {
      'hooks/hooks.json': {
        version: 1,
        hooks: { [event]: [{ hooks: [{ type: 'command', command, timeout }] }] },
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
  {
    name: 'a hook kills the agent before it asks its model',
    engines: ENGINE_NAMES,
    ...{ verdict: 'FAIL', kind: 'agent-crashed', exit: 1 },
    says: 'the agent ended with exit code 137 without an answer while a hook of the package ran',
    inject: (lab, engine) => lab.run(withHook(engine, 'session-start', 300, KILLING)),
  },
];
