/** Measurements as rows for people: each contestant against the floor, which is the first. */
export function table(benches) {
  return Object.values(benches).flatMap(({ rows }) => rows.flatMap(lines));
}

function lines({ bench, rounds, aim, cases, filesPerCase, measured }) {
  const [[, floor]] = Object.entries(measured);
  return Object.entries(measured).map(([contestant, it]) => ({
    bench,
    contestant,
    seconds: round(it.seconds, 3),
    ratio: round(it.seconds / floor.seconds, 2),
    aim: it === floor ? null : (aim ?? null),
    'cpu ms/case': cases ? round((it.cpuSeconds * 1000) / cases, 2) : null,
    'peak MB': Math.round(it.peakMb),
    'files/case': it === floor ? null : round(filesPerCase ?? null, 2),
    rounds,
  }));
}

function round(number, digits) {
  return number === null ? null : Number(number.toFixed(digits));
}
