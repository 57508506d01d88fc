/** Everything an agent wrote is shown as text: nothing of it runs, loads or can be clicked. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EvalDiff } from '../../src/model/diff.ts';
import type { EvalReport } from '../../src/model/report.ts';
import { viewRun } from '../../src/report/html/run.ts';
import { launchBrowser, type OpenPage, openPage, WITHOUT_BROWSER } from './browser.ts';
import { CAPTURE, showcase, showcaseDiff } from './showcase.ts';

const RLO = '\u202e';
const PAYLOADS = [
  '</script><script>window.pwned = 1</script>',
  '<img src="http://attacker.invalid/x.png" onerror="window.pwned = 1">',
  '<!--<script>window.pwned = 1//-->',
  '<svg onload="window.pwned = 1"></svg><iframe srcdoc="<script>parent.pwned = 1</script>"></iframe>',
  '[click](javascript:window.pwned=1) <a href="javascript:window.pwned=1">x</a> http://attacker.invalid/',
  '<style>@import "http://attacker.invalid/x.css"; * { display: none }</style><base href="http://attacker.invalid/">',
  '<meta http-equiv="refresh" content="0;url=http://attacker.invalid/">',
  `\u001b[31mred\u001b[0m\u001b]8;;http://attacker.invalid/\u0007link ${RLO}gnp.exe \u200b\u0000 \ud800`,
  '"\'`{{constructor.constructor("window.pwned=1")()}}',
  `<b>${'long '.repeat(40_000)}${'x'.repeat(100_000)}</b>`,
];

/** These are words of ours, not of an agent. */
const OURS = new Set([
  'verdict',
  'arm',
  'kind',
  'type',
  'change',
  'decision',
  'result',
  'state',
  'by',
  'how',
  'trial',
  'conclusion',
  'version',
  'capture',
]);

/** Every text that is not ours gets a payload: as it is first, then in turn. */
function poison<Value>(value: Value): Value {
  let turn = 0;
  const visit = (it: unknown, key: string): unknown => {
    if (typeof it === 'string') return OURS.has(key) ? it : `${it}${PAYLOADS[turn++ % PAYLOADS.length]}`;
    if (Array.isArray(it)) return it.map((item) => visit(item, key));
    if (typeof it !== 'object' || it === null) return it;
    return Object.fromEntries(Object.entries(it).map(([name, item]) => [name, visit(item, name)]));
  };
  return visit(value, '') as Value;
}

/** Same payload for the same name, so that runs, cases and their comparison still fit together. */
function renamed<Value extends EvalReport | EvalDiff>(value: Value): Value {
  const cases = value.cases.map((it, at) => ({
    ...it,
    name: `case-${at} ${PAYLOADS[at % (PAYLOADS.length - 1)]}`,
  }));
  return { ...value, cases };
}

