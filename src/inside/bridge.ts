/**
 * Runs a program that knows only TCP and lets it reach a unix socket: `node bridge.js <socket> -- <command…>`.
 * The loopback port it listens on takes the place of __AAM_PORT__ in the command.
 */
import { spawn } from 'node:child_process';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { constants } from 'node:os';

const PLACEHOLDER = '__AAM_PORT__';
const USAGE_ERROR = 64;
const NOT_FOUND = 127;

const [socket, separator, ...command] = process.argv.slice(2);
if (socket === undefined || separator !== '--' || command.length === 0) {
  process.stderr.write('usage: bridge <socket> -- <command…>\n');
  process.exit(USAGE_ERROR);
}

const server = createServer({ allowHalfOpen: true }, (client) => {
  join(client, connect({ path: socket, allowHalfOpen: true }));
});
server.on('error', (error) => fail(`cannot listen on loopback: ${error.message}`));
server.listen(0, '127.0.0.1', () => start((server.address() as AddressInfo).port));

/** Passes on what either end says, and its end of speech. When one breaks, so does the other. */
function join(client: Socket, upstream: Socket): void {
  const ends = [client, upstream] as const;
  for (const [one, other] of [ends, [upstream, client]] as const) {
    one.setNoDelay(true);
    // Unless told not to end, `pipe` looks at process.stdout, and Node then makes the program's own output non-blocking.
    one.pipe(other, { end: false });
    one.on('end', () => other.end());
    one.on('error', () => other.destroy());
    one.on('close', () => {
      // A clean end has been passed on already: what was written before it must still get through.
      if (!one.readableEnded) other.destroy();
    });
  }
}

function start(port: number): void {
  const [file = '', ...args] = command.map((it) => it.replaceAll(PLACEHOLDER, String(port)));
  // First: a signal that came before anybody listens would end this process alone, and leave the program behind.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  const child = spawn(file, args, { stdio: 'inherit' });
  child.on('error', (error) => {
    if (child.pid === undefined) fail(`cannot start ${file}: ${error.message}`);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal ?? 'SIGKILL']));
}

function fail(message: string): void {
  process.stderr.write(`bridge: ${message}\n`);
  process.exit(NOT_FOUND);
}
