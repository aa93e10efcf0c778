import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { completeAnswer, computeAnswer } from './answer.ts';
import { chooseFault } from './choose-fault.ts';
import type {
  FaultServer,
  FaultServerOptions,
  FaultServerStats,
  RecordedRequest,
} from './options.ts';
import { respond } from './respond.ts';

/** Starts an HTTP server that plays an OpenAI-compatible model, with faults as asked for. */
export async function startFaultServer(options: FaultServerOptions = {}): Promise<FaultServer> {
  const desk = new Desk(options);
  const server: Server = options.tls
    ? createTlsServer({ ...options.tls }, desk.handle)
    : createServer(desk.handle);
  server.on('connection', desk.countConnection);
  // Otherwise an idle connection may be closed just as a request is sent on it.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `${options.tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    stats: async () => desk.stats(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Takes requests, counts them and has them answered. */
class Desk {
  readonly #options: FaultServerOptions;
  readonly #byPrompt = new Map<string, number>();
  readonly #recorded: RecordedRequest[] = [];
  #requests = 0;
  #connections = 0;
  #underWay = 0;
  #maxConcurrency = 0;

  constructor(options: FaultServerOptions) {
    this.#options = options;
  }

  stats(): FaultServerStats {
    return {
      requests: this.#requests,
      byPrompt: Object.fromEntries(this.#byPrompt),
      maxConcurrency: this.#maxConcurrency,
      connections: this.#connections,
      recorded: this.#recorded,
    };
  }

  readonly countConnection = (): void => {
    this.#connections++;
  };

  readonly handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? '';
    const { apiKey } = this.#options;
    const body = await text(request);
    if (apiKey !== undefined && request.headers.authorization !== `Bearer ${apiKey}`) {
      const said = `Incorrect API key provided: ${request.headers.authorization}`;
      sendError(response, 401, said);
    } else if (path === '/v1/models') {
      response.end(JSON.stringify({ object: 'list', data: [{ id: 'fault', object: 'model' }] }));
    } else if (!/^\/v1\/(chat\/)?completions(\?|$)/.test(path)) {
      sendError(response, 404, `no such path: ${path}`);
    } else {
      await this.#complete({ path, headers: request.headers, body: JSON.parse(body) }, response);
    }
  };

  async #complete(request: RecordedRequest, response: ServerResponse): Promise<void> {
    const {
      answer = computeAnswer,
      latencyMs = 0,
      reasoning,
      record,
      modelOf,
      limit,
    } = this.#options;
    const isChat = request.path.includes('/chat/');
    const prompt = promptOf(request.body);
    const attempt = (this.#byPrompt.get(prompt) ?? 0) + 1;
    this.#requests++;
    this.#byPrompt.set(prompt, attempt);
    this.#maxConcurrency = Math.max(this.#maxConcurrency, ++this.#underWay);
    response.on('close', () => this.#underWay--);
    if (record) this.#recorded.push(request);
    if (latencyMs > 0) await sleep(latencyMs);
    await respond({
      response,
      isChat,
      prompt,
      request: { ...request.body, ...(modelOf && { model: modelOf(prompt) }) },
      completion: completeAnswer(answer(prompt), {
        ...(limit !== undefined && { max_tokens: limit }),
        ...request.body,
      }),
      reasoning: isChat ? reasoning : undefined,
      fault: chooseFault(this.#options, { prompt, attempt }),
    });
  }
}

/** The text of a text prompt, or of all messages, one a line. */
function promptOf(body: RecordedRequest['body']): string {
  const { prompt, messages = [] } = body as {
    prompt?: unknown;
    messages?: { content: string | { text: string }[] }[];
  };
  if (typeof prompt === 'string') return prompt;
  if (prompt !== undefined) return JSON.stringify(prompt);
  const contents = messages.flatMap(({ content }) =>
    typeof content === 'string' ? content : content.map((part) => part.text),
  );
  return contents.join('\n');
}

function sendError(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: { message } }));
}
