/** Puts the compiled program into a few files: finding and opening hundreds of them takes Node longer than running them. */
import { existsSync } from 'node:fs';
import { defineConfig, type Plugin, parseSync, Visitor } from 'vite';

/** Where the files go. Paths from `import.meta.url` are kept as they are, so they must begin with `../`. */
const PROGRAM = new URL('dist/program/', import.meta.url);
/** Loaded by nearly every command, and small. The others are only needed by a few. */
const BUNDLED = [
  ...['commander', 'diff', 'json-p3', 'jsonc-parser', 'p-limit', 'yocto-queue'],
  ...['picocolors', 'semver', 'smol-toml', 'yaml', 'zod'],
];

/**
 * What commands begin with, and all that it needs, is one file for each of these: those that come first are needed by
 * more of them.
 */
const BEGINNINGS: Readonly<Record<string, RegExp>> = {
  main: /\/dist\/cli\/main\.js$/,
  report: /\/dist\/pipeline\/(?:clean|eval-diff|eval-outputs|html|list-runs)\.js$/,
  doctor: /\/dist\/pipeline\/doctor\.js$/,
  load: /\/dist\/pipeline\/(?:eval-dry-run|eval-plan|eval-source|validate)\.js$/,
  test: /\/dist\/pipeline\/(?:test|test-fixtures)\.js$/,
  run: /\/dist\/pipeline\/(?:eval|site-local)\.js$/,
};
const GROUPS = Object.entries(BEGINNINGS).map(([name, test], index, all) => ({
  name,
  test,
  priority: all.length - index,
}));

export default defineConfig({
  build: {
    ssr: 'dist/cli/bin.js',
    outDir: 'dist/program',
    // Neither this nor new names at each build: whoever runs the program meanwhile still needs its files.
    emptyOutDir: false,
    target: 'node20',
    minify: false,
    reportCompressedSize: false,
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: '[name].js',
        codeSplitting: { groups: GROUPS },
        comments: false,
      },
    },
  },
  ssr: { noExternal: BUNDLED },
  logLevel: 'warn',
  plugins: [quick(), requireNeighbours()],
});

/** For Node, which reads a program anew at each start. */
function quick(): Plugin {
  return {
    name: 'quick',
    // Not before: what spreads nothing is taken for useless.
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle))
        if (chunk.type === 'chunk') chunk.code = ascii(withSharedShapes(chunk.code));
    },
  };
}

/** Any other sign doubles the memory that the text of the program takes. */
function ascii(code: string): string {
  new Visitor({
    TaggedTemplateExpression({ start, end }) {
      if (code.slice(start, end).search(OTHER_SIGNS) >= 0)
        throw new Error(`a tag may tell an escape from its sign: ${code.slice(start, end)}`);
    },
  }).visit(parseSync('chunk.js', code).program);
  return code.replace(OTHER_SIGNS, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const OTHER_SIGNS = /[^\0-\x7f]/g;

/**
 * In Node 20 each object whose literal begins with a spread gets a shape of its own: it takes four times the memory of
 * others, and many times as long to make. One that begins with the spread of nothing is the same object, and like others.
 */
function withSharedShapes(code: string): string {
  const starts: number[] = [];
  new Visitor({
    ObjectExpression({ properties: [first, ...others] }) {
      if (first?.type === 'SpreadElement' && others.length > 0) starts.push(first.start);
    },
  }).visit(parseSync('chunk.js', code).program);
  const places = [0, ...starts.sort((a, b) => a - b)];
  return places.map((from, index) => code.slice(from, places[index + 1])).join('...{}, ');
}

function requireNeighbours(): Plugin {
  return {
    name: 'require-neighbours',
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        const code = chunk.type === 'chunk' ? chunk.code : '';
        for (const [, path = ''] of code.matchAll(/new URL\(["'`]([^"'`]+)["'`], import\.meta\.url\)/g))
          if (!existsSync(new URL(path, PROGRAM)))
            this.error(`${path}, seen from dist/program, is not there`);
      }
    },
  };
}
