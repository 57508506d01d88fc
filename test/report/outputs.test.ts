/** What every form of a report says of a run, and that nothing an agent wrote acts in any of them. */
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EvalReport } from '../../src/model/report.ts';
import { block, code, inline } from '../../src/report/markdown/escape.ts';
import { aam } from '../helpers/cli.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { REPORTS } from './fixture-reports.ts';

interface Told {
  readonly passed: number;
  readonly failed: number;
  readonly undecided: number;
  readonly exit: number;
}

function toldBy(report: EvalReport): Told {
  const { passed, failed, skipped } = report.summary;
  return { passed, failed, undecided: skipped, exit: report.exit_code };
}

function toldByTerminal(text: string, exit: number): Told {
  const line =
    text.split('\n').findLast((it) => /^(?:\d+ (?:passed|failed|undecided)(?:, )?)+ in /.test(it)) ?? '';
  const count = (word: string) => Number(new RegExp(`(\\d+) ${word}`).exec(line)?.[1] ?? 0);
  return { passed: count('passed'), failed: count('failed'), undecided: count('undecided'), exit };
}

const TITLES: Readonly<Record<string, number>> = {
  '🟢': 0,
  '🔴': 1,
  '🟡 Undecided': 3,
  '🟡 Interrupted': 130,
};

function toldByMarkdown(text: string): Told {
  const title = /^## (.*?):/m.exec(text)?.[1] ?? '';
  const [, passed, failed, undecided] =
    /^\*\*(\d+) passed, (\d+) failed, (\d+) undecided\*\*/m.exec(text) ?? [];
  const exit = Object.entries(TITLES).find(([start]) => title.startsWith(start))?.[1] ?? Number.NaN;
  return { passed: Number(passed), failed: Number(failed), undecided: Number(undecided), exit };
}

const COUNT = `
import sys, json, xml.dom.minidom
root = xml.dom.minidom.parseString(sys.stdin.buffer.read()).documentElement
cases = root.getElementsByTagName('testcase')
kind = lambda name: [c for c in cases if c.getElementsByTagName(name)]
exits = [p.getAttribute('value') for p in root.getElementsByTagName('property') if p.getAttribute('name') == 'exit_code']
ended = [c for c in kind('error') if c.getElementsByTagName('error')[0].getAttribute('type') == 'interrupted' and c.getAttribute('name') == '(the run)']
print(json.dumps({
  'passed': len(cases) - len(kind('failure')) - len(kind('error')),
  'failed': len(kind('failure')), 'undecided': len(kind('error')) - len(ended), 'exit': int(exits[0]),
  'attributes': [root.getAttribute(name) for name in ('tests', 'failures', 'errors', 'skipped')],
}))
`;

function toldByJunit(xml: string): Told & { attributes: string[] } {
  return JSON.parse(execFileSync('python3', ['-c', COUNT], { input: xml, encoding: 'utf8' }));
}

describe('every form of a report', () => {
  it.each(Object.entries(REPORTS))('says the same of a run that %s', async (_, report) => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'report.json');
    await writeFile(file, JSON.stringify(report));
    const show = (...args: string[]) => aam(['report', file, ...args], { cwd: folder.path });
    const [terminal, markdown, junit, json] = await Promise.all([
      show(),
      show('--markdown', '-'),
      show('--junit', '-'),
      show('--json'),
    ]);
    const expected = toldBy(report);
    expect(toldByTerminal(terminal.stdout, terminal.code)).toEqual(expected);
    expect(toldByMarkdown(markdown.stdout)).toEqual(expected);
    const { attributes, ...counted } = toldByJunit(junit.stdout);
    expect(counted).toEqual(expected);
    const errors = expected.undecided + (report.interrupted ? 1 : 0);
    expect(attributes).toEqual(
      [report.cases.length + (report.interrupted ? 1 : 0), expected.failed, errors, 0].map(String),
    );
    expect(toldBy(JSON.parse(json.stdout))).toEqual(expected);
    expect([markdown.code, junit.code, json.code]).toEqual(Array(3).fill(report.exit_code));
  });

  it.each(['is told by a hostile report', 'has a hostile baseline'])(
    'acts on no terminal, in no page and on no CI server, when it %s',
    async (name) => {
      await using folder = await temporaryFolder();
      const file = join(folder.path, 'report.json');
      await writeFile(file, JSON.stringify(REPORTS[name]));
      const show = (...args: string[]) =>
        aam(['report', file, ...args], { cwd: folder.path, env: { GITHUB_ACTIONS: 'true' } });
      const [terminal, markdown] = await Promise.all([show(), show('--markdown', '-')]);
      for (const { stdout } of [terminal, markdown]) {
        expect(stdout).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e]/);
        expect(stdout).not.toMatch(/^\s*(?:::|##\[)/m);
      }
      const outside = outsideCode(markdown.stdout);
      expect(outside).not.toMatch(/<(?!\/?details>|\/?summary>|\/?code>|!-- aam-eval-report -->)/);
      expect(outside).not.toMatch(/(?<!\\)[[\]@$]/);
    },
  );
});

/** Markdown without its blocks and spans of code, as CommonMark delimits them. */
function outsideCode(markdown: string): string {
  let fence: string | null = null;
  const lines = markdown.split('\n').filter((line) => {
    const found = /^(`{3,})/.exec(line)?.[1];
    if (fence === null && found) {
      fence = found;
      return false;
    }
    if (fence !== null && found && found.length >= fence.length && line.trim() === found) {
      fence = null;
      return false;
    }
    return fence === null;
  });
  expect(fence).toBeNull();
  return lines.join('\n').replace(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g, '');
}

describe('Markdown', () => {
  const text = fc.string({ unit: 'binary', maxLength: 60 });
  const marks = fc.array(fc.constantFrom('`', '``', '|', '<', '\n', '\\', '*', '[', 'x', '::', '~~~', ' '), {
    maxLength: 20,
  });
  const any = fc.oneof(
    text,
    marks.map((it) => it.join('')),
  );

  it('keeps foreign text on its line, in its cell and without meaning', () => {
    fc.assert(
      fc.property(any, (it) => {
        const shown = inline(it);
        expect(shown).not.toMatch(/[\n\r<>]/);
        expect(shown.replace(/\\[\s\S]/g, '')).not.toMatch(/[`*_[\]|#~$@:.]/);
      }),
    );
  });

  it('mentions nobody and no issue, also when escapes are gone', () => {
    expect(inline('ask @someone about #12 \\@other')).toBe(
      'ask \\@\u200dsomeone about \\#\u200d12 \\\\\\@\u200dother',
    );
  });

  it('keeps a bar in code within its cell, also after a backslash', () => {
    expect(code('a\\|b')).toBe('<code>a\\\\&#124;b</code>');
    expect(code('a\\b')).toBe('` a\\b `');
  });

  it('has no end of code inside the code', () => {
    fc.assert(
      fc.property(any, (it) => {
        const [first = '', ...rest] = block(it).split('\n');
        const fence = /^`+/.exec(first)?.[0] ?? '';
        expect(fence.length).toBeGreaterThanOrEqual(3);
        expect(rest.at(-1)).toBe(fence);
        expect(rest.slice(0, -1).join('\n')).not.toContain(fence);
        const ticks = /^`+/.exec(code(it))?.[0] ?? '';
        if (ticks) expect(code(it).slice(ticks.length, -ticks.length)).not.toContain(ticks);
        expect(code(it)).not.toMatch(/[\n|]/);
      }),
    );
  });
});
