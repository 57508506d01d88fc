/** The small process of a Spawner: starts what it is told to, and says what becomes of it. Ends with whoever started it. */
import { Socket } from 'node:net';
import process from 'node:process';
import { type Child, type ChildEvents, type ChildPlan, startChild } from '../child.ts';
import { FrameReader, frame, KIND } from './frames.ts';

/** What is told at once in one piece: messages that come within this time, until something has ended. */
const GATHER_MS = 5;
const GATHER_BYTES = 64 * 1024;
/** A sandbox that does not tell what is in it is given up after three seconds. */
const END_MS = 4000;

// Each child's group is ended once more when it is over, and mostly there is none: an error that nobody reads.
Error.stackTraceLimit = 0;

const orders = new Socket({ fd: 3 });
const children = new Map<number, Child>();
let waiting: Buffer[] = [];
let bytes = 0;
let timer: NodeJS.Timeout | undefined;
let isEnding = false;

function flush(): void {
  clearTimeout(timer);
  timer = undefined;
  const all = waiting.length === 1 ? waiting[0] : Buffer.concat(waiting);
  waiting = [];
  bytes = 0;
  if (all && !isEnding && !orders.write(all)) for (const child of children.values()) child.listen(false);
}

function tell(kind: number, id: number, body: Buffer | string): void {
  const message = frame(kind, id, body);
  waiting.push(message);
  bytes += message.length;
  if (kind === KIND.closed || kind === KIND.failed || bytes > GATHER_BYTES) flush();
  else timer ??= setTimeout(flush, GATHER_MS);
}

function start(id: number, plan: ChildPlan): void {
  const over = (kind: number, value: unknown) => {
    children.delete(id);
    tell(kind, id, JSON.stringify(value));
    if (isEnding && children.size === 0) process.exit();
  };
  const events: ChildEvents = {
    started: (pid) => tell(KIND.started, id, String(pid)),
    stdout: (chunk) => tell(KIND.stdout, id, chunk),
    stderr: (chunk) => tell(KIND.stderr, id, chunk),
    status: (text) => tell(KIND.status, id, text),
    closed: (exitCode) => over(KIND.closed, exitCode),
    failed: (failure) => over(KIND.failed, failure),
  };
  let isOver = false;
  const child = startChild(plan, {
    ...events,
    failed(failure) {
      isOver = true;
      events.failed(failure);
    },
  });
  if (!isOver) children.set(id, child);
  if (orders.writableNeedDrain) child.listen(false);
}

function end(): void {
  if (isEnding) return;
  isEnding = true;
  if (children.size === 0) process.exit();
  for (const child of children.values()) {
    child.listen(true);
    child.end();
  }
  setTimeout(() => process.exit(), END_MS);
}

const reader = new FrameReader(({ kind, id, body }) => {
  if (kind === KIND.start) start(id, JSON.parse(body.toString()));
  else if (children.has(id)) {
    children.get(id)?.end();
    tell(KIND.ending, id, '');
  }
});
orders
  .on('data', (chunk) => reader.add(chunk))
  .on('drain', () => {
    for (const child of children.values()) child.listen(true);
  })
  .on('end', end)
  .on('error', end)
  .on('close', end);
// Whoever started it says when it is over.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
tell(KIND.ready, 0, '');
flush();
