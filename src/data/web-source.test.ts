import { createServer } from 'node:https';
import { expect, it } from 'vitest';
import { openRows } from './open-rows.ts';
import { selfSigned } from './self-signed.fixture.ts';
import { collect, listen, makeFolder, serve } from './test-sources.ts';

const rows = '{"q": 1}\n{"q": 2}\n';

it('downloads a file once and asks whether it has changed', async () => {
  const statuses: number[] = [];
  const url = await serve((request, response) => {
    const status = request.headers['if-none-match'] === '"one"' ? 304 : 200;
    statuses.push(status);
    response.writeHead(status, { etag: '"one"' }).end(status === 200 ? rows : undefined);
  });
  const cacheFolder = await makeFolder();
  for (let time = 0; time < 2; time += 1) {
    const stream = await openRows(`${url}/data/rows.jsonl?token=secret`, { cacheFolder });
    expect(await collect(stream)).toHaveLength(2);
    const { files } = await stream.describe();
    expect(files).toMatchObject([{ name: `${url}/data/rows.jsonl`, bytes: 18, format: 'jsonl' }]);
  }
  expect(statuses).toEqual([200, 304]);
});

it('sends user and password, and shows neither', async () => {
  const url = await serve((request, response) => {
    const isKnown = request.headers.authorization === `Basic ${btoa('me:p@ss')}`;
    response.writeHead(isKnown ? 200 : 500).end(rows);
  });
  const source = `${url}/rows.jsonl`.replace('//', '//me:p%40ss@');
  const stream = await openRows(source, { cacheFolder: await makeFolder() });
  expect((await stream.describe()).files).toMatchObject([{ name: `${url}/rows.jsonl` }]);
});

it.each([
  ['me:p%40ss@', `Basic ${btoa('me:p@ss')}`],
  ['token@', `Basic ${btoa('token:')}`],
  [':key@', `Basic ${btoa(':key')}`],
  ['', undefined],
])('the login %j is sent as %s', async (login, expected) => {
  const seen: (string | undefined)[] = [];
  const url = await serve((request, response) => {
    seen.push(request.headers.authorization);
    response.end(rows);
  });
  await openRows(`${url}/rows.jsonl`.replace('//', `//${login}`), {
    cacheFolder: await makeFolder(),
  });
  expect(seen).toEqual([expected]);
});

it('reads an address that says nothing about the format', async () => {
  const url = await serve((_, response) => response.end('q,a\n1,2\n'));
  const stream = await openRows(`${url}/export`, { cacheFolder: await makeFolder() });
  expect(await collect(stream)).toEqual([{ id: 0, row: { q: '1', a: '2' } }]);
});

it.each([
  [404, 'data.not_found'],
  [401, 'data.http_status'],
  [500, 'data.http_status'],
])('says that the server answered %d', async (status, code) => {
  const url = await serve((_, response) => response.writeHead(status).end('no'));
  const error = openRows(`${url}/rows.jsonl?token=secret`, { cacheFolder: await makeFolder() });
  await expect(error).rejects.toMatchObject({
    code,
    message: `${url}/rows.jsonl: the server answered ${status}`,
    hint: expect.any(String),
  });
});

it.each([{ 'content-length': '1000' }, {}])('refuses half a body, %j', async (headers) => {
  const url = await serve((_, response) => {
    response.writeHead(200, headers);
    response.write(rows, () => response.destroy());
  });
  const cacheFolder = await makeFolder();
  await expect(openRows(`${url}/rows.jsonl`, { cacheFolder })).rejects.toMatchObject({
    code: 'data.incomplete',
    message: expect.stringContaining('/rows.jsonl'),
  });
});

it.each(['http://127.0.0.1:9/rows.jsonl', 'http://nowhere.invalid/rows.jsonl'])(
  'says that %s cannot be reached',
  async (url) => {
    await expect(openRows(url, { cacheFolder: await makeFolder() })).rejects.toMatchObject({
      code: 'data.unreachable',
      message: expect.stringContaining(url),
    });
  },
);

it('refuses a certificate that is not trusted', async () => {
  const port = await listen(createServer(selfSigned, (_, response) => response.end(rows)));
  const url = `https://localhost:${port}/rows.jsonl`;
  await expect(openRows(url, { cacheFolder: await makeFolder() })).rejects.toMatchObject({
    code: 'data.bad_certificate',
    hint: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
  });
});

it('stops when asked to', async () => {
  const controller = new AbortController();
  const url = await serve((_, response) => {
    response.write(rows, () => controller.abort());
  });
  const options = { cacheFolder: await makeFolder(), signal: controller.signal };
  await expect(openRows(`${url}/rows.jsonl`, options)).rejects.toThrow(/aborted/);
});
