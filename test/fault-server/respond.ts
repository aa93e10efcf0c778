import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Completion, countTokens } from './answer.ts';
import type { Fault, PlainFaultServerOptions } from './options.ts';

/** What a response is made of. */
export interface Reply {
  readonly response: ServerResponse;
  readonly isChat: boolean;
  readonly prompt: string;
  readonly request: Readonly<Record<string, unknown>>;
  readonly completion: Completion;
  readonly reasoning: PlainFaultServerOptions['reasoning'];
  readonly fault: Fault | undefined;
}

export async function respond(reply: Reply): Promise<void> {
  const { response, fault, request } = reply;
  switch (fault?.type) {
    case 'status':
      return sendStatus(response, fault);
    case 'reset':
      response.socket?.resetAndDestroy();
      return;
    case 'hang':
      if (fault.afterHeaders) {
        response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
      }
      return;
    case 'web-page':
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<!doctype html><html><head><title>Sign in</title></head><body></body></html>');
      return;
    case 'huge':
      return sendHuge(response, fault.bytes);
    default:
      return request.stream === true ? sendStream(reply) : sendJson(reply);
  }
}

function sendStatus(response: ServerResponse, fault: Fault & { type: 'status' }): void {
  const { status, headers, message = 'planned trouble', body } = fault;
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body ?? JSON.stringify({ error: { message, type: 'fault', code: status } }));
}

async function sendHuge(response: ServerResponse, bytes: number): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"choices":[{"message":{"content":"');
  const block = 'x'.repeat(1 << 16);
  for (let sent = 0; sent < bytes && !response.destroyed; sent += block.length) {
    if (!response.write(block)) await sleep(1);
  }
  response.end('"},"finish_reason":"stop"}]}');
}

function sendJson({ response, fault, ...reply }: Reply): void {
  const { isChat, completion, reasoning } = reply;
  if (fault?.type === 'late-error') {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message: fault.message, code: fault.code } }));
    return;
  }
  const content = completion.pieces.join('');
  const thoughts = reasoning && { [reasoning.field]: reasoning.text };
  const text = JSON.stringify({
    ...envelope(reply, isChat ? 'chat.completion' : 'text_completion'),
    choices: [
      {
        index: 0,
        ...(isChat ? { message: { role: 'assistant', content, ...thoughts } } : { text: content }),
        finish_reason: completion.finishReason,
      },
    ],
    ...(fault?.type !== 'no-usage' && { usage: usageOf(reply) }),
  });
  const contentType = fault?.type === 'content-type' ? fault.contentType : 'application/json';
  const length = Buffer.byteLength(text);
  response.writeHead(200, { 'content-type': contentType, 'content-length': length });
  if (fault?.type === 'half-body') sendHalf(response, text);
  else response.end(fault?.type === 'invalid-json' ? text.replace('{', '[') : text);
}

function sendHalf(response: ServerResponse, text: string): void {
  response.write(text.slice(0, text.length >> 1), () => response.destroy());
}

async function sendStream({ response, fault, ...reply }: Reply): Promise<void> {
  const contentType = fault?.type === 'content-type' ? fault.contentType : 'text/event-stream';
  response.writeHead(200, { 'content-type': contentType });
  const events = streamEvents({ fault, ...reply });
  for (const [index, event] of events.entries()) {
    if (fault?.type === 'slow-stream') await sleep(fault.pauseMs);
    if (response.destroyed) return;
    const isMiddle = index === events.length >> 1;
    if (isMiddle && fault?.type === 'half-body') {
      sendHalf(response, event);
      return;
    }
    if (isMiddle && fault?.type === 'cut-stream') break;
    response.write(isMiddle && fault?.type === 'invalid-json' ? event.replace('{', '[') : event);
  }
  if (fault?.type !== 'open-end') response.end();
}

function streamEvents({ fault, ...reply }: Omit<Reply, 'response'>): string[] {
  const { completion, reasoning, request } = reply;
  const head = envelope(reply, reply.isChat ? 'chat.completion.chunk' : 'text_completion');
  const event = (part: object) => `data: ${JSON.stringify({ ...head, ...part })}\n\n`;
  const choice = (delta: object, finishReason: string | null = null) =>
    event({ choices: [{ index: 0, ...delta, finish_reason: finishReason }] });
  const piece = (text: string) => (reply.isChat ? { delta: { content: text } } : { text });
  const asksUsage = (request.stream_options as { include_usage?: boolean })?.include_usage;
  const events = [
    ': a comment\n\n',
    ...(reply.isChat ? [choice({ delta: { role: 'assistant', content: '' } })] : []),
    ...(reasoning ? [choice({ delta: { [reasoning.field]: reasoning.text } })] : []),
    ...completion.pieces.map((text) => choice(piece(text))),
    choice(piece(''), completion.finishReason),
    ...(asksUsage && fault?.type !== 'no-usage'
      ? [event({ choices: [], usage: usageOf(reply) })]
      : []),
    'data: [DONE]\n\n',
  ];
  if (fault?.type !== 'late-error') return events;
  const error = { message: fault.message, code: fault.code };
  return [...events.slice(0, 3), `data: ${JSON.stringify({ error })}\n\n`];
}

function envelope({ prompt, request }: Pick<Reply, 'prompt' | 'request'>, object: string) {
  return { id: `cmpl-${prompt.length}`, object, created: 0, model: request.model };
}

function usageOf({ prompt, completion }: Pick<Reply, 'prompt' | 'completion'>) {
  const [input, output] = [countTokens(prompt), completion.pieces.length];
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: 1 },
  };
}
