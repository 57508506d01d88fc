/** Tells when files below some folders change; bursts of changes count once. */
import { watch } from 'chokidar';

const SETTLE_MS = 150;
const IGNORED = /(?:^|\/)(?:\.git|node_modules|\.aam|\.agent-packages|\.venv|__pycache__)(?:\/|$)/;

/** Each item is the set of files that changed since the last one. Ends when the signal aborts. */
export async function* watchFolders(
  folders: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<string[]> {
  const watcher = watch([...folders], { ignoreInitial: true, ignored: (path) => IGNORED.test(path) });
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let wake = () => {};
  watcher.on('all', (_, path) => {
    changed.add(path);
    clearTimeout(timer);
    timer = setTimeout(() => wake(), SETTLE_MS);
  });
  const onAbort = () => wake();
  signal.addEventListener('abort', onAbort);
  try {
    while (!signal.aborted) {
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (signal.aborted) resolve();
      });
      if (signal.aborted || changed.size === 0) continue;
      const paths = [...changed];
      changed.clear();
      yield paths;
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    clearTimeout(timer);
    await watcher.close();
  }
}
