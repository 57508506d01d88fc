/** The page says of every run what its report says. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aam } from '../helpers/cli.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { REPORTS } from '../report/fixture-reports.ts';
import { launchBrowser, openFile, WITHOUT_BROWSER } from './browser.ts';

describe.skipIf(WITHOUT_BROWSER)('the page', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  }, 700_000);
  afterAll(() => browser?.close());

  it.each(Object.entries(REPORTS))('agrees on a run that %s', async (_, report) => {
    await using folder = await temporaryFolder();
    await writeFile(join(folder.path, 'report.json'), JSON.stringify(report));
    const { code } = await aam(['report', 'report.json', '--html', 'report.html'], { cwd: folder.path });
    await using open = await openFile(browser, join(folder.path, 'report.html'));
    const { page } = open;
    const { summary, interrupted } = report;
    const total = (name: string) =>
      page.locator('.total', { hasText: name }).locator('b').first().textContent();
    const rows = (verdict: string) => page.locator(`.row .row-mark .${verdict}`).count();
    expect({
      totals: [await total('passed'), await total('failed'), await total('undecided')].map(Number),
      rows: [await rows('PASS'), await rows('FAIL'), await rows('SKIP')],
      exit: Number(await page.getByRole('row', { name: 'Exit code' }).getByRole('cell').textContent()),
      interrupted: (await page.getByText('The run was interrupted').count()) > 0,
    }).toEqual({
      totals: [summary.passed, summary.failed, summary.skipped],
      rows: [summary.passed, summary.failed, summary.skipped],
      exit: code,
      interrupted,
    });
    expect(code).toBe(report.exit_code);
    expect(open.troubles).toEqual([]);
  });
});
