#!/usr/bin/env node
// Prints the text of a PDF, page by page. Exit code 1: there is no text to be had; 2: it was called wrongly.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';

const USAGE = `usage: extract-text.mjs <file.pdf> [options]
  --pages 1,3-5    only these pages
  --json           {"file", "pageCount", "pages": [{"page", "text"}]} instead of plain text
  --output FILE    write to a file, whose folder is made when it is missing`;

class CallError extends Error {}

try {
  const call = readCall(process.argv.slice(2));
  if (call === null) console.log(USAGE);
  else await extract(call);
} catch (error) {
  console.error(`extract-text: ${error.message}`);
  if (error instanceof CallError) console.error(USAGE);
  process.exitCode = error instanceof CallError ? 2 : 1;
}

function readCall(args) {
  const options = /** @type {const} */ ({
    pages: { type: 'string' },
    json: { type: 'boolean', default: false },
    output: { type: 'string' },
    help: { type: 'boolean', default: false },
  });
  const { values, positionals } = parsed(() => parseArgs({ args, options, allowPositionals: true }));
  if (values.help) return null;
  const [file, ...rest] = positionals;
  if (file === undefined) throw new CallError('no PDF was named');
  if (rest.length > 0) throw new CallError(`one PDF at a time; what is ${rest.join(' ')}?`);
  if (values.output !== undefined && resolve(values.output) === resolve(file))
    throw new CallError('--output would overwrite the PDF itself');
  return { file, ranges: values.pages === undefined ? null : readRanges(values.pages), ...values };
}

function parsed(parse) {
  try {
    return parse();
  } catch (error) {
    throw new CallError(error.message);
  }
}

function readRanges(text) {
  return text.split(',').map((part) => {
    const [, first, last = first] = /^\s*(\d+)\s*(?:-\s*(\d+)\s*)?$/.exec(part) ?? [];
    if (first === undefined || Number(first) < 1 || Number(last) < Number(first))
      throw new CallError(`--pages takes pages such as 2 or 1,3-5, not ${JSON.stringify(text)}`);
    return [Number(first), Number(last)];
  });
}

async function extract({ file, ranges, json, output }) {
  const texts = await textsOf(file, readBytes(file));
  const pages = texts
    .map((text, index) => ({ page: index + 1, text }))
    .filter(({ page }) => ranges === null || ranges.some(([first, last]) => first <= page && page <= last));
  const beyond = ranges?.flat().find((page) => page > texts.length);
  if (beyond !== undefined)
    throw new CallError(`${file} has no page ${beyond}; it has ${counted(texts.length)}`);
  const empty = pages.filter(({ text }) => text === '').map(({ page }) => page);
  if (empty.length === pages.length)
    throw new Error(`${file} has no text layer on ${pagesText(empty)}: it is a picture and needs OCR`);
  if (empty.length > 0) console.error(`extract-text: no text on ${pagesText(empty)} of ${file}`);

  const result = json
    ? JSON.stringify({ file, pageCount: texts.length, pages })
    : pages.map(({ text }) => text).join('\n\n');
  if (output === undefined) console.log(result);
  else {
    mkdirSync(dirname(output), { recursive: true });
    writeFileSync(output, `${result}\n`);
    console.log(`wrote the text of ${counted(pages.length)} to ${output}`);
  }
}

function readBytes(file) {
  let bytes;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    const why = { ENOENT: 'it does not exist', EISDIR: 'it is a folder' }[error.code] ?? error.message;
    throw new Error(`cannot read ${file}: ${why}`);
  }
  // Readers accept a little of something else before the header.
  if (!bytes.subarray(0, 1024).includes('%PDF-')) throw new Error(`${file} is not a PDF`);
  return new Uint8Array(bytes);
}

async function textsOf(file, bytes) {
  const { extractText, getDocumentProxy } = await library();
  try {
    // Its warnings would stand between the lines of the text.
    const pdf = await getDocumentProxy(bytes, { verbosity: 0 });
    const { text } = await extractText(pdf, { mergePages: false });
    return text.map((page) => page.trim());
  } catch (error) {
    if (error.name === 'PasswordException')
      throw new Error(`${file} is encrypted: ask for a copy without a password`);
    throw new Error(`${file} is damaged: ${error.message}`);
  }
}

async function library() {
  try {
    return await import('unpdf');
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Error('the library unpdf is not installed: run npm ci in the folder of this skill');
  }
}

function counted(pages) {
  return pages === 1 ? '1 page' : `${pages} pages`;
}

function pagesText(pages) {
  return `${pages.length === 1 ? 'page' : 'pages'} ${pages.join(', ')}`;
}
