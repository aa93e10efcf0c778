import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

export const completionText = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'bench',
  choices: [{ index: 0, message: { role: 'assistant', content: '72' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 61, completion_tokens: 1, total_tokens: 62 },
});

/** Starts a server that answers every request at once, in a process of its own. */
export async function startLoopbackServer() {
  const program = fileURLToPath(new URL('loopback-server.ts', import.meta.url));
  const server = fork(program, [completionText]);
  const [{ port }] = (await once(server, 'message')) as [AddressInfo];
  return { url: `http://127.0.0.1:${port}`, stop: () => server.disconnect() };
}
