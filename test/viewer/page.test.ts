/** The page in a browser: what it shows, how it is used. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EvalReport, JudgeVerdictRecord } from '../../src/model/report.ts';
import type { ViewerData } from '../../src/model/viewer.ts';
import { viewRun } from '../../src/report/html/run.ts';
import { launchBrowser, openPage, WITHOUT_BROWSER } from './browser.ts';
import { type CaseSketch, NO_USAGE, reportOf } from './reports.ts';
import { CAPTURE, showcase, showcaseDiff } from './showcase.ts';

const readCapture = async () => CAPTURE;

async function runData(report: EvalReport): Promise<ViewerData> {
  return { kind: 'run', run: await viewRun({ report, readCapture }) };
}

async function diffData(): Promise<ViewerData> {
  const { diff, a, b } = showcaseDiff();
  const view = (report: EvalReport) => viewRun({ report, readCapture });
  return { kind: 'diff', diff, a: await view(a), b: await view(b) };
}

function replayed(source: EvalReport['tape']['source'], note: string): EvalReport['tape'] {
  return { mode: 'replay', folder: 'evals/tapes', source, recorded_at: '2026-11-01T00:00:00Z', note };
}

const rowNames = (page: Page) => page.locator('.row-name').allTextContents();
const title = (page: Page, text: string) => page.locator('#case-title', { hasText: text });

describe.skipIf(WITHOUT_BROWSER)('the page', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  }, 700_000);
  afterAll(() => browser?.close());

  it('shows what parts scored, and groups with their members', async () => {
    const judge: JudgeVerdictRecord = {
      ...{ result: 'FAIL', reason: '', model: 'm', model_provider: null, transport: 'api', votes: [] },
      ...{ prompt: null, duration_seconds: 1, usage: NO_USAGE, cost_usd: null },
      criteria: [
        {
          ...{ id: 'tone', text: 'The tone is friendly.', result: 'FAIL', score: 0.7, reason: 'It is curt.' },
          ...{ evidence: [], votes: { pass: 0, fail: 1, undecided: 0 }, agreement: 1 },
        },
      ],
    };
    const report = reportOf([{ name: 'sum', trials: [{ verdict: 'FAIL', judge }] }]);
    const part = { check: 'checker', verdict: 'FAIL', score: 0.6667, message: 'half of it' } as const;
    const members = ['checker', 'tone'];
    const group = { group: 'both', verdict: 'FAIL', score: 0.5, message: '0 of 2 passed', members } as const;
    const more = { check_details: [part], groups: [{ ...group, members }] };
    const cases = report.cases.map((it) => ({
      ...{ ...it, ...more },
      trials: it.trials.map((trial) => ({ ...trial, ...more })),
    }));
    await using open = await openPage(browser, await runData({ ...report, cases }));
    const main = open.page.getByRole('main');
    await open.page.locator('.row-name', { hasText: 'sum' }).click();
    await main.locator('.check-name', { hasText: 'checker 0.67' }).waitFor();
    await main.locator('.groups li', { hasText: 'both 0.5' }).getByText('(checker, tone)').waitFor();
    await main.locator('.criterion', { hasText: '7/10' }).waitFor();
  });

  it('shows the totals of the report and where it comes from', async () => {
    const report = showcase();
    await using open = await openPage(browser, await runData(report));
    const { page } = open;
    const { passed, failed, skipped } = report.summary;
    const header = page.getByRole('banner');
    for (const text of [
      `${passed} passed`,
      `${failed} failed`,
      `${skipped} undecided`,
      '266,252 tokens',
      '$0.2982',
    ])
      await header.locator('.total', { hasText: text }).waitFor();
    const counts = page.locator('.chip');
    expect(await counts.allTextContents()).toEqual([
      'all 18',
      `failed ${failed}`,
      `undecided ${skipped}`,
      `passed ${passed}`,
      'flaky 4',
    ]);
    const facts = await page.getByRole('main').getByRole('table').allTextContents();
    for (const text of [
      'claude-code 2.1.325',
      'sha256:3f0ac0b3b1d94f1f8c1d',
      '0f3c9d2e',
      'bubblewrap, no network',
      'eval-run-2026-11-14T09-30-00Z-a1b2c3',
    ])
      expect(facts.join()).toContain(text);
    expect(facts.join()).toContain('+41 points');
    await page.getByText('expected.contians is not a known field').waitFor();
    await expect.poll(() => page.title()).toBe('pdf-tools 1.2.0 · aam');
    for (const landmark of ['banner', 'main', 'navigation', 'search'] as const)
      await expect.poll(() => page.getByRole(landmark).count()).toBe(1);
    expect(open.troubles).toEqual([]);
  });

  it('shows how a case was graded and what the agent did', async () => {
    await using open = await openPage(browser, await runData(showcase()), {
      hash: '#case=pdf-extraction-e2e',
    });
    const { page } = open;
    const main = page.getByRole('main');
    await title(page, 'pdf-extraction-e2e').waitFor();
    for (const text of [
      'output/summary.txt was not created',
      'The agent wrote notes.md beside the output.',
      '0 for, 2 against, 1 undecided, agreement 67 %',
      'A vote was unusable: quoted a passage that is not there',
      'was shown to the judge; this page does not have the passage',
      '2/4 passed, 1 undecided',
      'Hook PreToolUse blocked, exit 2',
      'Bash denied by a hook',
      'API overloaded, asked again',
    ])
      await main.getByText(text).filter({ visible: true }).first().waitFor();
    const output = main.locator('section', { has: page.getByRole('heading', { name: 'Output' }) });
    expect(await output.locator('mark').allTextContents()).toEqual([
      'the heading "Invoice 17", two line items\nand the total of 120.00',
    ]);
    await main.getByText('in the output', { exact: true }).waitFor();
    await main.getByText('in a call of Bash').waitFor();
    expect(await main.locator('.diff > .added').allTextContents()).toContain('+See output/extracted.txt.\n');
    expect(await main.locator('.diff > .removed').allTextContents()).toEqual(['-No text yet.\n']);

    const call = main.locator('details', { hasText: 'scripts/extract-text.mjs' });
    await expect.poll(() => call.getByText('2 x ink 100.00').count()).toBe(0);
    await call.locator('summary').click();
    await call.getByText('2 x ink 100.00').waitFor();

    await main.getByRole('button', { name: 'Trial 5, with the package' }).click();
    await main.getByText('rate limit outlasted 5 retries').waitFor();
    await main.getByText('model-rate-limit').waitFor();
    await page.waitForFunction(() => location.hash.includes('trial=pdf-extraction-e2e.claude-code.with.5'));
    expect(open.troubles).toEqual([]);
  });

  it.each<readonly [string, Partial<EvalReport>, string]>([
    [
      'scripted tapes',
      { tape: replayed('scripted', 'replayed from scripted tapes: no evidence about the skill') },
      'no evidence about the skill',
    ],
    [
      'tapes some of which are scripted',
      { tape: replayed('mixed', 'replayed from tapes, some of them scripted') },
      'some of them scripted',
    ],
    [
      'no sandbox',
      { sandbox: { kind: 'none', network: true, memory_bytes: null, cpu_seconds: null, output_bytes: 1 } },
      'The agent was not isolated',
    ],
    ['an interrupted run', { interrupted: true }, 'The run was interrupted'],
  ])('says at the top, in every view: %s', async (_, changes, text) => {
    await using open = await openPage(browser, await runData(showcase(changes)), {
      hash: '#case=one-page-only',
    });
    await title(open.page, 'one-page-only').waitFor();
    await open.page.locator('.banner.loud', { hasText: text }).waitFor();
  });

  it('has no banner for a run like any other', async () => {
    const recording: EvalReport['tape'] = { ...replayed('recorded', 'recorded 3 tapes'), mode: 'record' };
    await using open = await openPage(browser, await runData(showcase({ tape: recording })));
    await open.page.getByRole('main').getByText('Provenance').waitFor();
    await expect.poll(() => open.page.locator('.banner').count()).toBe(0);
  });

  it('says of a cost that leaves something out so', async () => {
    const { usage } = showcase();
    await using open = await openPage(
      browser,
      await runData(showcase({ usage: { ...usage, cost_is_complete: false } })),
    );
    await open.page.getByRole('banner').getByText('$0.2982 and what has no known price').waitFor();
    await open.page.getByRole('cell', { name: '$0.2982 and what has no known price' }).waitFor();
  });

  it('lists what is asked for, and keeps it in the address', async () => {
    await using open = await openPage(browser, await runData(showcase()));
    const { page } = open;
    await page.getByRole('button', { name: 'failed' }).click();
    await page.getByText('5 of 18 cases').waitFor();
    await expect
      .poll(() => rowNames(page))
      .toEqual([
        'pdf-extraction-e2e',
        'hook-blocks-protected-write',
        'scan-04-is-not-invented',
        'scan-09-is-not-invented',
        'scan-14-is-not-invented',
      ]);
    await page.getByRole('searchbox').fill('HOOK timeout');
    await page.getByText('1 of 18 cases').waitFor();
    await expect.poll(() => rowNames(page)).toEqual(['hook-blocks-protected-write']);
    await page.waitForFunction(() => location.hash === '#q=HOOK+timeout&show=FAIL');
    await page.reload();
    await page.getByText('1 of 18 cases').waitFor();
    await page.getByRole('searchbox').fill('');
    await page.getByRole('button', { name: 'failed' }).click();
    await page.getByRole('combobox').selectOption('verdict');
    await page.waitForFunction(() => location.hash === '#sort=verdict');
    await expect
      .poll(async () => (await rowNames(page)).slice(4, 7))
      .toEqual(['scan-14-is-not-invented', 'table-checker-finds-wrong-row', 'one-page-only']);
    await page.getByRole('searchbox').fill('no such thing');
    await page.getByText('No case matches.').waitFor();
    await page.evaluate(() => {
      location.hash = '#case=nobody&show=SKIP';
    });
    await page.getByText('This report has no case of the name in the address.').waitFor();
    await expect.poll(() => rowNames(page)).toEqual(['table-checker-finds-wrong-row']);
    expect(open.troubles).toEqual([]);
  });

  it('is used by keyboard alone', async () => {
    await using open = await openPage(browser, await runData(showcase()));
    const { page } = open;
    const press = (...keys: string[]) =>
      keys.reduce((last, key) => last.then(() => page.keyboard.press(key)), Promise.resolve());
    const focused = () => page.evaluate(() => document.activeElement?.id || document.activeElement?.tagName);
    await page.getByRole('main').getByText('Provenance').waitFor();
    await press('j', 'j', 'ArrowDown', 'k');
    await title(page, 'one-page-only').waitFor();
    await expect
      .poll(() => page.getByRole('listbox').getByRole('option', { selected: true }).textContent())
      .toContain('one-page-only');
    await press('Enter');
    await page.waitForFunction(() => document.activeElement?.id === 'case-title');
    await press('Escape');
    await expect.poll(focused).toBe('case-list');
    await press('End');
    await title(page, 'scan-14-is-not-invented').waitFor();
    await expect.poll(() => page.getByRole('listbox').getAttribute('aria-activedescendant')).toBe('row-17');
    await press('Home');
    await title(page, 'pdf-extraction-e2e').waitFor();
    await press('Escape');
    await title(page, 'Overview').waitFor();

    await press('/');
    await page.keyboard.type('jk?/ table');
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('jk?/ table');
    await press('Escape');
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('');
    await page.keyboard.type('table');
    await press('ArrowDown');
    await title(page, 'table-checker-finds-wrong-row').waitFor();
    await press('Escape', 'Escape');
    await expect.poll(focused).toBe('case-list');

    await press('?');
    await page.getByRole('dialog', { name: 'Keys' }).getByText('previous case').waitFor();
    await press('j', 'Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await title(page, 'table-checker-finds-wrong-row').waitFor();
    expect(open.troubles).toEqual([]);
  });

  it('shows where the focus is, at every stop', async () => {
    await using open = await openPage(browser, await runData(showcase()), {
      hash: '#case=pdf-extraction-e2e',
    });
    const { page } = open;
    await title(page, 'pdf-extraction-e2e').waitFor();
    const stops = new Set<string>();
    for (let stop = 0; stop < 40; stop += 1) {
      await page.keyboard.press('Tab');
      const seen = await page.evaluate(() => {
        const it = document.activeElement;
        if (!it || it === document.body) return null;
        const { outlineStyle, outlineWidth } = getComputedStyle(it);
        return {
          what: `${it.tagName} ${it.className} ${it.textContent?.slice(0, 30)}`,
          outline: `${outlineStyle} ${outlineWidth}`,
        };
      });
      if (seen === null) break;
      stops.add(seen.what);
      expect(seen).toMatchObject({ outline: 'solid 2px' });
    }
    expect(stops.size).toBeGreaterThan(20);
  });

  describe('light and dark', () => {
    const background = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const colours = { light: 'rgb(255, 255, 255)', dark: 'rgb(21, 24, 27)' };

    it('follows the system until the reader chooses', async () => {
      await using open = await openPage(browser, await runData(showcase()), { colorScheme: 'dark' });
      const { page } = open;
      const button = page.getByRole('button', { name: 'Theme' });
      await expect.poll(() => background(page)).toBe(colours.dark);
      await page.emulateMedia({ colorScheme: 'light' });
      await expect.poll(() => background(page)).toBe(colours.light);
      await button.click();
      await button.click();
      await page.getByText('Theme: dark').waitFor();
      await expect.poll(() => background(page)).toBe(colours.dark);
      await page.reload();
      await page.getByText('Theme: dark').waitFor();
      await expect.poll(() => background(page)).toBe(colours.dark);
      expect(open.troubles).toEqual([]);
    });

    it.each([
      ['light', 'run', ''],
      ['dark', 'run', ''],
      ['light', 'run', '#case=pdf-extraction-e2e&show=FAIL'],
      ['dark', 'run', '#case=pdf-extraction-e2e&show=FAIL'],
      ['light', 'diff', '#case=pdf-extraction-e2e'],
      ['dark', 'diff', '#case=pdf-extraction-e2e'],
    ] as const)('can be read: %s, %s %s', async (colorScheme, kind, hash) => {
      const data = kind === 'run' ? await runData(showcase({ interrupted: true })) : await diffData();
      await using open = await openPage(browser, data, { colorScheme, hash });
      await open.page.locator('#case-title').waitFor();
      await open.page.evaluate(() => {
        for (const it of document.querySelectorAll('details')) it.open = true;
      });
      const weak = await open.page.evaluate(weakContrasts);
      expect(weak.texts).toBeGreaterThan(50);
      expect(weak.found).toEqual([]);
    });
  });

  it.each([400, 1280])('fits into %i pixels', async (width) => {
    for (const data of [await runData(showcase()), await diffData()]) {
      for (const hash of ['', '#case=pdf-extraction-e2e']) {
        await using open = await openPage(browser, data, { viewport: { width, height: 800 }, hash });
        await open.page.locator('#case-title').waitFor();
        const widths = await open.page.evaluate(() =>
          [document.documentElement, document.querySelector('main')].map((it) => [
            it?.scrollWidth,
            it?.clientWidth,
          ]),
        );
        for (const [needed, there] of widths) expect(needed).toBe(there);
      }
    }
  });

  it('shows a case in place of the list where there is room for one', async () => {
    await using open = await openPage(browser, await runData(showcase()), {
      viewport: { width: 400, height: 800 },
    });
    const { page } = open;
    await page.locator('#case-list').focus();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await expect.poll(() => page.getByRole('listbox').isVisible()).toBe(true);
    await page.keyboard.press('Enter');
    await title(page, 'one-page-only').waitFor();
    await expect.poll(() => page.getByRole('listbox').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Back to the list' }).click();
    await page.getByRole('listbox').waitFor();
  });

  describe('of 5,000 cases', () => {
    const sketches: CaseSketch[] = Array.from({ length: 5_000 }, (_, at) => ({
      name: `case-${String(at).padStart(4, '0')}`,
      trials: Array.from(
        { length: 5 },
        (__, run) => ({ verdict: at % 50 === 7 && run === 2 ? 'FAIL' : 'PASS' }) as const,
      ),
    }));

    it('makes only the rows in sight, and all of them can be reached', async () => {
      await using open = await openPage(browser, await runData(reportOf(sketches)));
      const { page } = open;
      const nodes = () => page.evaluate(() => document.querySelectorAll('#app *').length);
      await page.getByText('case-0000').waitFor();
      expect(await nodes()).toBeLessThan(1_500);
      const list = page.getByRole('listbox');
      await expect.poll(() => list.evaluate((it) => it.scrollHeight)).toBe(5_000 * 46);

      for (const [share, name] of [
        [0.5, 'case-2500'],
        [1, 'case-4999'],
        [0, 'case-0000'],
      ] as const) {
        await list.evaluate((it, to) => it.scrollTo(0, to * it.scrollHeight), share);
        await page.getByText(name).waitFor();
        const box = await page.locator('.row', { hasText: name }).boundingBox();
        const pane = await list.boundingBox();
        expect(box && pane && box.y >= pane.y - 1 && box.y < pane.y + pane.height).toBe(true);
        expect(await nodes()).toBeLessThan(1_500);
      }

      await list.hover();
      await page.mouse.wheel(0, 20_000);
      await page.waitForFunction(() => (document.querySelector('.list')?.scrollTop ?? 0) >= 20_000);
      await page.getByText(`case-${String(Math.ceil(20_000 / 46)).padStart(4, '0')}`).waitFor();

      await list.focus();
      await page.keyboard.press('End');
      await title(page, 'case-4999').waitFor();
      await page.getByText('case-4999').first().waitFor();
      await page.getByRole('button', { name: 'flaky' }).click();
      await page.getByText('100 of 5,000 cases').waitFor();
      await page.getByRole('searchbox').fill('4957');
      await page.getByText('1 of 5,000 cases').waitFor();
      await expect.poll(() => rowNames(page)).toEqual(['case-4957']);
      expect(open.troubles).toEqual([]);
    });

    it('prints those that are listed, up to a number that it tells', async () => {
      await using open = await openPage(browser, await runData(reportOf(sketches)), { colorScheme: 'dark' });
      const { page } = open;
      await page.getByText('case-0000').waitFor();
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      await page.getByText('4,000 more cases not printed').waitFor();
      await expect.poll(() => page.locator('.row').count()).toBe(1_000);
      await expect.poll(() => page.getByRole('search').isVisible()).toBe(false);
      const laid = await page.evaluate(() => ({
        background: getComputedStyle(document.body).backgroundColor,
        list: document.querySelector('.list')?.getBoundingClientRect().bottom ?? 0,
        detail: document.querySelector('main')?.getBoundingClientRect().top ?? 0,
      }));
      expect(laid.background).toBe('rgb(255, 255, 255)');
      expect(laid.detail).toBeGreaterThanOrEqual(laid.list);
      expect((await page.pdf()).subarray(0, 5).toString()).toBe('%PDF-');
    });
  });

  describe('of two runs', () => {
    it('has the conclusion at the top and the changes first', async () => {
      await using open = await openPage(browser, await diffData());
      const { page } = open;
      await page.getByRole('banner').getByText('No evidence of a difference').first().waitFor();
      for (const total of ['4 regressed', '1 improved', '1 newly undecided', '17/18 passed', '12/18 passed'])
        await page.getByRole('banner').locator('.total', { hasText: total }).waitFor();
      const changes = await page.locator('.row .word').allTextContents();
      expect([...new Set(changes)]).toEqual([
        'regressed',
        'newly undecided',
        'improved',
        'not comparable',
        'added',
        'removed',
        'unchanged',
      ]);
      await page.getByRole('main').getByText('package content').waitFor();
      await page.getByRole('main').getByRole('cell', { name: '−0.7 points' }).waitFor();
      await page.getByRole('button', { name: 'improved' }).click();
      await page.getByText('1 of 19 cases').waitFor();
      await expect.poll(() => rowNames(page)).toEqual(['one-page-only']);
      expect(open.troubles).toEqual([]);
    });

    it('shows a case of both side by side, and says when one has none', async () => {
      await using open = await openPage(browser, await diffData(), { hash: '#case=pdf-extraction-e2e' });
      const { page } = open;
      const sides = page.locator('.pair > div');
      await sides.nth(1).getByText('After: 2026-11-14 09:30 UTC').waitFor();
      await sides.nth(0).getByText('All text is in output/extracted.txt.').waitFor();
      await sides.nth(1).getByText('The agent wrote notes.md beside the output.').waitFor();
      const [a, b] = await Promise.all([sides.nth(0).boundingBox(), sides.nth(1).boundingBox()]);
      expect(a?.y).toBe(b?.y);
      expect(b?.x).toBeGreaterThan(a?.x ?? Infinity);
      await page.evaluate(() => {
        location.hash = '#case=was-here-before';
      });
      await sides.nth(1).getByText('The case is not in this run.').waitFor();
      await page.evaluate(() => {
        location.hash = '#case=scan-02-is-not-invented';
      });
      await page.getByText('Not part of the conclusion: the definition of the case').waitFor();
      expect(open.troubles).toEqual([]);
    });
  });
});

/** Runs in the page. Texts with less contrast to what is behind them than AA asks for: 4.5, or 3 for large ones. */
function weakContrasts(): { texts: number; found: string[] } {
  type Colour = readonly [number, number, number, number];
  const parse = (text: string): Colour => {
    const [r = 0, g = 0, b = 0, a = 1] = (text.match(/[\d.]+/g) ?? []).map(Number);
    return [r, g, b, a];
  };
  const over = (top: Colour, under: Colour): Colour => {
    const mix = (at: 0 | 1 | 2) => top[at] * top[3] + under[at] * (1 - top[3]);
    return [mix(0), mix(1), mix(2), 1];
  };
  const behind = (it: Element | null): Colour =>
    it === null ? [255, 255, 255, 1] : over(parse(getComputedStyle(it).backgroundColor), behindOnce(it));
  const behindOnce = (it: Element): Colour => behind(it.parentElement);
  const light = ([r, g, b]: Colour) => {
    const part = (value: number) =>
      value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const found = new Set<string>();
  let texts = 0;
  for (const it of document.querySelectorAll('#app *')) {
    const own = [...it.childNodes].some(
      (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
    );
    if (!own || !it.checkVisibility({ visibilityProperty: true }) || it.closest('.sr, title, option'))
      continue;
    texts += 1;
    const style = getComputedStyle(it);
    const ground = behind(it);
    const ink = over(parse(it instanceof SVGElement ? style.fill : style.color), ground);
    const [high, low] = [light(ink), light(ground)].sort((a, b) => b - a);
    const contrast = ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05);
    const isLarge = Number.parseFloat(style.fontSize) >= 24;
    if (contrast < (isLarge ? 3 : 4.5))
      found.add(`${it.tagName}.${it.getAttribute('class')}: ${contrast.toFixed(2)}`);
  }
  return { texts, found: [...found] };
}
