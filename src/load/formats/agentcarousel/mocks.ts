/** `mocks/*.json`: what the mock subject answers. */
import { readdirSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import type { MockAnswer } from '../../../model/case.ts';
import { type Diagnostic, finding, type Located } from '../../../model/diagnostic.ts';
import { type FixtureMock, fixtureMocks } from '../../../model/fixture.ts';
import type { Json } from '../../../model/tests.ts';
import { decode } from '../../decode.ts';
import { parseJson } from '../../json.ts';
import { readText } from '../../read-text.ts';

/** The pseudo tool whose answer is the agent's. */
const ANSWER_TOOL = 'agent_response';

export interface Mocks {
  /** By file name, then in the order of the file. */
  readonly answers: readonly Answer[];
  readonly diagnostics: readonly Diagnostic[];
}

interface Answer {
  /** null: of any case. */
  readonly caseId: string | null;
  readonly mock: MockAnswer;
  /** Absolute path of its file. */
  readonly path: string;
}

/** `home`: what the paths of findings are relative to. */
export async function readMocks(folder: string, home: string): Promise<Mocks> {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort();
  const files = await Promise.all(names.map((name) => readMockFile(join(folder, name), home)));
  return {
    answers: files.flatMap(({ answers }) => answers),
    diagnostics: files.flatMap(({ diagnostics }) => diagnostics),
  };
}

/** The first that fits; null: there is none. */
export function answerTo(id: string, { answers }: Mocks): Answer | null {
  return answers.find(({ caseId }) => caseId === null || caseId === id) ?? null;
}

async function readMockFile(path: string, home: string): Promise<Mocks> {
  const file = relative(home, path).split(sep).join('/');
  const read = await readText(join(path, '..'), basename(path));
  if ('problem' in read) return { answers: [], diagnostics: [{ ...read.problem, file }] };
  const { located, diagnostics } = decode(fixtureMocks, parseJson(read.text, file));
  if (located === null) return { answers: [], diagnostics };
  const found: Diagnostic[] = [...diagnostics];
  const answers = located.value.flatMap((stub, index) => {
    if (stub.tool !== ANSWER_TOOL) return [];
    const caseId = caseIdOf(stub);
    const mock = toMock(stub.response, index, located, found);
    return caseId === undefined || mock === null ? [] : [{ caseId, mock, path }];
  });
  return { answers, diagnostics: found };
}

/** null: any case; undefined: it asks for more than a call has, so that it never fits. */
function caseIdOf({ args_match: wanted }: FixtureMock): string | null | undefined {
  if (wanted === undefined || wanted === null) return null;
  if (typeof wanted !== 'object' || Array.isArray(wanted)) return undefined;
  const { case_id: id, ...others } = wanted;
  if (Object.keys(others).length > 0) return undefined;
  return id === undefined ? null : typeof id === 'string' ? id : undefined;
}

function toMock(
  response: Json,
  index: number,
  located: Located<FixtureMock[]>,
  found: Diagnostic[],
): MockAnswer | null {
  if (typeof response === 'string') return { response, toolCalls: [] };
  if (typeof response !== 'object' || response === null || Array.isArray(response))
    return { response: JSON.stringify(response), toolCalls: [] };
  const { content, tool_calls: written, ...others } = response;
  const toolCalls = readCalls(written);
  if (toolCalls === null) {
    const message = 'tool_calls must be a list of {"tool": "…", "args": {…}, "result": "…"}';
    found.push(finding('error', located, [index, 'response', 'tool_calls'], { rule: 'wrong-type', message }));
    return null;
  }
  if (typeof content === 'string') return { response: content, toolCalls };
  const isEmpty = Object.keys(others).length === 0;
  return { response: isEmpty && toolCalls.length > 0 ? '' : JSON.stringify(others), toolCalls };
}

function readCalls(written: Json | undefined): MockAnswer['toolCalls'] | null {
  if (written === undefined || written === null) return [];
  if (!Array.isArray(written)) return null;
  const calls = written.map((call) => {
    if (typeof call !== 'object' || call === null || Array.isArray(call)) return null;
    const { tool, args, result = '', ...others } = call;
    if (typeof tool !== 'string' || tool === '' || Object.keys(others).length > 0) return null;
    return {
      tool,
      input: args ?? null,
      output: typeof result === 'string' ? result : JSON.stringify(result),
    };
  });
  return calls.every((call) => call !== null) ? calls : null;
}
