import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface ChatBody {
  readonly model: string;
  readonly stream?: boolean;
  readonly messages: readonly {
    readonly role: string;
    readonly content: string;
    readonly tool_calls?: readonly { readonly id: string; readonly function: object }[];
    readonly tool_call_id?: string;
  }[];
  readonly tools?: readonly unknown[];
  readonly response_format?: unknown;
}

export interface ChatReply {
  readonly content?: string | null;
  readonly tool_calls?: readonly object[];
  readonly delayMs?: number;
}

export interface ChatServer extends AsyncDisposable {
  readonly url: string;
  /** The bodies of all requests, as they came. */
  readonly bodies: string[];
}

/** A chat endpoint, and one for embeddings, that answers as it is told. */
export async function startChatServer(
  replyTo: (body: ChatBody) => ChatReply | string,
): Promise<ChatServer> {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const written = await text(request);
    if (request.url?.endsWith('/embeddings')) {
      const { input } = JSON.parse(written) as { input: string | string[] };
      const data = [input].flat().map((one, index) => ({ index, embedding: letterCounts(one) }));
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ data }));
      return;
    }
    bodies.push(written);
    const body = JSON.parse(written) as ChatBody;
    const reply = replyTo(body);
    const {
      content = null,
      tool_calls,
      delayMs = 0,
    } = typeof reply === 'string' ? { content: reply } : reply;
    const finish = tool_calls ? 'tool_calls' : 'stop';
    const usage = { prompt_tokens: 10, completion_tokens: 5 };
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    if (!body.stream) {
      const message = { role: 'assistant', content, ...(tool_calls && { tool_calls }) };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({
          id: '1',
          model: body.model,
          choices: [{ index: 0, message, finish_reason: finish }],
          usage,
        }),
      );
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const delta of deltasOf(content, tool_calls)) {
      response.write(`data: ${JSON.stringify({ id: '1', choices: [{ index: 0, delta }] })}\n\n`);
    }
    const end = { id: '1', choices: [{ index: 0, delta: {}, finish_reason: finish }], usage };
    response.end(`data: ${JSON.stringify(end)}\n\ndata: [DONE]\n\n`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    bodies,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Calls come in pieces that name them by their index, and their arguments a few characters at a time. */
function deltasOf(content: string | null, calls: readonly object[] | undefined): object[] {
  const texts = content === null ? [] : [...content].map((letter) => ({ content: letter }));
  const pieces = (calls ?? []).flatMap((call, index) => {
    const { id, function: called } = call as {
      id: string;
      function: { name: string; arguments: string };
    };
    const [start, middle] = [called.arguments.slice(0, 3), called.arguments.slice(3)];
    return [
      { tool_calls: [{ index, id, type: 'function', function: { ...called, arguments: start } }] },
      { tool_calls: [{ index, function: { arguments: middle } }] },
    ];
  });
  return [{ role: 'assistant' }, ...texts, ...pieces];
}

function letterCounts(text: string): number[] {
  const counts = Array.from({ length: 27 }, () => 0);
  for (const letter of text.toLowerCase()) {
    const index = letter.charCodeAt(0) - 97;
    counts[index >= 0 && index < 26 ? index : 26] =
      (counts[index >= 0 && index < 26 ? index : 26] ?? 0) + 1;
  }
  return counts;
}
