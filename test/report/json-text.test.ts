import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { EvalReport } from '../../src/model/report.ts';
import { reportBytes, reportJson } from '../../src/report/json-text.ts';

const EXAMPLE = JSON.parse(
  readFileSync(new URL('../../bench/report.json', import.meta.url), 'utf8'),
) as EvalReport;

function withCases(count: number): EvalReport {
  const [first] = EXAMPLE.cases;
  if (!first) throw new Error('the example has no case');
  const cases = Array.from({ length: count }, (_, index) => ({
    ...first,
    name: `case-${index}`,
    agent_output_snippet: `"cases": []\n  "cases": [] ${index}`,
  }));
  return { ...EXAMPLE, warnings: ['\n  "cases": []'], cases };
}

describe('a report as JSON', () => {
  it.each([0, 1, 49, 50, 51, 100, 101])('is the same piece by piece, with %d cases', async (count) => {
    const report = withCases(count);
    const whole = JSON.stringify(report, null, 2);
    expect([...reportJson(report)].join('\n')).toBe(whole);
    const bytes: Uint8Array[] = [];
    for await (const piece of reportBytes(report)) bytes.push(piece);
    expect(Buffer.concat(bytes).toString()).toBe(`${whole}\n`);
  });

  it('is the same wherever the cases stand in it', () => {
    const { cases, ...rest } = withCases(60);
    const report: EvalReport = { cases, ...rest };
    expect([...reportJson(report)].join('\n')).toBe(JSON.stringify(report, null, 2));
  });

  it('comes in pieces that do not grow with the number of cases', () => {
    const longest = (count: number) =>
      Math.max(...[...reportJson(withCases(count))].map(({ length }) => length));
    expect(longest(2000)).toBeLessThan(2 * longest(100));
  });
});
