/** `npm run bench:docs`: writes the tables of docs/performance.md from bench/results.json and bench/peers.json. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { here } from './places.js';

const file = here('../docs/performance.md');
const TABLES = {
  benches: () => read('./results.json', benchTables),
  growth: () => read('./results.json', growthTable),
  peers: () => read('./peers.json', peerTables),
};

let text = readFileSync(file, 'utf8');
for (const [name, make] of Object.entries(TABLES)) {
  const made = make();
  if (made === null) {
    console.log(`${name} stays as it is: nothing was measured`);
    continue;
  }
  const place = new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(<!-- /${name} -->)`);
  if (!place.test(text)) throw new Error(`docs/performance.md has no place for ${name}`);
  text = text.replace(place, (_, before, after) => `${before}\n${made}\n\n${after}`);
}
writeFileSync(file, text);

function read(path, use) {
  const from = here(path);
  return existsSync(from) ? use(JSON.parse(readFileSync(from, 'utf8')).benches) : null;
}

function benchTables(benches) {
  const all = Object.keys(benches)
    .sort()
    .map((id) => benches[id]);
  const rows = all.flatMap((it) => it.rows.flatMap((row) => comparisons(row)));
  const head = ['', 'floor', 'aam', 'ratio', 'aim', 'CPU per case', 'peak memory', 'rounds'];
  return `${measuredOn(all)}\n\n${markdown(head, rows)}`;
}

function comparisons({ bench, rounds, aim, cases, measured }) {
  const [[floorName, floor], ...others] = Object.entries(measured);
  return others.map(([name, it]) => [
    `${bench}: \`${name}\` against ${floorName}`,
    seconds(floor.seconds),
    seconds(it.seconds),
    ratio(it, floor),
    aim ?? '',
    cases ? `${(((it.cpuSeconds - floor.cpuSeconds) * 1000) / cases).toFixed(2)} ms` : '',
    `${Math.round(it.peakMb)} MB`,
    rounds,
  ]);
}

function growthTable({ c }) {
  if (!c) return null;
  const rows = c.rows.map(({ cases, sandbox, filesPerCase, measured }) => {
    const { 'bare loop': floor, 'aam eval -j2': aam } = measured;
    return [
      cases.toLocaleString('en'),
      sandbox === 'none' ? 'none' : sandbox,
      seconds(aam.seconds),
      `${((aam.seconds * 1000) / cases).toFixed(2)} ms`,
      `${((floor.seconds * 1000) / cases).toFixed(2)} ms`,
      `${Math.round(aam.peakMb)} MB`,
      filesPerCase.toFixed(2),
    ];
  });
  const head = [
    'cases',
    'sandbox',
    'time',
    'per case',
    'bare loop per case',
    'peak memory',
    'files per case',
  ];
  return markdown(head, rows);
}

function peerTables({ peers }) {
  const tables = peers.rows.map(({ bench, rounds, cases, measured }) => {
    const [[, floor]] = Object.entries(measured);
    const rows = Object.entries(measured).map(([name, it]) => [
      name.includes(' ') && it === floor ? name : `\`${name}\``,
      seconds(it.seconds),
      ratio(it, floor),
      `${((it.cpuSeconds * 1000) / cases).toFixed(1)} ms`,
      `${Math.round(it.peakMb)} MB`,
    ]);
    const head = [`${bench}, ${rounds} rounds`, 'time', 'ratio', 'CPU per case', 'peak memory'];
    return markdown(head, rows);
  });
  return [measuredOn([peers]), ...tables].join('\n\n');
}

/** What was measured on several days is told with the first and the last. */
function measuredOn(all) {
  const dates = [...new Set(all.map(({ date }) => date))].sort();
  const { machine, versions } = all.at(-1);
  const when = dates.length === 1 ? dates[0] : `${dates[0]} to ${dates.at(-1)}`;
  const names = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  const where = `${machine.cores} cores (${machine.processor}), ${machine.memoryGb} GB, ${machine.system}`;
  return `Measured ${dates.length === 1 ? 'on ' : ''}${when}, ${where}; ${names.join(', ')}.`;
}

function markdown(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function ratio(it, floor) {
  return (it.seconds / floor.seconds).toFixed(2);
}

function seconds(number) {
  return number < 1 ? `${Math.round(number * 1000)} ms` : `${number.toFixed(2)} s`;
}
