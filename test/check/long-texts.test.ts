/** Messages stay short: what is long is shown in part, and what just fits is shown whole. */
import { describe, expect, it } from 'vitest';
import { contains, notContains } from '../../src/check/kinds/contains.ts';
import { edges } from '../../src/check/kinds/edges.ts';
import { fieldAccuracy } from '../../src/check/kinds/field-accuracy.ts';
import { isJson } from '../../src/check/kinds/is-json.ts';
import { jsonSubset } from '../../src/check/kinds/json-subset.ts';
import { regex } from '../../src/check/kinds/regex.ts';
import { toolTrajectory } from '../../src/check/kinds/tool-trajectory.ts';

const xs = (count: number) => 'x'.repeat(count);

describe('a text', () => {
  it('that does not fit is quoted by its beginning, or by its end where that counts', () => {
    const said = (kind: 'starts-with' | 'ends-with', text: string) =>
      edges(kind, { value: 'y' }, text, 'it').message;
    expect(said('starts-with', xs(80))).toBe(`it does not start with "y" but is "${xs(80)}"`);
    expect(said('starts-with', `${xs(80)}z`)).toBe(`it does not start with "y" but is "${xs(80)}…"`);
    expect(said('ends-with', `z${xs(80)}`)).toBe(`it does not end with "y" but is in the end "${xs(80)}"`);
    expect(edges('equals', { value: 'x' }, ' x\n', 'it').message).toBe('it does equal "x"');
    expect(edges('equals', { value: 'y' }, ' x\n', 'it').actual).toBe('x');
    expect(edges('equals', { value: 'x', exact: true }, ' x', 'it').verdict).toBe('FAIL');
  });

  it('that a pattern found is quoted by its beginning', () => {
    expect(regex({ pattern: 'x+' }, xs(80), 'it').message).toBe(`it matches /x+/: "${xs(80)}"`);
    expect(regex({ pattern: 'x+' }, xs(81), 'it').message).toBe(`it matches /x+/: "${xs(80)}…"`);
  });

  it('in which something is missing is kept by its beginning', () => {
    for (const decide of [
      (text: string) => contains(['y'], text, 'it').actual,
      (text: string) => notContains(['x'], text, 'it').actual,
    ]) {
      expect(decide(xs(500))).toBe(xs(500));
      expect(decide(xs(501))).toBe(`${xs(500)}…`);
    }
    expect(isJson(xs(501), 'it').actual).toBe(xs(500));
    expect(jsonSubset({}, xs(501), 'it').actual).toBe(xs(500));
  });
});

describe('a value', () => {
  it('is shown as JSON, by its beginning', () => {
    const said = (value: string) => jsonSubset(1, JSON.stringify(value), 'it').message;
    expect(said(xs(78))).toBe(`it differs expected 1, got "${xs(78)}"`);
    expect(said(xs(79))).toBe(`it differs expected 1, got "${xs(76)}…`);
    const field = { path: 'a', match: { kind: 'exact' }, required: true, weight: 1 } as const;
    const options = { reference: { a: 1 }, fields: [field], aggregation: 'weighted-average' } as const;
    const compared = (value: string) => fieldAccuracy(options, JSON.stringify({ a: value })).message;
    expect(compared(xs(78))).toBe(`a is "${xs(78)}", expected 1`);
    expect(compared(xs(79))).toBe(`a is "${xs(76)}…, expected 1`);
  });
});

describe('calls', () => {
  const called = (...tools: string[]) => ({
    events: tools.map(
      (tool, at) => ({ type: 'tool-call', id: String(at), tool, input: {}, subAgent: false }) as const,
    ),
    tellsTools: true,
    gap: null,
  });

  it('are named up to eight', () => {
    const trajectory = { mode: 'superset', minimums: {}, expected: [call('Z')] } as const;
    const said = (count: number) =>
      toolTrajectory(trajectory, called(...Array.from({ length: count }, (_, at) => `T${at}`))).message;
    expect(said(8)).toBe('call 1 (Z) did not come (called: T0, T1, T2, T3, T4, T5, T6, T7)');
    expect(said(9)).toBe('call 1 (Z) did not come (called: T0, T1, T2, T3, T4, T5, T6, T7, and 1 more)');
    const nine = Array.from({ length: 10 }, () => call('Z'));
    expect(toolTrajectory({ ...trajectory, expected: nine }, called()).message).toMatch(
      /call 8 \(Z\) did not come; and 2 more \(no tool was called\)$/,
    );
  });

  it('are shown with the arguments that were asked for', () => {
    const said = (text: string, more: object = {}) => {
      const expected = [{ ...call('Z'), args: [text], ...more }];
      return toolTrajectory({ mode: 'exact', minimums: {}, expected }, called('Z')).message;
    };
    expect(said(xs(76))).toBe(`call 1: expected Z ["${xs(76)}"], got other arguments (called: Z)`);
    expect(said(xs(77))).toBe(`call 1: expected Z ["${xs(75)}…, got other arguments (called: Z)`);
    expect(said('x', { argsMatch: 'ignore' })).toBe('all 1 tool calls are as expected');
  });

  function call(tool: string) {
    return { tool, args: null, argsMatch: 'exact', maxDurationMs: null } as const;
  }
});
