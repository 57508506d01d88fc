/** The event a hook test sends: the fixture, with the case's overrides laid over it. */
import { parseJson } from '../load/json.ts';
import { readText } from '../load/read-text.ts';
import type { HookTestCase, Json } from '../model/tests.ts';

type Payload = Record<string, unknown>;

export async function buildPayload(
  packageRoot: string,
  testsDir: string,
  { event, input }: HookTestCase,
): Promise<Payload | { readonly problem: string }> {
  const payload =
    input.fixture === undefined ? {} : await readFixture(packageRoot, `${testsDir}/${input.fixture}`);
  if (typeof payload === 'string') return { problem: payload };
  if (!('hookEventName' in payload)) payload['hookEventName'] = event;
  for (const [path, value] of Object.entries(input.overrides ?? {})) setPath(payload, path, value);
  return payload;
}

/** The fixture, or a sentence on what is wrong with it. */
async function readFixture(root: string, file: string): Promise<Payload | string> {
  const result = await readText(root, file);
  if ('problem' in result) return `${file} ${result.problem.message}`;
  const { value, diagnostics } = parseJson(result.text, file);
  const problem = diagnostics.find((it) => it.severity === 'error');
  if (problem) return `${file}:${problem.line}:${problem.column}: ${problem.message}`;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return `${file}: an event is a map of keys`;
  return value as Payload;
}

function setPath(target: Payload, path: string, value: Json): void {
  const steps = path.split('.');
  let node: Payload = target;
  for (const step of steps.slice(0, -1)) {
    const next = Object.hasOwn(node, step) ? node[step] : undefined;
    if (typeof next === 'object' && next !== null) node = next as Payload;
    else {
      const created: Payload = {};
      define(node, step, created);
      node = created;
    }
  }
  define(node, steps.at(-1) ?? '', value);
}

/** An own property even when it is called __proto__. */
function define(target: Payload, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}
