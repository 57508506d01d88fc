/** What goes into the page: escaped, cut where it is too long, and never more than a browser can open. */
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ViewerData, ViewerRun } from '../../src/model/viewer.ts';
import { viewCapture } from '../../src/report/html/capture.ts';
import { viewRun } from '../../src/report/html/run.ts';
import { renderHtml, scriptJson } from '../../src/report/html.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { captureOf, message, reportOf, toolCall } from './reports.ts';

const PLACE = '<script id="aam-eval-report" type="application/json">null</script>';

describe('the data in the page', () => {
  it('says the same and cannot end its script, whatever it holds', () => {
    const nasty = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom('<', '/script>', '!--', '&', '\u2028', '\u2029', '$&', ']]>') }),
    );
    fc.assert(
      fc.property(fc.jsonValue(), fc.array(nasty), (value, texts) => {
        const json = scriptJson({ value, texts });
        expect(json).not.toMatch(/[<>&\u2028\u2029]/);
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify({ value, texts })));
      }),
    );
  });

  it('goes into its place as it is, patterns of replace() included', async () => {
    const data = { kind: 'run', run: { report: { id: "$& $' $` $1" } } } as unknown as ViewerData;
    const html = renderHtml(data, `<html>${PLACE}</html>`);
    expect(html).toBe(
      `<html>${PLACE.replace('null', () => JSON.stringify(data).replaceAll('&', '\\u0026'))}</html>`,
    );
  });

  it('refuses a page with no place for it, or two', () => {
    const data = {} as ViewerData;
    expect(() => renderHtml(data, '<html></html>')).toThrow('no place');
    expect(() => renderHtml(data, PLACE + PLACE)).toThrow('more than one');
  });
});

describe('a capture', () => {
  it('has the result of a tool at its call, in the order of the calls', () => {
    const capture = captureOf([
      { type: 'tool-call', id: '1', tool: 'Read', input: { path: 'a' }, subAgent: false },
      { type: 'tool-call', id: '2', tool: 'Bash', input: { command: 'false' }, subAgent: true },
      { type: 'tool-result', id: '2', output: 'no', isError: true },
      { type: 'tool-result', id: '1', output: 'yes', isError: false },
      { type: 'tool-result', id: '9', output: 'stray', isError: false },
      { type: 'tool-call', id: '3', tool: 'Read', input: {}, subAgent: false },
    ]);
    expect(viewCapture(capture)?.capture.steps).toMatchObject([
      { type: 'tool', tool: 'Read', output: 'yes', isError: false, subAgent: false },
      { type: 'tool', tool: 'Bash', output: 'no', isError: true, subAgent: true },
      { type: 'tool', input: '', output: 'stray' },
      { type: 'tool', output: null },
    ]);
  });

  it('is cut in its middle, and the cut tells how much is missing', () => {
    const output = `${'a'.repeat(200_000)}END`;
    const cut = viewCapture(captureOf([], { output }))?.capture.output;
    expect(cut).toEqual({ head: 'a'.repeat(75_000), cut: 100_003, tail: `${'a'.repeat(24_997)}END` });
  });

  it('stays within its share of the page however much there is', () => {
    const long = '<'.repeat(50_000);
    const capture = captureOf(
      Array.from({ length: 3_000 }, (_, at) => toolCall(String(at), long, { command: long }, long)).flat(),
      {
        files: Array.from({ length: 400 }, (_, at) => ({
          path: `${at}${long}`,
          change: 'created',
          diff: long,
        })),
      },
    );
    const viewed = viewCapture(capture);
    expect(viewed?.bytes).toBeLessThanOrEqual(512 * 1024);
    expect(viewed?.bytes).toBe(Buffer.byteLength(scriptJson(viewed?.capture)));
    expect(viewed?.capture).toMatchObject({ filesLeftOut: 300 });
    expect(viewed?.capture.steps.filter(({ type }) => type === 'gap')).toEqual([
      { type: 'gap', count: 2_600, why: 'to keep this page small' },
    ]);
  });

  it.each([[null], [7], [[]], [{ output: 'x' }], [{ output: 'x', events: [null], hooks: [], files: [] }]])(
    'is not made of %j',
    (value) => {
      expect(viewCapture(value)).toBeNull();
    },
  );

  it('takes fields of the wrong kind as text', () => {
    const odd = {
      output: 'x',
      events: [{ type: 'message', text: { a: 1 } }, { type: 'new' }],
      hooks: [{}],
      files: [{}],
    };
    expect(viewCapture(odd)?.capture.steps).toMatchObject([
      { type: 'message', text: '{"a":1}' },
      { type: 'note', kind: 'other', text: '{"type":"new"}' },
    ]);
  });
});

