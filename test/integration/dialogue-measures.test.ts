import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callCommand } from './joints/call-command.ts';
import { type JudgeServer, startJudgeServer } from './judge-server.ts';
import { writeFolder } from './run-cli.ts';

let server: JudgeServer;
beforeAll(async () => {
  server = await startJudgeServer();
});
afterAll(() => server[Symbol.asyncDispose]());

/** What is asked, what is right, and what the model says. */
const turns = [
  ['a0', 'the cat sat on the mat', 'the cat sat on a mat'],
  ['a1', 'it rains in Spain', 'it rains often in Spain today'],
  ['b0', 'a dog barks', 'a dog barks'],
  ['c0', 'two birds sing in the old tree', 'birds sing in the tree'],
  ['c1', 'dog', 'cat'],
  ['c2', 'cat', 'cat'],
] as const;
const unanswered = 'c1';
const human = { role: 'HUMAN', prompt: 'Say {q}.' };
const round = [human, { role: 'BOT', prompt: '{a}' }];

async function resultOf(rows: readonly object[], evaluator: object, isInTurns: boolean) {
  server.answer = (_, text) => {
    const asked = text.match(/(?<=Say )[^.]+/g)?.at(-1);
    return turns.find(([name]) => name === asked)?.[2] ?? '';
  };
  const type = isInTurns ? 'MultiTurn' : '';
  const config = {
    models: [{ abbr: 'm', type: 'OpenAI', base_url: server.url, model: 'm' }],
    datasets: [
      {
        abbr: 'd',
        path: 'rows.jsonl',
        reader_cfg: { input_columns: ['q'], output_column: 'a' },
        infer_cfg: {
          prompt_template: { type: `${type}PromptTemplate`, template: { round } },
          inferencer: { type: `${type}GenInferencer` },
        },
        eval_cfg: { evaluator },
      },
    ],
  };
  const folder = await writeFolder({
    'rows.jsonl': rows.map((row) => JSON.stringify(row)).join('\n'),
    'c.json': JSON.stringify(config),
  });
  const out = join(folder, 'out');
  const run = await callCommand(['run', join(folder, 'c.json'), '--out', out, '--json']);
  const again = await callCommand(['score', out, '--json']);
  const [result, scored] = [run, again].map(({ stdout }) => JSON.parse(stdout).results[0]);
  expect(scored).toMatchObject({ metric: result.metric, score: result.score });
  const copy = join(folder, 'copy');
  await cp(out, copy, { recursive: true });
  return { result, compared: await callCommand(['compare', out, copy, '--json']) };
}

const asRows = turns.map(([q, a]) => ({ q, a }));
const asDialogues = ['a', 'b', 'c'].map((name) => {
  const own = turns.filter(([asked]) => asked.startsWith(name));
  return { q: own.map(([asked]) => asked), a: own.map(([, gold]) => gold) };
});

test.each([
  [{ type: 'bleu' }, 'bleu'],
  [{ type: 'chrf' }, 'chrf'],
  [{ type: 'ter' }, 'ter'],
  [{ type: 'classification' }, 'macro_f1'],
])('%j of dialogues is that of all their turns together', async (evaluator, metric) => {
  const { result: rows } = await resultOf(asRows, evaluator, false);
  const { result, compared } = await resultOf(asDialogues, evaluator, true);
  expect([result.metric, rows.metric]).toEqual([metric, metric]);
  expect(result.score.value).toBeCloseTo(rows.score.value, 12);
  const names = (found: typeof rows) => found.metrics.map(({ name }: { name: string }) => name);
  expect(names(result)).toEqual(expect.arrayContaining(names(rows)));
  expect(compared.stdout).toMatch(new RegExp(`"metric": ?"${metric}"`));
});

test('a dialogue without a score counts with nothing said in any turn', async () => {
  const wrong = (row: { q: string | readonly string[] }) => [row.q].flat().some((q) => q === 'c1');
  const silent = async (rows: readonly object[], isInTurns: boolean, mutes: readonly string[]) => {
    const muted = rows.map((row) =>
      JSON.parse(
        JSON.stringify(row).replace(/"([abc]\d)"/g, (all, q) =>
          mutes.includes(q) ? `"${q} mute"` : all,
        ),
      ),
    );
    return (await resultOf(muted, { type: 'bleu' }, isInTurns)).result;
  };
  expect(asDialogues.filter(wrong)).toHaveLength(1);
  const dialogues = await silent(asDialogues, true, [unanswered]);
  const rows = await silent(asRows, false, ['c0', 'c1', 'c2']);
  expect(dialogues.rows).toMatchObject({ scored: 2, unscored: 1 });
  expect(dialogues.score.value).toBeCloseTo(rows.score.value, 12);
  expect(dialogues.allRows.value).toBeCloseTo(rows.allRows.value, 12);
});
