import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { echoChoices } from '../integration/joints/reply/echo-choices.ts';
import type { WireBody } from '../integration/joints/reply/wire-body.ts';

/** How the server tells log-probabilities, and whether it takes several texts at once. */
export type Telling = 'echo' | 'echo-one' | 'prompt-logprobs' | 'next-token' | 'nothing';

export interface LogprobServer extends AsyncDisposable {
  readonly url: string;
  /** The bodies of the requests, in the order in which they came. */
  readonly bodies: readonly WireBody[];
  /** From now on it tells log-probabilities like this. */
  tell(telling: Telling): void;
}

/** Starts a server whose log-probabilities depend on nothing but the text, down to the last bit. */
export async function startLogprobServer(first: Telling): Promise<LogprobServer> {
  let telling = first;
  const bodies: WireBody[] = [];
  const server = createServer(async (request, response) => {
    response.setHeader('content-type', 'application/json');
    if (request.method === 'GET') {
      response.end(JSON.stringify({ data: [{ id: 'served' }] }));
      return;
    }
    const body = (await json(request)) as WireBody;
    bodies.push(body);
    response.end(JSON.stringify({ id: 'cmpl-1', choices: choicesOf(body, telling) }));
  });
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    tell: (next) => {
      telling = next;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function choicesOf(body: WireBody, telling: Telling): unknown[] {
  const all = echoChoices(body);
  switch (telling) {
    case 'nothing':
      return all.map(({ index, text }) => ({ index, text }));
    case 'echo':
      return all;
    case 'echo-one':
      return all.slice(0, 1);
    case 'prompt-logprobs':
      return all.map(({ index, text, logprobs: { tokens, token_logprobs } }) => ({
        index,
        text,
        prompt_logprobs: tokens.slice(0, -1).map((token, place) => {
          const logprob = token_logprobs[place];
          return logprob === null ? null : { 1: { logprob, rank: 2, decoded_token: token } };
        }),
      }));
    case 'next-token':
      return all.slice(0, 1).map(() => ({ text: '', logprobs: { content: [nextTokens(body)] } }));
  }
}

const choices = [' yes', ' no', ' perhaps'];

function nextTokens({ prompt = '' }: WireBody) {
  const [text = ''] = [prompt].flat().map(String);
  const listed = choices.map((token) => {
    const [whole] = echoChoices({ model: '', prompt: text + token });
    return { token, logprob: whole?.logprobs.token_logprobs.at(-2) };
  });
  return { token: ' yes', logprob: -1, top_logprobs: listed };
}
