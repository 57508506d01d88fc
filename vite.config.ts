/** Builds the page of the HTML report into one file that allows itself nothing but its own script and style. */
import { createHash } from 'node:crypto';
import { defineConfig, type Plugin } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';

export default defineConfig({
  root: 'src/viewer',
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../../dist/viewer',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  logLevel: 'warn',
  plugins: [viteSingleFile(), contentSecurityPolicy()],
});

const HEAD = '<meta charset="utf-8" />';

function contentSecurityPolicy(): Plugin {
  return {
    name: 'content-security-policy',
    enforce: 'post',
    // After script and style have been put into the page.
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const page = bundle['index.html'];
        if (page?.type !== 'asset') throw new Error('there is no index.html');
        page.source = withPolicy(String(page.source));
      },
    },
  };
}

function withPolicy(html: string): string {
  const policy = [
    `default-src 'none'`,
    `script-src ${hashOf(html, /<script type="module"[^>]*>([\s\S]*?)<\/script>/g)}`,
    `style-src ${hashOf(html, /<style[^>]*>([\s\S]*?)<\/style>/g)}`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `require-trusted-types-for 'script'`,
    `trusted-types 'none'`,
  ].join('; ');
  if (!html.includes(HEAD)) throw new Error(`index.html has no ${HEAD}`);
  const tag = `<meta http-equiv="Content-Security-Policy" content="${policy}" />`;
  return html.replace(HEAD, () => `${HEAD}\n    ${tag}`);
}

function hashOf(html: string, element: RegExp): string {
  const [found, ...more] = html.matchAll(element);
  if (!found || more.length > 0) throw new Error(`the page must have exactly one ${element}`);
  const hash = createHash('sha256').update(found[1] ?? '');
  return `'sha256-${hash.digest('base64')}'`;
}
