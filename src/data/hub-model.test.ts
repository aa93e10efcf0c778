import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { fetchHubModel } from './source/hub-model.ts';
import { makeFolder, serve } from './test-sources.ts';

const commit = 'd'.repeat(40);
const files: Record<string, string> = {
  'config.json': '{}',
  'onnx/model.onnx': 'graph',
  'onnx/model.onnx_data': 'weights',
  'pytorch_model.bin': 'large',
};

afterEach(() => vi.unstubAllEnvs());

async function startHub() {
  const requests: string[] = [];
  const url = await serve((request, response) => {
    const path = request.url ?? '';
    requests.push(path);
    const file = path.split(`/owner/name/resolve/${commit}/`)[1];
    if (/^\/api\/models\/owner\/name\/revision\/(?:main|v1)$/.test(path)) {
      const siblings = Object.keys(files).map((rfilename) => ({ rfilename }));
      response.end(JSON.stringify({ sha: commit, siblings }));
    } else if (file !== undefined && file in files) response.end(files[file]);
    else response.writeHead(404).end();
  });
  vi.stubEnv('HF_ENDPOINT', url);
  return requests;
}

const choose = (all: readonly string[]) => all.filter((file) => !file.endsWith('.bin'));

test('brings what is needed into a folder, once', async () => {
  const requests = await startHub();
  const cacheFolder = await makeFolder();
  const folder = await fetchHubModel('hf://owner/name', { choose, cacheFolder });
  expect(relative(cacheFolder, folder)).toBe(`models/owner/name/${commit}`);
  expect(readdirSync(join(folder, 'onnx')).sort()).toEqual(['model.onnx', 'model.onnx_data']);
  expect(readFileSync(join(folder, 'onnx/model.onnx_data'), 'utf8')).toBe('weights');
  const named = 'hf://owner/name@v1/onnx/model.onnx';
  expect(await fetchHubModel(named, { choose, cacheFolder })).toBe(join(folder, 'onnx/model.onnx'));
  expect(requests.filter((path) => path.includes('/resolve/'))).toHaveLength(3);
});

test('what the hub does not have is an error', async () => {
  await startHub();
  const cacheFolder = await makeFolder();
  const options = { choose: () => ['missing.onnx'], cacheFolder };
  await expect(fetchHubModel('hf://owner/name', options)).rejects.toMatchObject({
    code: 'data.not_found',
  });
  await expect(fetchHubModel('hf://name', options)).rejects.toMatchObject({
    code: 'data.bad_source',
  });
});
