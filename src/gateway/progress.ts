/** Tells bytes of real events from signs of life, in a stream that may be cut anywhere. */

export interface ProgressReader {
  /** Says whether these bytes belong, in part at least, to an event that is more than a sign of life. */
  add(chunk: Uint8Array): boolean;
}

const RETURN = 0x0d;
const FEED = 0x0a;
const PINGS = ['event: ping', 'event:ping'];

/** Comments and the `ping` events of Anthropic say only that the connection is open. */
export function createProgressReader(): ProgressReader {
  /** As much of the line as it takes to know what it is. */
  let line = '';
  let kind: 'open' | 'real' | 'quiet' = 'open';
  let isPing = false;
  let afterReturn = false;
  const endLine = () => {
    if (line === '') isPing = false;
    else if (kind === 'open') isPing ||= PINGS.includes(line);
    line = '';
    kind = 'open';
  };
  const extend = (byte: number) => {
    line += String.fromCharCode(byte);
    if (PINGS.some((ping) => ping.startsWith(line))) return;
    kind = isPing || line.startsWith(':') ? 'quiet' : 'real';
  };
  return {
    add(chunk) {
      let isProgress = false;
      for (const byte of chunk) {
        const isSecondHalf = byte === FEED && afterReturn;
        afterReturn = byte === RETURN;
        if (isSecondHalf) continue;
        if (byte === RETURN || byte === FEED) endLine();
        else if (kind === 'open') extend(byte);
        isProgress ||= kind === 'real';
      }
      return isProgress;
    },
  };
}

/** For answers that are no stream of events. */
export const EVERY_BYTE: ProgressReader = { add: (chunk) => chunk.length > 0 };