describe('a run', () => {
  const entries = (run: ViewerRun) => run.cases.flatMap(({ trials }) => trials);

  it('tells why a capture is not there', async () => {
    const report = reportOf([
      { name: 'a', trials: [{ capture: 'gone' }, { capture: 'odd' }, { capture: 'good' }, {}] },
    ]);
    const readCapture = async (path: string): Promise<unknown> => {
      if (path === 'gone') throw new Error('gone is no longer there');
      return path === 'odd' ? [] : captureOf([message('hello')]);
    };
    const run = await viewRun({ report, readCapture });
    expect(entries(run).map(({ capture }) => capture)).toMatchObject([
      { state: 'left-out', why: 'gone is no longer there' },
      { state: 'left-out', why: 'odd is no capture that aam can read' },
      { state: 'here', capture: { steps: [{ type: 'message', text: 'hello' }] } },
      { state: 'none' },
    ]);
    expect(entries(run).map(({ details }) => details?.snippet)).toEqual(['Done.', 'Done.', null, 'Done.']);
  });

  it('of 10,000 cases stays openable: what did not pass is kept, the rest is marked', {
    timeout: 120_000,
  }, async () => {
    const names = Array.from({ length: 10_000 }, (_, at) => `case-${at}`);
    const report = reportOf(
      names.map((name, at) => ({
        name,
        trials: [{ verdict: at % 100 === 99 ? 'FAIL' : 'PASS', capture: name, output: 'x'.repeat(500) }],
      })),
    );
    const capture = captureOf([message('y'.repeat(9_000))], { output: 'z'.repeat(40_000) });
    let read = 0;
    const run = await viewRun({
      report,
      readCapture: async () => {
        read += 1;
        return capture;
      },
    });
    const html = renderHtml({ kind: 'run', run }, PLACE);
    expect(html.length).toBeLessThan(64 * 1024 * 1024);
    const failed = run.cases.filter(({ verdict }) => verdict === 'FAIL').flatMap(({ trials }) => trials);
    expect(new Set(failed.map((it) => it.capture.state))).toEqual(new Set(['here']));
    const here = entries(run).filter((it) => it.capture.state === 'here').length;
    expect(here).toBeGreaterThan(100);
    expect(here).toBeLessThan(1_000);
    // What does not fit is not even read.
    expect(read).toBeLessThanOrEqual(here + 1);
    expect(entries(run).filter((it) => it.capture.state === 'left-out')).toHaveLength(10_000 - here);
    expect(entries(run).every((it) => it.details !== null)).toBe(true);
  });

  it('of 100,000 trials leaves out details, but no verdict', { timeout: 120_000 }, async () => {
    const report = reportOf(
      Array.from({ length: 1_000 }, (_, at) => ({
        name: `case-${at}`,
        trials: Array.from(
          { length: 100 },
          (__, run) => ({ verdict: run === 99 && at === 999 ? 'FAIL' : 'PASS' }) as const,
        ),
      })),
    );
    const run = await viewRun({ report, readCapture: async () => null });
    expect(Buffer.byteLength(scriptJson(run))).toBeLessThan(48 * 1024 * 1024);
    expect(entries(run)).toHaveLength(100_000);
    expect(entries(run).filter(({ details }) => details === null).length).toBeGreaterThan(10_000);
    expect(run.cases[999]?.trials[99]?.details).not.toBeNull();
    expect(run.cases.every(({ trials, decisive }) => trials[decisive]?.details !== null)).toBe(true);
  });

  it('puts the cases that matter first into the room there is', async () => {
    const names = Array.from({ length: 200 }, (_, at) => `case-${at}`);
    const report = reportOf(names.map((name) => ({ name, trials: [{ capture: name }] })));
    const capture = captureOf([], { output: 'z'.repeat(99_000) });
    const run = await viewRun({
      report,
      readCapture: async () => capture,
      first: new Set(['case-199']),
      share: 0.01,
    });
    const states = run.cases.map(({ trials }) => trials[0]?.capture.state);
    expect(states.slice(0, 3)).toEqual(['here', 'left-out', 'left-out']);
    expect(states[199]).toBe('here');
  });
});

describe('a page', async () => {
  const { reportHtml } = await import('../../dist/pipeline/html.js');

  it('reads captures of the package’s runs and nothing else', async () => {
    await using folder = await temporaryFolder();
    const root = join(folder.path, 'package');
    const secret = captureOf([], { output: 'SECRET' });
    const put = async (path: string, value: unknown) => {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), JSON.stringify(value));
    };
    await put('.aam/runs/1/captures/good.json', captureOf([], { output: 'GOOD' }));
    await put('../outside.json', secret);
    await put('inside.json', secret);
    await symlink('../../../../../outside.json', join(root, '.aam/runs/1/captures/link.json'));
    const paths = [
      '.aam/runs/1/captures/good.json',
      '../outside.json',
      join(folder.path, 'outside.json'),
      'inside.json',
      '.aam/runs/1/captures/link.json',
      '.aam/runs/../../inside.json',
      '.aam/runs/1/captures',
      '.aam/runs/1/captures/none.json',
    ];
    const report = reportOf([{ name: 'a', trials: paths.map((capture) => ({ capture })) }]);
    const html = await reportHtml({ report, packageRoot: root });
    expect(html).not.toContain('SECRET');
    expect(html).toContain('GOOD');
    const json = /<script id="aam-eval-report" type="application\/json">(.*?)<\/script>/s.exec(html)?.[1];
    const { run } = JSON.parse(json ?? '') as Extract<ViewerData, { kind: 'run' }>;
    expect(entriesOf(run)).toEqual(['here', ...Array.from({ length: 7 }, () => 'left-out')]);
  });

  function entriesOf(run: ViewerRun): string[] {
    return run.cases.flatMap(({ trials }) => trials.map(({ capture }) => capture.state));
  }
});
