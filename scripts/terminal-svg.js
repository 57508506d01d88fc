/**
 * Draws what a command printed, colours included, as an SVG: `node scripts/terminal-svg.js "$ command" < output > file.svg`.
 * Knows the few escape codes that aam uses.
 */
import { argv, stdin, stdout } from 'node:process';
import { text } from 'node:stream/consumers';

const FONT = 13;
const LINE = 19;
const CHARACTER = 7.83;
const PADDING = 16;
const COLORS = { 30: '#1b1f24', 31: '#ff7b72', 32: '#7ee787', 33: '#e3b341', 36: '#79c0ff' };
const BACKGROUNDS = { 41: '#8e1519', 43: '#e3b341' };

const COLUMNS = 112;

const printed = [`\x1b[1m${argv[2] ?? ''}\x1b[0m`, ...(await text(stdin)).trimEnd().split('\n')];
const lines = printed.flatMap((line) => wrapped(pieces(line)));
const longest = Math.max(...lines.map((line) => line.reduce((sum, { words }) => sum + words.length, 0)));
const width = Math.ceil(longest * CHARACTER + 2 * PADDING);
const height = lines.length * LINE + 2 * PADDING;
stdout.write(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<title>${escaped(argv[2] ?? '')}</title>
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="${FONT}" fill="#e6edf3">
${lines.map((line, index) => drawn(line, PADDING + (index + 0.75) * LINE)).join('\n')}
</g>
</svg>
`);

function drawn(line, y) {
  let column = 0;
  const spans = line.map(({ words, style }) => {
    const x = PADDING + column * CHARACTER;
    column += words.length;
    const length = words.length * CHARACTER;
    const back = BACKGROUNDS[style.background];
    const box = back
      ? `<rect x="${x}" y="${y - FONT}" width="${length}" height="${LINE - 2}" fill="${back}"/>`
      : '';
    const fill = COLORS[style.color] ? ` fill="${COLORS[style.color]}"` : '';
    const weight = style.bold ? ' font-weight="bold"' : '';
    const faint = style.dim ? ' opacity="0.6"' : '';
    return `${box}<text x="${x}" y="${y}" textLength="${length}"${fill}${weight}${faint}>${escaped(words)}</text>`;
  });
  return spans.join('');
}

/** As a terminal does it: where the line ends, whatever stands there. */
function wrapped(line) {
  const rows = [[]];
  let room = COLUMNS;
  for (const { words, style } of line) {
    for (let rest = words; rest !== ''; ) {
      if (room === 0) {
        rows.push([]);
        room = COLUMNS;
      }
      const part = rest.slice(0, room);
      rows.at(-1).push({ words: part, style });
      room -= part.length;
      rest = rest.slice(part.length);
    }
  }
  return rows;
}

/** Text with one style each. */
function pieces(line) {
  const found = [];
  let style = {};
  for (const part of line.split(/(\x1b\[\d+m)/)) {
    const code = Number(/\[(\d+)m$/.exec(part)?.[1] ?? Number.NaN);
    if (Number.isNaN(code)) {
      if (part !== '') found.push({ words: part, style });
    } else style = restyled(style, code);
  }
  return found;
}

function restyled(style, code) {
  if (code === 0) return {};
  if (code === 1) return { ...style, bold: true };
  if (code === 2) return { ...style, dim: true };
  if (code === 22) return { ...style, bold: false, dim: false };
  if (code === 39) return { ...style, color: undefined };
  if (code === 49) return { ...style, background: undefined };
  return code in BACKGROUNDS ? { ...style, background: code } : { ...style, color: code };
}

function escaped(words) {
  // White space at the ends of a text is not drawn.
  return words
    .replaceAll(' ', '\u00a0')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
