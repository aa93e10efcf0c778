import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { evaluate, explainCache, loadConfig } from '../../src/index.ts';
import { startModelServer } from './model-server.ts';
import { type Changes, rows, runTask, writeTask } from './small-task.ts';

/** Runs a task, then explains what a changed one in the same folder would ask. */
async function explain(change: Changes, before: Changes = {}, options: object = {}) {
  const server = await startModelServer();
  const { out } = await runTask(server.url, before);
  const changed = await writeTask(server.url, change);
  const config = await loadConfig(join(changed, 'config.json'));
  const sent = server.bodies.length;
  const [explained] = await explainCache(config, { out, ...options });
  const { result } = { result: await evaluate(config, { out, ...options }) };
  return { explained, asked: server.bodies.length - sent, result };
}

const round = (text: string) => ({
  template: {
    begin: ['</E>'],
    round: [
      { role: 'HUMAN', prompt: text },
      { role: 'BOT', prompt: '{a}' },
    ],
  },
  ice_token: '</E>',
});

const changes: [name: string, change: Changes, told: RegExp, options?: object][] = [
  ['temperature', {}, /^generation_kwargs\.temperature not set → 1$/, { temperature: 1 }],
  ['max_out_len', { model: { max_out_len: 9 } }, /^max_out_len 4 → 9$/],
  [
    'stop words',
    { inference: { inferencer: { type: 'GenInferencer', stopping_criteria: ['!'] } } },
    /^stop \["<\|im_end\|>"\] → \["<\|im_end\|>","!"\]$/,
  ],
  ['name of the model', { model: { model: 'y' } }, /^model x → y$/],
  [
    'template',
    { inference: { prompt_template: round('Sum {q} =') } },
    /^prompt differs from character \d+: "\d \+ 1 =.*→ "Sum \d/,
  ],
  [
    'meta template',
    { model: { meta_template: 'zephyr' } },
    /^prompt differs from character 2: "im_start\|>.* → "user\|>/,
  ],
];

test.each(changes)('another %s is named', async (...[, change, told, options]) => {
  const { explained, asked } = await explain(change, {}, options);
  expect(asked).toBe(6);
  for (const { answer, reasons } of explained?.rows ?? []) {
    expect(answer).toBe('none');
    expect(reasons).toContainEqual(expect.stringMatching(told));
  }
});

test('what has not changed is answered, and nothing is asked', async () => {
  const { explained, asked } = await explain({});
  expect(explained?.rows.map(({ answer }) => answer)).toEqual(Array(6).fill('record'));
  expect(explained?.keyParts.model).toMatchObject({ model: 'x', maxOutLen: 4 });
  expect(asked).toBe(0);
});

test('rows are told apart: changed, moved, new, and asked as another', async () => {
  const changed = [
    ...rows.slice(0, 2),
    { q: '9 + 9', a: '18' },
    ...rows.slice(3),
    rows[0] ?? {},
    { q: '7 + 7', a: '14' },
  ];
  const zero = {
    inference: {
      ice_template: undefined,
      prompt_template: round('{q}'),
      retriever: { type: 'ZeroRetriever' },
    },
  };
  const { explained, asked } = await explain({ ...zero, rows: changed }, zero);
  expect(explained?.rows.map(({ answer }) => answer)).toEqual([
    ...['record', 'record', 'none', 'record', 'record', 'record', 'row', 'none'],
  ]);
  expect(explained?.rows[2]?.reasons).toContain('the row has changed since it was asked');
  expect(explained?.rows[7]?.reasons).toEqual(['the folder has no record of this row']);
  expect(asked).toBe(2);
});

test('a failed row says so', async () => {
  let isBroken = true;
  const server = await startModelServer(({ prompt }) =>
    isBroken && String(prompt).includes('3 + 1 =') ? { text: '', status: 400 } : { text: '4' },
  );
  const { out, config } = await runTask(server.url);
  isBroken = false;
  const [explained] = await explainCache(config, { out, ids: [3] });
  expect(explained?.rows[0]?.reasons[0]).toMatch(
    /^the row failed, and `refused` is not retried without --retry refused: /,
  );
});

