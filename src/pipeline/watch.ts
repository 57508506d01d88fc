/** Tells when files below some folders change; bursts of changes count once. */
import { setTimeout as sleep } from 'node:timers/promises';
import { watch } from 'chokidar';

const SETTLE_MS = 150;
const IGNORED = /(?:^|\/)(?:\.git|node_modules|\.aam|\.agent-packages|\.venv|__pycache__)(?:\/|$)/;

/**
 * Each item is what changed since the last one; the first comes, empty, once the folders are watched. Ends when the
 * signal aborts.
 */
export async function* watchFolders(
  folders: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<string[]> {
  const watcher = watch([...folders], { ignoreInitial: true, ignored: (path) => IGNORED.test(path) });
  const changed = new Set<string>();
  let quietFrom = 0;
  let wake = () => {};
  const woken = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });
  const onAbort = () => wake();
  signal.addEventListener('abort', onAbort);
  try {
    await Promise.race([new Promise((ready) => watcher.once('ready', () => ready(null))), woken()]);
    watcher.on('all', (_, path) => {
      changed.add(path);
      quietFrom = performance.now() + SETTLE_MS;
      wake();
    });
    yield [];
    while (!signal.aborted) {
      const wait = quietFrom - performance.now();
      if (changed.size === 0) await woken();
      else if (wait > 0) await Promise.race([sleep(wait), woken()]);
      else {
        const paths = [...changed];
        changed.clear();
        yield paths;
      }
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    await watcher.close();
  }
}
