import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { requestKey } from '../../src/evaluation/key.ts';
import { openEvaluations } from '../../src/evaluation/open-evaluations.ts';
import { startRecordingServer } from './joints/recording-server.ts';
import { runCli, writeFolder } from './run-cli.ts';

const long = (text: string) => text.repeat(Math.ceil(3000 / text.length));
const texts = [
  'short',
  long('Natalia sold clips to 48 of her friends. '),
  long('She said "four\\eight".\n\tThen she\u0000 left\u001f\u007f. '),
  long('娜塔莉亚在四月卖出了四十八个发夹🙂，然后在五月\n'),
  long('half \ud83d and \ufffd '),
  'x'.repeat(400_000),
];

it.each(['OpenAI', 'OpenAICompletions'])(
  'prompts of any length go to %s as they are planned, once, under the key of their text',
  async (type) => {
    await using server = await startRecordingServer();
    const equal = texts[1];
    const config = {
      models: [{ abbr: 'm', type, base_url: server.url, model: 'm', max_out_len: 4 }],
      datasets: [
        {
          abbr: 'd',
          rows: [...texts, equal].map((question) => ({ question })),
          reader_cfg: { input_columns: ['question'], output_column: null },
          infer_cfg: { prompt_template: { template: 'Q: {question}\nA:' } },
        },
      ],
    };
    const folder = await writeFolder({ 'config.json': JSON.stringify(config) });
    const run = () => runCli(['run', 'config.json', '--out', 'out'], { cwd: folder });
    expect(await run()).toMatchObject({ code: 0 });
    const sent = server.requests.map(({ body }) => body).sort();

    const { messages, prompt } = JSON.parse(sent[0] ?? '');
    const bodies = texts
      .map((text) => `Q: ${text}\nA:`)
      .map((content) => ({
        model: 'm',
        ...(messages && { messages: [{ role: 'user', content }] }),
        ...(prompt !== undefined && { prompt: content }),
        max_tokens: 4,
      }));
    expect(sent).toEqual(bodies.map((body) => JSON.stringify(body)).sort());

    await using evaluations = await openEvaluations(await loadConfig(join(folder, 'config.json')), {
      purpose: 'plan',
    });
    const keys = new Map<unknown, string>();
    for (const { rows, plan, modelIdentity } of evaluations) {
      for await (const batch of rows.batches()) {
        for (const row of batch) {
          const [request] = (await plan(row)).requests;
          expect(sent).toContain(request?.encoded);
          expect(request?.key).toBe(requestKey(request?.encoded ?? '', modelIdentity));
          keys.set(row.id, request?.key ?? '');
        }
      }
    }
    const log = await readFile(join(folder, 'out/m/d.jsonl'), 'utf8');
    const recorded = log
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(new Map(recorded.map(({ id, key }) => [id, key]))).toEqual(keys);

    server.clear();
    expect(await run()).toMatchObject({ code: 0 });
    expect(server.requests).toEqual([]);
  },
);
