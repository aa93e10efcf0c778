import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pc from 'picocolors';
import { expect, test } from 'vitest';
import { renderRow } from '../../src/cli/show/render-row.ts';
import { evaluate, openRun, type ShownRow, showRow } from '../../src/index.ts';
import { jsonRow } from '../../src/terminal/view/json-row.ts';
import { startModelServer } from './model-server.ts';
import { runTask } from './small-task.ts';

const terminal = { colors: pc.createColors(false), hasColors: false, width: 80 };
const render = (shown: ShownRow | undefined, origins = false) =>
  shown ? renderRow(shown, { terminal, origins, full: true }).join('\n') : '';

test('shows what was sent, what came back and how it was scored', async () => {
  const server = await startModelServer(() => ({
    text: '<think>3 and 1</think>It is 4.',
    usage: { prompt_tokens: 9, completion_tokens: 5 },
  }));
  const { out } = await runTask(server.url);
  const [shown, ...others] = await showRow(out, { row: 3 });
  expect(others).toEqual([]);
  const text = render(shown);
  const { record } = shown ?? {};
  const sent = server.bodies.find((body) => body.includes('3 + 1 ='));
  const json = shown && JSON.parse(JSON.stringify(jsonRow(shown)));
  expect(json.prompt.requests[0].body).toEqual(JSON.parse(sent ?? ''));
  expect(json.row).toEqual({ q: '3 + 1', a: '4' });
  for (const part of [
    `m · sums · row 3 · 2 shots: train ${record?.examples?.join(', ')} · GenInferencer`,
    'without thinking  │ It is 4.',
    'answer            │ <think>3 and 1</think>It is 4.',
    `key        ${record?.key}`,
    'tokens     [9, 5]',
    'score      1',
    'gold       4',
    'extracted  4',
  ]) {
    expect(text).toContain(part);
  }
  expect(render(shown, true)).toContain('⟪shot 1⟫');
});

test('an asked-again row has a history; the newest record counts', async () => {
  let answer = '7';
  const server = await startModelServer(() => ({ text: answer }));
  const { out, config } = await runTask(server.url);
  answer = '4';
  await evaluate(config, { out, temperature: 0.5 });
  const [shown] = await showRow(out, { row: 3 });
  expect(shown?.record).toMatchObject({ score: 1, answer: '4' });
  expect(shown?.earlier).toMatchObject([{ score: 0, answer: '7' }]);
  expect(render(shown)).toContain('scored 0 · 7');
  const row = await (await openRun(out)).row({ model: 'm', dataset: 'sums', id: 3 });
  expect(row).toMatchObject({ model: 'm', dataset: 'sums', id: 3, answer: '4' });
});

test('a row that failed is not called changed', async () => {
  const server = await startModelServer((body) =>
    JSON.stringify(body).includes('3 + 1 =') ? { text: 'no', status: 400 } : { text: '4' },
  );
  const { out } = await runTask(server.url);
  const [shown] = await showRow(out, { row: 3 });
  const asked = shown?.asked.type === 'made' ? shown.asked.view.rowRemarks : [];
  expect(asked).toMatchObject([
    { kind: 'note', code: 'view.failed_row', message: expect.stringContaining('400') },
  ]);
});

test('a run without its index, or without its config, is shown as far as the log goes', async () => {
  const server = await startModelServer();
  const { out, folder } = await runTask(server.url);
  await rm(join(out, 'm/sums.index'));
  expect((await showRow(out, { row: 5 }))[0]?.record?.id).toBe(5);
  const config = await readFile(join(folder, 'config.json'), 'utf8');
  await writeFile(join(folder, 'config.json'), config.replace('{q} =', '{q} is'));
  const [changed] = await showRow(out, { row: 5 });
  expect(changed?.asked).toEqual({
    type: 'not-made',
    reason: expect.stringMatching(/config\.json has changed since the run/),
  });
  await rm(join(folder, 'config.json'));
  const [gone] = await showRow(out, { row: 5 });
  expect(render(gone)).toContain('Prompt  unknown: ');
  expect(render(gone)).toContain('│ 42');
});

test('what a run kept of its prompts is shown when it cannot be made again', async () => {
  const server = await startModelServer();
  const { folder, config } = await runTask(server.url);
  const out = join(folder, 'kept');
  await evaluate(config, { out, savePrompts: true });
  const [made] = await showRow(out, { row: 5 });
  expect(made?.kept).toBeUndefined();
  await rm(join(folder, 'config.json'));
  const [kept] = await showRow(out, { row: 5 });
  expect(kept?.asked.type).toBe('not-made');
  expect(render(kept)).toMatch(/Prompt\s+as the run kept it: .*\n(?:.*\n)*.*5 \+ 1 =/);
  expect(JSON.stringify(kept && jsonRow(kept).kept)).toContain('5 + 1 =');
});

test('turns, samples and labels are shown one by one', async () => {
  const server = await startModelServer(({ seed }) => ({ text: String(seed) }));
  const { out } = await runTask(server.url, { dataset: { n: 3 } });
  const [shown] = await showRow(out, { row: 1 });
  expect(shown?.parts.map(({ part, answer }) => [part, answer])).toEqual([
    [1, '0'],
    [2, '1'],
    [3, '2'],
  ]);
  expect(shown?.record?.examples).toEqual(shown?.parts[0]?.examples);
  expect(render(shown)).toContain('Part 3: Answer');
});

test('what there is not is named', async () => {
  const server = await startModelServer();
  const { out } = await runTask(server.url);
  await expect(showRow(out, { row: 6 })).rejects.toMatchObject({ code: 'show.no_such_row' });
  await expect(showRow(out, { row: 0, model: 'n' })).rejects.toMatchObject({
    code: 'run.unknown_evaluation',
  });
});
