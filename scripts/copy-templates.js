/** Puts the texts that the program reads beside the compiled code. */
import { copyFileSync } from 'node:fs';

for (const path of ['judge/prompt.md']) {
  copyFileSync(new URL(`../src/${path}`, import.meta.url), new URL(`../dist/${path}`, import.meta.url));
}
