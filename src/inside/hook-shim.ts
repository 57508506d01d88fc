/**
 * Stands between an agent CLI and one hook of a package:
 * `node hook-shim.js <definitions.json> <report-socket> <engine> <event> <group> <index>`.
 *
 * The CLI's payload comes in on stdin in snake_case. The hook gets it as packages expect it: the names of the first
 * level in camelCase (tool_input → toolInput, what is inside it untouched), hookEventName in the package's spelling.
 * That it began, and what it did, go to the socket as one line of JSON each (src/model/hook-log.ts); its answer goes back
 * to the CLI in the CLI's own words. CLIs go ahead when a hook fails, so a failure of the shim itself is exit code 1.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { constants } from 'node:os';
import { text } from 'node:stream/consumers';
import { type Ended, type Fields, isFields, type Reading, readHook } from './hook-answer.ts';

interface Definition {
  readonly event: string;
  readonly group: number;
  readonly index: number;
  readonly command: string | null;
  readonly timeoutSeconds: number;
  readonly packageRoot: string;
}

const KEPT_BYTES = 1024 * 1024;
const REPORTED_CHARACTERS = 16 * 1024;
const REPORT_MS = 1000;
/** How long pipes may stay open after the hook ended: something it started holds them. */
const PIPE_GRACE_MS = 500;
/** The kernel refuses longer environment values. */
const MAX_ENV_BYTES = 100_000;

const [definitionsFile = '', socket = '', engine = '', event = '', group = '', index = ''] =
  process.argv.slice(2);
const position = { event, group: Number(group) || 0, index: Number(index) || 0 };
const started = performance.now();

try {
  const definition = findDefinition();
  const payload = parsePayload(await text(process.stdin));
  // Else nobody would know of a hook that is still running when all is ended. Not waited for: once it ended, it is no matter.
  void send({ began: true, ...position });
  const ended = await run(definition, payload);
  const reading = readHook(ended, event, String(payload['hook_event_name'] ?? ''));
  const toolName = typeof payload['tool_name'] === 'string' ? payload['tool_name'] : null;
  await report({ ...ended, command: definition.command ?? '', toolName }, reading);
  await answer(reading.answer);
} catch (problem) {
  const error = `could not be run: ${(problem as Error).message}`;
  const nothing = { command: '', toolName: null, exitCode: null, stdout: '', stderr: '' };
  await report(nothing, { decision: 'none', reason: '', error });
  await answer({ exitCode: 1, stdout: '', stderr: `the hook ${error}\n` });
}

function findDefinition(): Definition {
  const all = JSON.parse(readFileSync(definitionsFile, 'utf8')) as readonly Definition[];
  const found = all.find(
    (it) => it.event === event && it.group === Number(group) && it.index === Number(index),
  );
  if (!found) throw new Error(`there is no hook ${index} in group ${group} of ${event}`);
  if (found.command === null) throw new Error('it is a prompt, and only commands are run');
  return found;
}

function parsePayload(input: string): Fields {
  const payload: unknown = JSON.parse(input);
  if (!isFields(payload)) throw new Error(`${engine} sent a payload that is not a map of keys`);
  return payload;
}

function canonical(payload: Fields): Fields {
  const entries = Object.entries(payload).map(([key, value]) => [
    key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()),
    value,
  ]);
  return { ...Object.fromEntries(entries), hookEventName: event };
}

function run({ command, timeoutSeconds, packageRoot }: Definition, payload: Fields): Promise<Ended> {
  const input = JSON.stringify(canonical(payload));
  const cwd =
    typeof payload['cwd'] === 'string' && existsSync(payload['cwd']) ? payload['cwd'] : process.cwd();
  const extra = Object.entries({ PACKAGE_ROOT: packageRoot, file: fileOf(payload), ARGUMENTS: input });
  const env = {
    ...process.env,
    ...Object.fromEntries(
      extra.filter(([, value]) => Buffer.byteLength(value) < MAX_ENV_BYTES && !value.includes('\0')),
    ),
  };
  return new Promise((settle) => {
    let failure: string | null = null;
    const end = (why: string) => {
      failure ??= why;
      killGroup(child);
    };
    // First of all: a signal that comes before there is anybody to take it would end the shim without a word.
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
      process.on(signal, () => end(`was ended by ${engine} with ${signal}`));
    const child = spawn('/bin/sh', ['-c', command ?? ''], { cwd, env, detached: true });
    const stdout = keep(child.stdout);
    const stderr = keep(child.stderr);
    const late = `was still running after ${timeoutSeconds} s; it and all it started were ended`;
    const timer = setTimeout(() => end(late), timeoutSeconds * 1000);
    // A hook that ends without reading its input is no error.
    child.stdin.on('error', () => {}).end(input);
    child.on('error', (error) => {
      failure ??= `could not be started: ${error.message}`;
    });
    child.on('exit', () => {
      setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
      }, PIPE_GRACE_MS).unref();
    });
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      const exitCode = failure === null ? (code ?? 128 + constants.signals[signal ?? 'SIGKILL']) : null;
      const truncated = stdout.bytes > KEPT_BYTES;
      settle({ exitCode, stdout: stdout.text(), stderr: stderr.text(), truncated, failure });
    });
  });
}

/** The file a call is about: named by its input, or by the first header of a patch. */
function fileOf({ tool_input: input }: Fields): string {
  if (!isFields(input)) return '';
  if (typeof input['file_path'] === 'string') return input['file_path'];
  const patch = typeof input['command'] === 'string' ? input['command'] : '';
  return /^\*\*\* (?:Add|Update|Delete) File: (.+)$/m.exec(patch)?.[1]?.trim() ?? '';
}

function keep(stream: NodeJS.ReadableStream) {
  const chunks: Buffer[] = [];
  const kept = { bytes: 0, text: () => Buffer.concat(chunks).toString() };
  stream.on('data', (chunk: Buffer) => {
    const room = KEPT_BYTES - kept.bytes;
    if (room > 0) chunks.push(chunk.subarray(0, room));
    kept.bytes += chunk.length;
  });
  return kept;
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // The group is gone already.
  }
}

interface Facts extends Pick<Ended, 'exitCode' | 'stdout' | 'stderr'> {
  readonly command: string;
  readonly toolName: string | null;
}

function report(facts: Facts, { decision, reason, error }: Omit<Reading, 'answer'>): Promise<void> {
  return send({
    ...position,
    command: short(facts.command),
    toolName: facts.toolName,
    exitCode: facts.exitCode,
    decision,
    reason: short(reason),
    stdout: short(facts.stdout),
    stderr: short(facts.stderr),
    error: error === null ? null : short(error),
    durationMs: Math.round(performance.now() - started),
  });
}

/** Never fails and never takes long: the hook matters more than the word about it. */
function send(line: object): Promise<void> {
  return new Promise((done) => {
    setTimeout(done, REPORT_MS);
    try {
      const connection = connect(socket);
      connection.on('error', () => done());
      connection.on('close', () => done());
      connection.end(`${JSON.stringify(line)}\n`);
    } catch {
      done();
    }
  });
}

function short(value: string): string {
  return value.slice(0, REPORTED_CHARACTERS);
}

async function answer({ exitCode, stdout, stderr }: Reading['answer']): Promise<never> {
  await Promise.all([written(process.stdout, stdout), written(process.stderr, stderr)]);
  process.exit(exitCode);
}

function written(stream: NodeJS.WriteStream, content: string): Promise<void> {
  return new Promise((done) => {
    stream.on('error', () => done());
    stream.write(content, () => done());
  });
}
