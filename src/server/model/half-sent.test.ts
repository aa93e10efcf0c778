import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { openLocal } from '../../model/local/open-local.ts';
import { startModelServer } from './start-model-server.ts';

async function start(arrivalMs: number) {
  const parts = await openLocal({ path: 'models/typecase-tiny' });
  return startModelServer(parts, { host: '127.0.0.1', port: 0, name: 'tiny', arrivalMs });
}

const headers =
  'POST /v1/completions HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n';
const halves = {
  'nothing at all': '',
  'half of the headers': headers,
  'half of a body': `${headers}content-length: 1000\r\n\r\n{"prompt":"`,
  'half of a body in chunks': `${headers}transfer-encoding: chunked\r\n\r\n5\r\n{"pro\r\n`,
};

async function send(url: string, bytes: string): Promise<Socket> {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(bytes);
  return socket;
}

const ask = (url: string, more: object = {}) =>
  fetch(`${url}/v1/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ prompt: '12+30=', max_tokens: 3, temperature: 0, ...more }),
  });

/** Of each kind so many. */
const sendHalves = (url: string, clients: number) =>
  Promise.all(
    Array.from({ length: clients }, () => Object.values(halves))
      .flat()
      .map((bytes) => send(url, bytes)),
  );

test('half-sent requests of 100 clients are ended, and keep nobody waiting', async () => {
  const server = await start(1500);
  const sockets = await sendHalves(server.url, 25);
  const ends = sockets.map((socket) => text(socket));
  expect((await ask(server.url)).status).toBe(200);
  const said = await Promise.all(ends);
  for (const words of said) expect(words).toMatch(/^HTTP\/1\.1 408 |^$/);
  expect(said.join('')).toContain('408');
  expect((await ask(server.url)).status).toBe(200);
  await server.close();
});

test('a server that is closed ends its answers, and does not wait for the rest of requests', async () => {
  const server = await start(600_000);
  const sockets = await sendHalves(server.url, 3);
  const ends = sockets.map((socket) => text(socket).catch(() => ''));
  const long = { stream: true, prompt: 'a', max_tokens: 60, temperature: 2 };
  const inFlight = await ask(server.url, long);
  await Promise.all([server.close(), ...ends]);
  expect(await inFlight.text()).toMatch(/data: \[DONE\]\s*$/);
});