test('the cache of earlier runs is looked at: the same prompt by another model or setting', async () => {
  const server = await startModelServer();
  const { folder, config } = await runTask(server.url, {}, { cache: true });
  const out = join(folder, 'other');
  const [same] = await explainCache(config, { out, cache: true });
  expect(same?.rows.map(({ answer }) => answer)).toEqual(Array(6).fill('cache'));
  const [hot] = await explainCache(config, { out, cache: true, temperature: 0.5, ids: [0] });
  expect(hot?.rows[0]?.reasons).toEqual([
    'the folder has no record of this row',
    'the cache has a request with this prompt, but: generation_kwargs.temperature not set → 0.5',
  ]);
  const file = join(folder, '.cache/answers.jsonl');
  const old = (await readFile(file, 'utf8')).split('\n').filter((line) => line.includes('"key"'));
  const without = old.map((line) => JSON.stringify({ ...JSON.parse(line), asked: undefined }));
  await writeFile(file, `${without.join('\n')}\n`);
  const [unknown] = await explainCache(config, { out, cache: true, temperature: 0.5, ids: [0] });
  expect(unknown?.rows[0]?.reasons[1]).toMatch(/no request with this prompt; for 6 older answers/);
  const reused = await evaluate(config, { out, cache: true });
  expect(reused.summary.results[0]?.requests).toMatchObject({ sent: 0, cached: 6 });
});

test('the folder of an older version is explained as far as it goes', async () => {
  const server = await startModelServer();
  const { out } = await runTask(server.url);
  const run = JSON.parse(await readFile(join(out, 'run.json'), 'utf8'));
  const { harness: _, seed: __, ...older } = run;
  older.models = older.models.map(({ name, identity }: Record<string, unknown>) => ({
    name,
    identity,
  }));
  await writeFile(join(out, 'run.json'), JSON.stringify(older));
  const changed = await writeTask(server.url, {
    inference: { prompt_template: round('Sum {q} =') },
  });
  const [explained] = await explainCache(await loadConfig(join(changed, 'config.json')), {
    out,
    ids: [1],
  });
  const reasons = explained?.rows[0]?.reasons ?? [];
  expect(reasons).toContain('the prompt is different');
  expect(reasons.join('\n')).toMatch(/prompt_template\.template.*\{q\} = → Sum \{q\} =/);
});

test('rows that failed are asked or left as in a run, whatever is to be retried', async () => {
  const choices = [undefined, 'all', 'none', ['refused'], ['server_error']] as const;
  for (const retry of choices) {
    const server = await startModelServer(({ prompt }) => {
      const status = /[05] \+ 1 =/.test(lastLine(prompt))
        ? 400
        : /1 \+ 1 =/.test(lastLine(prompt))
          ? 500
          : 200;
      return { text: '4', status };
    });
    const { out, config } = await runTask(
      server.url,
      { model: { retries: 1 } },
      { allowFailed: 6 },
    );
    const sent = server.bodies.length;
    const [explained] = await explainCache(config, { out, ...(retry && { retry }) });
    const asked = (explained?.rows ?? []).filter(({ answer }) => answer === 'none');
    const left = (explained?.rows ?? []).filter(({ answer }) => answer === 'left');
    await evaluate(config, { out, allowFailed: 6, ...(retry && { retry }) });
    expect(server.bodies.length - sent, String(retry)).toBe(asked.length);
    expect(asked.length + left.length).toBe(3);
    for (const { reasons } of left) expect(reasons[0]).toMatch(/is not retried without/);
  }
});

function lastLine(prompt: unknown): string {
  return String(prompt).split('user').at(-1) ?? '';
}
