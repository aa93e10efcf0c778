import { afterEach, expect, it, vi } from 'vitest';
import { openRows } from './open-rows.ts';
import { collect, makeFolder, serve } from './test-sources.ts';

const commit = 'c'.repeat(40);

interface HubRepository {
  readonly files: Readonly<Record<string, string>>;
  readonly configs?: unknown;
}

interface Hub {
  readonly requests: string[];
  isDown: boolean;
}

/** A hub with one dataset, in use for the rest of the test. */
async function startHub({ files, configs }: HubRepository): Promise<Hub> {
  const requests: string[] = [];
  const hub: Hub = { requests, isDown: false };
  const url = await serve((request, response) => {
    if (hub.isDown) {
      request.socket.destroy();
      return;
    }
    const path = decodeURIComponent(request.url ?? '');
    requests.push(`${path} ${request.headers.authorization ?? ''}`.trim());
    const file = path.split(`/datasets/owner/name/resolve/${commit}/`)[1];
    if (/^\/api\/datasets\/owner\/name\/revision\/(?:main|v1|refs\/pr\/2|c{40})$/.test(path)) {
      const siblings = Object.keys(files).map((rfilename) => ({ rfilename }));
      response.end(JSON.stringify({ sha: commit, siblings, cardData: { configs } }));
    } else if (file !== undefined && file in files) {
      response.end(files[file]);
    } else {
      response.writeHead(404).end();
    }
  });
  vi.stubEnv('HF_ENDPOINT', url);
  return hub;
}

afterEach(() => vi.unstubAllEnvs());

async function readNames(source: string, cacheFolder?: string): Promise<unknown[]> {
  const stream = await openRows(source, { cacheFolder: cacheFolder ?? (await makeFolder()) });
  return (await collect(stream)).map(({ row }) => row.n);
}

const row = (n: string) => `{"n": "${n}"}\n`;

const byName: HubRepository = {
  files: {
    'README.md': '',
    'dataset_infos.json': '{}',
    'main/train-00000-of-00002.jsonl': row('train 0'),
    'main/train-00001-of-00002.jsonl': row('train 1'),
    'main/test.jsonl': row('main test'),
    'main/test.csv': 'n\nthe same as csv\n',
    'other/val.jsonl': row('other val'),
    'data/extra test.jsonl': row('extra'),
  },
};

it.each([
  ['hf://datasets/owner/name/main/train', ['train 0', 'train 1']],
  ['hf://datasets/owner/name@v1/main/test', ['main test']],
  ['hf://datasets/owner/name@refs/pr/2/other', ['other val']],
  ['hf://datasets/owner/name/validation', ['other val']],
  ['hf://datasets/owner/name/other/dev', ['other val']],
  ['hf://datasets/owner/name/test', ['extra']],
  ['hf://datasets/owner/name/main/test.csv', ['the same as csv']],
  ['hf://datasets/owner/name/', ['extra']],
])('%s by the names of the files', async (source, names) => {
  await startHub(byName);
  expect(await readNames(source)).toEqual(names);
});

it.each([
  ...['train', 'training'].map((name) => ['training', name]),
  ...['train', 'training'].map((name) => ['train', name]),
  ...['validation', 'valid', 'val', 'dev'].flatMap((split) =>
    ['validation', 'valid', 'val', 'dev'].map((name) => [split, name]),
  ),
  ...['test', 'testing', 'eval', 'evaluation'].flatMap((split) =>
    ['test', 'testing', 'eval', 'evaluation'].map((name) => [split, name]),
  ),
])('the split %s goes by the name %s as well', async (split, name) => {
  await startHub({
    files: { 'a.jsonl': row('a') },
    configs: [{ config_name: 'main', data_files: [{ split, path: 'a.jsonl' }] }],
  });
  expect(await readNames(`hf://datasets/owner/name/main/${name}`)).toEqual(['a']);
});

it.each([
  ['hf://datasets/owner/name', ['a']],
  ['hf://datasets/owner/name/main/aux', ['b', 'c']],
  ['hf://datasets/owner/name/plain', ['c']],
])('%s as the card declares it', async (source, names) => {
  await startHub({
    files: { 'x/a.jsonl': row('a'), 'x/y/b.jsonl': row('b'), 'c.jsonl': row('c') },
    configs: [
      { config_name: 'main', data_files: [{ split: 'aux', path: ['x/*/?.jsonl', 'c.jsonl'] }] },
      { config_name: 'plain', data_files: 'c.*' },
      { config_name: 'first', default: true, data_files: [{ split: 'test', path: 'x/*.jsonl' }] },
    ],
  });
  expect(await readNames(source)).toEqual(names);
});

it.each([
  [
    'hf://datasets/owner/name/main/tset',
    'Did you mean `main/test`? Splits: default/test, main/test',
  ],
  ['hf://datasets/owner/name/main', 'Splits: default/test, main/test, main/train, other/val.'],
])('%s is an error that lists the splits', async (source, hint) => {
  await startHub(byName);
  await expect(readNames(source)).rejects.toMatchObject({
    code: 'data.unknown_split',
    message: expect.stringContaining(source),
    hint: expect.stringContaining(hint),
  });
});

it('says at which commit the rows were read', async () => {
  await startHub(byName);
  const source = 'hf://datasets/owner/name/other/val';
  const stream = await openRows(source, { cacheFolder: await makeFolder() });
  const { files } = await stream.describe();
  const name = `hf://datasets/owner/name@${commit}/other/val.jsonl`;
  expect(files).toMatchObject([{ name, revision: commit, bytes: 19 }]);
});

it('sends the token and downloads a file once', async () => {
  vi.stubEnv('HF_TOKEN', 'hf_secret');
  const { requests } = await startHub(byName);
  const cacheFolder = await makeFolder();
  const source = 'hf://datasets/owner/name/other/val';
  await readNames(source, cacheFolder);
  await readNames(source, cacheFolder);
  const listing = '/api/datasets/owner/name/revision/main Bearer hf_secret';
  const file = `/datasets/owner/name/resolve/${commit}/other/val.jsonl Bearer hf_secret`;
  expect(requests).toEqual([listing, file, listing]);
});

it('asks for the listing of a commit once', async () => {
  const { requests } = await startHub(byName);
  const cacheFolder = await makeFolder();
  const source = `hf://datasets/owner/name@${commit}/other/val`;
  await readNames(source, cacheFolder);
  await readNames(source, cacheFolder);
  expect(requests).toHaveLength(2);
});

it('works offline with what is in the cache, and only with that', async () => {
  const hub = await startHub(byName);
  const cacheFolder = await makeFolder();
  const source = 'hf://datasets/owner/name/other/val';
  await readNames(source, cacheFolder);
  hub.isDown = true;
  expect(await readNames(source, cacheFolder)).toEqual(['other val']);
  await expect(readNames(source)).rejects.toMatchObject({
    code: 'data.unreachable',
    hint: expect.stringContaining('not in the cache'),
  });
});

it('refuses an answer that is no listing', async () => {
  vi.stubEnv('HF_ENDPOINT', await serve((_, response) => response.end('<html>')));
  await expect(readNames('hf://datasets/owner/name')).rejects.toMatchObject({
    code: 'data.bad_answer',
  });
});
