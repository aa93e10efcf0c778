import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { StudyPage } from '../../src/report/snapshot/study-page.ts';
import { writeVisionModel } from '../../src/suites/gqa/cache-study/images/vision-model.fixture.ts';
import { readSnapshot } from '../read-snapshot.ts';
import { type Color, writePng } from '../vision-server/png.ts';
import { callCommand } from './joints/call-command.ts';
import { writeFolder } from './run-cli.ts';

const colors: Readonly<Record<string, Color>> = {
  red: [255, 0, 0],
  'also-red': [250, 4, 2],
  blue: [0, 0, 255],
};

async function makeFolder(): Promise<string> {
  const images = [...Object.keys(colors), 'gone'];
  const samples = images.map((imageId, index) => ({
    id: `q${index}`,
    imageId,
    question: `${'abcd'[index]?.repeat(40)}`,
    answer: imageId === 'also-red' ? 'red' : imageId,
  }));
  const folder = await writeFolder({
    'rows.jsonl': samples.map((sample) => JSON.stringify(sample)).join('\n'),
  });
  await mkdir(join(folder, 'images'));
  await writeVisionModel(join(folder, 'vision'));
  for (const [name, color] of Object.entries(colors)) {
    await writeFile(join(folder, 'images', `${name}.png`), writePng(color, 20));
  }
  return folder;
}

test('a preset with a layer of images runs with an image encoder', async () => {
  const folder = await makeFolder();
  const common = ['cache-study', '--data', join(folder, 'rows.jsonl'), '--preset', 'qwen3-vl-2b'];
  const images = ['--image-root', join(folder, 'images')];
  const more = ['--prompt-template', '{question}', '--chunk-source', 'question', '--json'];
  const encoder = ['--image-encoder', join(folder, 'vision')];
  const page = join(folder, 'page.html');
  const args = [...common, ...images, ...more, ...encoder, '--report', page];
  const { code, stdout, stderr } = await callCommand(args);
  expect([code, stderr]).toEqual([0, expect.stringContaining('1 of 4 images were not found')]);
  expect(JSON.parse(stdout)).toMatchObject({
    hits: 1,
    wrong: 0,
    layers: [
      { source: 'text:exact', hits: 0 },
      { source: 'embedding:prompt', hits: 0 },
      { source: 'embedding:vision', threshold: 0.85, hits: 1, wrong: 0 },
      { source: 'text', hits: 0 },
    ],
    grid: { layers: ['prompt', 'vision'], thresholds: [0.7, 0.75, 0.8, 0.85, 0.9, 0.95] },
  });
  const study = (await readSnapshot(page)).replies['/api/study'] as StudyPage;
  const figures = study.sections[0]?.blocks.flatMap((block) =>
    block.type === 'figures' ? block.figures : [],
  );
  const maps = figures?.filter(({ caption }) => /^Hits, of samples$|^Wrong/.test(caption));
  expect(maps?.map(({ svg }) => svg.match(/<rect/g)?.length)).toEqual([36, 36]);
});

test('an image that cannot be read, and vectors of another length, are refused by name', async () => {
  const folder = await makeFolder();
  const run = (layer: string) =>
    callCommand([
      ...['cache-study', '--data', join(folder, 'rows.jsonl'), '--embedding-layer', layer],
      ...['--image-root', join(folder, 'images'), '--image-encoder', join(folder, 'vision')],
    ]);
  expect(await run('vision:64')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('The vectors have 512 dimensions, but the layer has 64'),
  });
  await writeFile(join(folder, 'images/blue.png'), 'no image');
  expect(await run('vision:512')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('blue.png cannot be read: it is neither a PNG nor a JPEG'),
  });
});
