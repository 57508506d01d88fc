/** A real browser for the page. */
import { execFile } from 'node:child_process';
import { access, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import type { ViewerData } from '../../src/model/viewer.ts';
import { renderHtml } from '../../src/report/html.ts';
import { temporaryFolder } from '../helpers/folder.ts';

/** Without a browser these tests fail, unless someone says so: then they are counted as skipped. */
export const WITHOUT_BROWSER = process.env['AAM_NO_BROWSER'] === '1';

const CHROMIUM = '/usr/bin/chromium';

export async function launchBrowser(): Promise<Browser> {
  if (!(await exists(CHROMIUM))) await installChromium();
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'], timeout: 60_000 });
}

const exec = promisify(execFile);
const HINT =
  'install it:  apt-get install chromium\nor leave the tests in a browser out:  AAM_NO_BROWSER=1 npm test';

async function installChromium(): Promise<void> {
  if (process.getuid?.() !== 0 || !(await exists('/usr/bin/apt-get')))
    throw new Error(`${CHROMIUM} is missing, and this user cannot install it\n${HINT}`);
  const settings = { timeout: 300_000, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  // Several test files may want it at the same time.
  const apt = (...args: string[]) => exec('apt-get', ['-o', 'DPkg::Lock::Timeout=240', ...args], settings);
  const install = () => apt('install', '-y', '--no-install-recommends', 'chromium');
  await install()
    .catch(() => apt('update').then(install))
    .catch((error: Error) => {
      throw new Error(`${CHROMIUM} is missing and could not be installed: ${error.message}\n${HINT}`);
    });
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

async function htmlOf(data: ViewerData): Promise<string> {
  const template = fileURLToPath(new URL('../../dist/viewer/index.html', import.meta.url));
  return renderHtml(data, await readFile(template, 'utf8'));
}

export interface OpenPage extends AsyncDisposable {
  readonly page: Page;
  /** Everything that must not happen: errors, dialogs, requests, blocked scripts. */
  readonly troubles: readonly string[];
}

type PageOptions = BrowserContextOptions & { readonly hash?: string };

export async function openPage(
  browser: Browser,
  data: ViewerData,
  options: PageOptions = {},
): Promise<OpenPage> {
  const folder = await temporaryFolder();
  const file = join(folder.path, 'report.html');
  await writeFile(file, await htmlOf(data));
  const open = await openFile(browser, file, options);
  return {
    ...open,
    [Symbol.asyncDispose]: async () => {
      await open[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** As a reader does. */
export async function openFile(
  browser: Browser,
  file: string,
  { hash = '', ...options }: PageOptions = {},
): Promise<OpenPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  const troubles: string[] = [];
  const url = pathToFileURL(file).href;
  page.on('pageerror', (error) => troubles.push(`error: ${error.message}`));
  page.on('console', (told) => {
    if (['error', 'warning'].includes(told.type())) troubles.push(`console: ${told.text()}`);
  });
  page.on('request', (request) => {
    if (request.url().split('#')[0] !== url) troubles.push(`request: ${request.url()}`);
  });
  context.on('page', (opened) => troubles.push(`window: ${opened.url()}`));
  page.on('dialog', (dialog) => {
    troubles.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(url + hash);
  return { page, troubles, [Symbol.asyncDispose]: () => context.close() };
}
