/** Runs commands interleaved, several rounds, and compares their medians: machines are noisy, ratios less so. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import process from 'node:process';

const LOOK_MS = 20;
const MAX_MS = 30 * 60_000;
/** Linux tells processor time in these, whatever its kernel counts in. */
const TICK_SECONDS = 0.01;

/**
 * contestants: name → {argv, env?, cwd?, before?(), check(result)}; the first is the floor. Each round runs all of them
 * once, one after the other. Returns name → {seconds, cpuSeconds, peakMb}: medians; processor time and memory are those
 * of the process itself and of its spawner, without the processes that they start.
 */
export async function compare(contestants, rounds, { warmUp = true } = {}) {
  const all = Object.fromEntries(Object.keys(contestants).map((name) => [name, []]));
  for (let round = warmUp ? -1 : 0; round < rounds; round++) {
    for (const [name, contestant] of Object.entries(contestants)) {
      const measured = await measure(name, contestant);
      // The first round warms the disk cache.
      if (round >= 0) all[name].push(measured);
    }
  }
  return Object.fromEntries(Object.entries(all).map(([name, list]) => [name, medians(list)]));
}

export async function measure(name, { argv, env, cwd, before, check }) {
  await before?.();
  const [file, ...args] = argv;
  const started = performance.now();
  const child = spawn(file, args, { env: env ?? process.env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  /** pid → what it has used. */
  const uses = new Map();
  const looking = setInterval(() => look(child.pid, uses), LOOK_MS);
  const late = setTimeout(() => child.kill('SIGKILL'), MAX_MS);
  const output = { stdout: [], stderr: [] };
  for (const stream of ['stdout', 'stderr']) child[stream].on('data', (chunk) => output[stream].push(chunk));
  try {
    const status = await new Promise((ended, failed) => child.on('error', failed).on('close', ended));
    const seconds = (performance.now() - started) / 1000;
    const text = (stream) => Buffer.concat(output[stream]).toString();
    await check({ status, stdout: text('stdout'), stderr: text('stderr') }, name);
    const sum = (key) => [...uses.values()].reduce((all, it) => all + it[key], 0);
    return { seconds, cpuSeconds: sum('cpuSeconds'), peakMb: sum('peakMb') };
  } finally {
    clearInterval(looking);
    clearTimeout(late);
  }
}

function look(pid, uses) {
  const own = useOf(pid, 'VmHWM');
  if (own) uses.set(pid, own);
  for (const it of spawnersOf(pid, uses)) {
    // The program itself is in memory once.
    const use = useOf(it, 'RssAnon');
    if (use) uses.set(it, { ...use, peakMb: Math.max(use.peakMb, uses.get(it)?.peakMb ?? 0) });
  }
}

/** Once found it is not looked for again: there are many processes. */
function spawnersOf(pid, uses) {
  const known = [...uses.keys()].filter((it) => it !== pid);
  if (known.length > 0) return known;
  return textOf(`/proc/${pid}/task/${pid}/children`)
    .split(' ')
    .filter((it) => it !== '' && textOf(`/proc/${it}/cmdline`).includes('/host/spawner/program.js'));
}

function textOf(path) {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

/** `memory`: the line that tells it. null: it is gone. */
function useOf(pid, memory) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    const peak = new RegExp(`^${memory}:\\s+(\\d+) kB`, 'm').exec(status);
    if (!peak) return null;
    const cpuSeconds = (Number(fields[11]) + Number(fields[12])) * TICK_SECONDS;
    return { cpuSeconds, peakMb: Number(peak[1]) / 1024 };
  } catch {
    return null;
  }
}

function medians(list) {
  const keys = Object.keys(list[0]);
  return Object.fromEntries(keys.map((key) => [key, median(list.map((it) => it[key]))]));
}

function median(list) {
  const sorted = [...list].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
