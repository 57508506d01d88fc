/** An agent that a shell command of the user's starts, with placeholders for what it is asked. */
import { basename, join } from 'node:path';
import type { ShellAgent } from '../model/target.ts';
import type { Engine, EngineRequest } from './engine.ts';
import { readShellAnswer } from './shell/answer.ts';

const PROMPT_FILE = 'prompt.txt';
const OUTPUT_FILE = 'answer.txt';

export function shellAgent({ command: template, filesFormat }: ShellAgent): Engine {
  const asksFor = (name: string) => template.includes(`{${name}}`);
  return {
    id: 'command',
    provider: null,
    confirmsBlocks: [],
    finalStatus: null,
    shows: { actions: false, hooks: false, skills: false },
    keepsSessions: false,
    takesInstructions: true,
    command(request) {
      const { instructions, configDir, workspace } = request;
      // It has no other place for instructions.
      const prompt = instructions === undefined ? request.prompt : `${instructions}\n\n${request.prompt}`;
      const output = join(configDir, OUTPUT_FILE);
      const script = filled(template, {
        PROMPT: quoted(prompt),
        PROMPT_FILE: quoted(join(configDir, PROMPT_FILE)),
        OUTPUT_FILE: quoted(output),
        FILES: filesIn(request, filesFormat),
        EVAL_ID: quoted(request.about?.evalId ?? ''),
        ATTEMPT: quoted(String(request.about?.attempt ?? 0)),
      });
      const configFiles: Record<string, string> = asksFor('PROMPT_FILE') ? { [PROMPT_FILE]: prompt } : {};
      return {
        argv: asksFor('OUTPUT_FILE')
          ? ['/bin/sh', '-c', WITH_OUTPUT_FILE, 'sh', script, output]
          : ['/bin/sh', '-c', script],
        env: { AGENTV_WORKSPACE_PATH: workspace },
        stdin: null,
        configFiles,
        needsConfig: asksFor('OUTPUT_FILE'),
      };
    },
    read: readShellAnswer,
  };
}

/** What the command prints is for people then: the answer is in the file. */
const WITH_OUTPUT_FILE = `
/bin/sh -c "$1" >&2
code=$?
if [ -f "$2" ]; then cat "$2"
elif [ "$code" -eq 0 ]; then echo 'the command wrote no answer to {OUTPUT_FILE}' >&2; exit 1
fi
exit "$code"
`;

/** In one pass: what looks like a placeholder in the prompt is none. */
function filled(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{([A-Z_]+)\}/g, (whole, name: string) => values[name] ?? whole);
}

function filesIn({ about, workspace }: EngineRequest, format: string): string {
  return (about?.files ?? [])
    .map((file) => {
      const path = join(workspace, file);
      const values: Readonly<Record<string, string>> = {
        path: quoted(path),
        basename: quoted(basename(path)),
      };
      return format.replace(/\{(path|basename)\}/g, (_, name: string) => values[name] ?? '');
    })
    .join(' ');
}

/** One word of a shell, whatever is in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
