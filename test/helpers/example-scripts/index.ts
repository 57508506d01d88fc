/** A model that plays every eval case of an example package, several at once if need be. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { AgentEngine } from '../eval.ts';
import { type ModelRequest, type Script, type Turn, verdicts } from '../model-server.ts';
import { hookBlocksProtectedWrite } from './hook-blocks-protected-write.ts';
import { hookLetsOrdinaryWritesThrough } from './hook-lets-ordinary-writes-through.ts';
import { ledgerStaysClosed } from './ledger-stays-closed.ts';
import { onePageOnly } from './one-page-only.ts';
import { pdfExtractionE2e } from './pdf-extraction-e2e.ts';
import { scanIsNotInvented } from './scan-is-not-invented.ts';
import { type CaseScript, type ScriptedTurn, SPEECH } from './script.ts';
import { tableCheckerFindsWrongRow } from './table-checker-finds-wrong-row.ts';

export const EXAMPLES = fileURLToPath(new URL('../../../examples', import.meta.url));

const CASE_SCRIPTS: readonly CaseScript[] = [
  pdfExtractionE2e,
  hookBlocksProtectedWrite,
  hookLetsOrdinaryWritesThrough,
  onePageOnly,
  scanIsNotInvented,
  tableCheckerFindsWrongRow,
  ledgerStaysClosed,
];

/** Codex offers apply_patch only to models that it knows. */
export const EXAMPLE_MODELS: Readonly<Record<AgentEngine, string>> = {
  'claude-code': 'claude-sonnet-5-5',
  codex: 'gpt-5.5',
};

/** Tells the cases of a package apart by their prompts. */
export async function exampleModel(packageName: string, engine: AgentEngine): Promise<Script> {
  const scripts = CASE_SCRIPTS.filter((it) => it.package === packageName);
  const played = await Promise.all(
    scripts.map(async (script) => ({ script, prompt: JSON.stringify(await promptOf(script)).slice(1, -1) })),
  );
  const speech = SPEECH[engine];
  return (request) => {
    const asked = JSON.stringify(request.body);
    const helper = scripts.find(({ subAgent }) => subAgent && asked.includes(subAgent.knownBy))?.subAgent;
    if (helper) return turnOf(helper.turns(speech), request);
    const found = played.find(({ prompt }) => asked.includes(prompt));
    return found ? turnOf(found.script.turns(speech), request) : { text: 'No script is about this request.' };
  };
}

/** Decides as the scripts say, by the prompt in what it is shown. */
export async function exampleJudge(packageName: string): Promise<(request: ModelRequest) => Turn> {
  const judged = await Promise.all(
    CASE_SCRIPTS.filter((it) => it.package === packageName && it.judge).map(async ({ judge, ...script }) => ({
      prompt: JSON.stringify(await promptOf(script)).slice(1, -1),
      verdict: { id: 'criteria', ...judge, verdict: 'PASS' },
    })),
  );
  return (request) => {
    const asked = JSON.stringify(request.body);
    const found = judged.find(({ prompt }) => asked.includes(prompt));
    return found ? verdicts(request, [found.verdict]) : { text: 'No script is about this question.' };
  };
}

async function promptOf({
  package: name,
  case: stem,
}: Pick<CaseScript, 'package' | 'case'>): Promise<string> {
  const definition = parse(await readFile(`${EXAMPLES}/${name}/evals/cases/${stem}.yaml`, 'utf8'));
  return definition.input.prompt;
}

/** A conversation that goes on after the script's end has lost its way; saying so shows it in the report. */
function turnOf(turns: readonly ScriptedTurn[], request: ModelRequest): Turn {
  const turn = turns[request.turn];
  if (turn === undefined) return { text: 'The script ends here.' };
  return typeof turn === 'function' ? turn(request) : turn;
}
