/** Finds what makes a model's server reach out to other places, for a sandbox that has no network. */
import type { Provider } from '../model/usage.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Names the first way out in a request, in a few words; null: there is none. */
export function wayOutIn(provider: Provider, body: Fields): string | null {
  return WAYS_OUT[provider](body).find((it) => it !== null) ?? null;
}

/** Tools that the client runs, or that only look at the request itself. Everything else counts as a way out. */
const ANTHROPIC_TOOLS = /^(custom$|(bash|text_editor|computer|memory|tool_search_tool_\w+|advisor)_\d+$)/;
const OPENAI_TOOLS = new Set([
  'function',
  'custom',
  'local_shell',
  'apply_patch',
  'tool_search',
  'namespace',
]);
const GOOGLE_TOOLS = new Set(['functionDeclarations', 'function_declarations']);

const WAYS_OUT: Readonly<Record<Provider, (body: Fields) => (string | null)[]>> = {
  anthropic: (body) => [
    ...list(body['tools']).map(({ type }) => unless(isAbsent(type) || ANTHROPIC_TOOLS.test(`${type}`), type)),
    unless(isEmpty(body['mcp_servers']), 'mcp_servers'),
    ...list(body['messages']).flatMap(({ content }) => list(content).flatMap(anthropicSources)),
    ...list(body['system']).flatMap(anthropicSources),
  ],
  openai: (body) => [
    ...[body, ...list(body['input'])].flatMap(({ tools }) => list(tools).flatMap(openaiTools)),
    unless(isAbsent(body['prompt']), 'a stored prompt'),
    unless(isAbsent(body['web_search_options']), 'web_search_options'),
    ...[...list(body['input']), ...list(body['messages'])]
      .flatMap((item) => [item, ...list(item['content']), ...list(item['output']), ...list([item['output']])])
      .map(openaiSource),
  ],
  google: (body) => [
    ...list(body['tools'])
      .flatMap((tool) => Object.keys(tool))
      .map((name) => unless(GOOGLE_TOOLS.has(name), name)),
    ...[...list(body['contents']), ...list([body['systemInstruction']])]
      .flatMap(({ parts }) => list(parts))
      .map((part) => unless(isAbsent(part['fileData'] ?? part['file_data']), 'a file at an address')),
  ],
};

function anthropicSources(block: Fields): (string | null)[] {
  const sources = list([block['source']]);
  const isRemote = sources.some(({ type }) => type === 'url');
  const inner = [block, ...sources].flatMap(({ content }) => list(content));
  return [unless(!isRemote, 'content at an address'), ...inner.flatMap(anthropicSources)];
}

function openaiTools(tool: Fields): (string | null)[] {
  const { type, environment } = tool;
  const isLocalShell = type === 'shell' && list([environment]).some((it) => it['type'] === 'local');
  const isClients = isAbsent(type) || OPENAI_TOOLS.has(`${type}`) || isLocalShell;
  return [unless(isClients, type), ...list(tool['tools']).flatMap(openaiTools)];
}

/** An image may be in the request itself, as a data URL. */
function openaiSource(part: Fields): string | null {
  const image = part['image_url'];
  const url = typeof image === 'string' ? image : list([image])[0]?.['url'];
  const isInside = isAbsent(url) || `${url}`.startsWith('data:');
  return unless(isInside && isAbsent(part['file_url']), 'content at an address');
}

function unless(isFine: boolean, what: unknown): string | null {
  return isFine ? null : `${what}`.replace(/[^\w .-]/g, '?').slice(0, 60);
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function isEmpty(value: unknown): boolean {
  return isAbsent(value) || (Array.isArray(value) && value.length === 0);
}

function list(value: unknown): Fields[] {
  if (!Array.isArray(value)) return [];
  return value.filter((it): it is Fields => typeof it === 'object' && it !== null);
}