describe.skipIf(WITHOUT_BROWSER)('a hostile transcript', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  }, 700_000);
  afterAll(() => browser?.close());

  const readCapture = async () => poison(CAPTURE);

  async function expectNothing({ page, troubles }: OpenPage): Promise<void> {
    expect(troubles).toEqual([]);
    const found = await page.evaluate(() => ({
      pwned: 'pwned' in window,
      scripts: document.scripts.length,
      active: document.querySelectorAll(
        'a, img, iframe, object, embed, link, form, base, video, audio, [srcdoc]',
      ).length,
      handlers: [...document.querySelectorAll('*')].filter((it) =>
        it.getAttributeNames().some((name) => name.startsWith('on') || name === 'href' || name === 'src'),
      ).length,
      refresh: document.querySelectorAll('meta[http-equiv="refresh" i]').length,
      reordered: /[\u202a-\u202e\u2066-\u2069\u001b\u0000\u200b]/.test(
        document.getElementById('app')?.textContent ?? '',
      ),
      visible: document.querySelector('h1')?.checkVisibility() === true,
    }));
    expect(found).toEqual({
      pwned: false,
      scripts: 2,
      active: 0,
      handlers: 0,
      refresh: 0,
      reordered: false,
      visible: true,
    });
  }

  /** Opens whatever can be opened, until nothing is closed any more. */
  async function openAll({ page }: OpenPage): Promise<void> {
    for (let round = 0; round < 3; round += 1) {
      await page.evaluate(() => {
        for (const it of document.querySelectorAll('details')) it.open = true;
      });
      for (const button of await page.getByRole('button', { name: /^Show .* more/ }).all()) {
        if (await button.isVisible()) await button.click({ noWaitAfter: true }).catch(() => {});
      }
    }
  }

  it('runs no script, makes no request and hides nothing', { timeout: 180_000 }, async () => {
    const report = renamed(poison(showcase({ cases: showcase().cases.slice(0, 5) })));
    const run = await viewRun({ report, readCapture });
    await using open = await openPage(browser, { kind: 'run', run });
    const { page } = open;
    await page.getByRole('main').getByText('Provenance').waitFor();
    await expectNothing(open);
    for (let at = 0; at < report.cases.length; at += 1) {
      await page.keyboard.press('j');
      await page.locator('#case-title', { hasText: `case-${at}` }).waitFor();
      await openAll(open);
      for (const button of await page.locator('.trial-button').all()) await button.click();
      await expectNothing(open);
      await page.locator('#case-list').focus();
    }
    // It is not that nothing was shown.
    await page.evaluate(() => {
      location.hash = '#';
    });
    await page.getByRole('searchbox').fill('case-0');
    await page.keyboard.press('ArrowDown');
    await page.locator('#case-title', { hasText: 'case-0' }).waitFor();
    await openAll(open);
    const text = await page.getByRole('main').textContent();
    for (const part of [
      '<script>window.pwned = 1',
      '<img src=',
      'javascript:window.pwned=1',
      '<style>@import',
      '[U+001B]',
      '[U+202E]',
    ])
      expect(text).toContain(part);
    await expectNothing(open);
  });

  it('runs nothing in a comparison either', { timeout: 180_000 }, async () => {
    const { diff, a, b } = showcaseDiff();
    const view = (report: EvalReport) => viewRun({ report: poison(report), readCapture });
    const poisoned = poison(diff);
    const data = {
      kind: 'diff' as const,
      diff: {
        ...poisoned,
        cases: poisoned.cases.map((it, at) => ({ ...it, name: diff.cases[at]?.name ?? '' })),
      },
      a: { ...(await view(a)), cases: (await viewRun({ report: a, readCapture })).cases },
      b: { ...(await view(b)), cases: (await viewRun({ report: b, readCapture })).cases },
    };
    await using open = await openPage(browser, data);
    await open.page.getByRole('main').getByText('Both runs').waitFor();
    await expectNothing(open);
    for (let at = 0; at < 4; at += 1) {
      await open.page.keyboard.press('j');
      await openAll(open);
      await expectNothing(open);
      await open.page.locator('#case-list').focus();
    }
  });

  it('would run nothing even if the page made a mistake', async () => {
    let hits = 0;
    const server = createServer((_, response) => {
      hits += 1;
      response.end('window.pwned = 1');
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    try {
      const run = await viewRun({ report: showcase(), readCapture });
      await using open = await openPage(browser, { kind: 'run', run });
      const refused = await open.page.evaluate(async (to) => {
        const attempts: readonly (() => void)[] = [
          () => {
            document.body.innerHTML = '<img src=x onerror="window.pwned = 1">';
          },
          () => {
            document.body.append(
              document.createRange().createContextualFragment('<script>window.pwned = 1</script>'),
            );
          },
          () => {
            const script = document.createElement('script');
            script.append('window.pwned = 1');
            document.body.append(script);
          },
          () => {
            const script = document.createElement('script');
            script.setAttribute('src', to);
            document.body.append(script);
          },
          () => document.body.setAttribute('onclick', 'window.pwned = 1'),
        ];
        let thrown = 0;
        for (const attempt of attempts) {
          try {
            attempt();
          } catch {
            thrown += 1;
          }
        }
        document.body.click();
        const image = document.createElement('img');
        image.src = to;
        document.body.append(image);
        const fetched = await fetch(to).then(
          () => 'fetched',
          () => 'refused',
        );
        return { thrown, fetched, pwned: 'pwned' in window };
      }, url);
      expect(refused).toMatchObject({ fetched: 'refused', pwned: false });
      expect(refused.thrown).toBeGreaterThanOrEqual(3);
      expect(hits).toBe(0);
    } finally {
      server.close();
    }
  });
});
