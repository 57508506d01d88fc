/** A model that always says the same, on a TCP port and a unix socket. Ends when its input does. */
import { createServer } from 'node:http';
import process from 'node:process';
import { ANSWER } from './places.js';

const MESSAGES = [
  {
    type: 'message_start',
    message: {
      id: 'msg_bench',
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-5-5',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 100, output_tokens: 1 },
    },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: ANSWER } },
  { type: 'content_block_stop', index: 0 },
  {
    type: 'message_delta',
    delta: { stop_reason: 'end_turn', stop_sequence: null },
    usage: { output_tokens: 4 },
  },
  { type: 'message_stop' },
];

const item = {
  type: 'message',
  role: 'assistant',
  id: 'msg_bench',
  content: [{ type: 'output_text', text: ANSWER, annotations: [] }],
};
const RESPONSES = [
  { type: 'response.created', response: { id: 'resp_bench', model: 'gpt-5.4' } },
  { type: 'response.output_item.added', output_index: 0, item },
  { type: 'response.output_item.done', output_index: 0, item },
  {
    type: 'response.completed',
    response: {
      id: 'resp_bench',
      object: 'response',
      created_at: 1_772_323_200,
      model: 'gpt-5.4',
      status: 'completed',
      output: [item],
      usage: {
        input_tokens: 100,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: 4,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 104,
      },
    },
  },
];

const stream = (events) =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
const ANSWERS = { messages: stream(MESSAGES), responses: stream(RESPONSES) };

const serve = () =>
  createServer((request, response) => {
    const answer = request.url.includes('/messages') ? ANSWERS.messages : ANSWERS.responses;
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(answer);
    });
  });

const tcp = serve().listen(0, '127.0.0.1', () => {
  serve().listen(process.argv[2], () => console.log(tcp.address().port));
});
process.stdin.resume().on('end', () => process.exit());
