import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { evaluate, openRun } from '../../src/index.ts';
import { callCommand } from '../integration/joints/call-command.ts';
import {
  type GivenRow,
  inspectFile,
  lmEvalFolder,
  openCompassFolder,
  promptfooFile,
  writeFiles,
} from './foreign-files.ts';

/** The first so many of twelve rows are right; wrong answers differ from right ones. */
function rightIn(count: number): GivenRow[] {
  return Array.from({ length: 12 }, (_, index) => ({
    prompt: `${index}+1=`,
    gold: String(index + 1),
    answer: String(index < count ? index + 1 : index + 100),
    score: Number(index < count),
  }));
}

async function inFolder<Value>(work: () => Promise<Value>): Promise<Value> {
  const before = process.cwd();
  process.chdir(writeFiles({}));
  try {
    return await work();
  } finally {
    process.chdir(before);
  }
}

async function scoreOf(path: string): Promise<unknown> {
  const said = await callCommand(['score', path, '--evaluator', 'number', '--json']);
  expect(said, said.stderr).toMatchObject({ code: 0 });
  return JSON.parse(said.stdout).results[0].score.value;
}

async function hashesIn(folder: string): Promise<unknown[]> {
  const hashes: unknown[] = [];
  for await (const { row } of (await openRun(folder)).rows()) hashes.push(row);
  expect(hashes.length).toBe(12);
  return hashes;
}

test('score is that of the file that is given, whatever was scored before', async () => {
  await inFolder(async () => {
    const [first, second] = [inspectFile(rightIn(9)), inspectFile(rightIn(3))];
    expect(await scoreOf(first)).toBe(0.75);
    expect(await scoreOf(second)).toBe(0.25);
    renameSync(second, first);
    expect(await scoreOf(first)).toBe(0.25);
    const before = existsSync('runs/sums/earlier/2');
    expect(await scoreOf(first)).toBe(0.25);
    expect([before, existsSync('runs/sums/earlier/2')]).toEqual([false, false]);
  });
});

test('open writes what the file says over results that were opened before', async () => {
  await inFolder(async () => {
    for (const [folder, share] of [
      [openCompassFolder(rightIn(9)), '0.75'],
      [openCompassFolder(rightIn(6)), '0.5'],
      [lmEvalFolder(rightIn(3)), '0.25'],
    ] as const) {
      const said = await callCommand(['open', folder, '--out', 'same']);
      expect(said, said.stderr).toMatchObject({ code: 0 });
      expect(said.stdout).toMatch(new RegExp(`\\s${share}\\s+${share}\\s`));
    }
  });
});

test('a run that asked models is never written over', async () => {
  await inFolder(async () => {
    mkdirSync('runs');
    await evaluate(
      {
        models: [{ abbr: 'tiny', type: 'Replay', answer_column: 'said' }],
        datasets: [
          {
            abbr: 'sums',
            rows: [{ question: '1+1', gold: '2', said: '2' }],
            reader_cfg: { input_columns: ['question'], output_column: 'gold' },
            infer_cfg: {
              prompt_template: { template: '{question}' },
              inferencer: { type: 'GenInferencer' },
            },
            eval_cfg: { evaluator: { type: 'exact' } },
          },
        ],
      },
      { out: 'runs/sums' },
    );
    const said = await callCommand(['score', inspectFile(rightIn(3))]);
    expect(said.code).toBe(2);
    expect(said.stderr).toContain('results.folder_taken');
    expect(said.stderr).toContain('runs/sums holds a run that asked models');
    expect(existsSync('runs/sums/earlier')).toBe(false);
  });
});

test('results of several models are not put into the folder of one', async () => {
  await inFolder(async () => {
    await callCommand(['open', openCompassFolder(rightIn(9)), '--out', 'same']);
    const row = { 0: { origin_prompt: 'a', prediction: 'x', gold: 'x' } };
    const two = writeFiles({ 'predictions/a/d.json': row, 'predictions/b/d.json': row });
    const said = await callCommand(['open', two, '--out', 'same']);
    expect(said.code).toBe(2);
    expect(said.stderr).toContain('same holds other results that were opened');
  });
});

test.each([
  ['Inspect', inspectFile],
  ['lm-evaluation-harness', lmEvalFolder],
  ['OpenCompass', openCompassFolder],
  ['promptfoo', promptfooFile],
])('%s: other answers and verdicts leave rows the same', async (_, make) => {
  await inFolder(async () => {
    const [high, low] = [make(rightIn(12)), make(rightIn(2))];
    await callCommand(['open', high, '--out', 'high']);
    await callCommand(['open', low, '--out', 'low']);
    expect(await hashesIn('high')).toEqual(await hashesIn('low'));
    const said = await callCommand(['compare', high, low]);
    expect(said.stdout).toContain('−83.3');
    expect(said.stdout).not.toContain('columns outside the prompt');
  });
});

test('models are ranked by all rows that both were asked', async () => {
  const log = (model: string, count: number) => {
    const samples = rightIn(count).map(({ prompt, gold, answer, score }, id) => ({
      ...{ id, epoch: 1, input: prompt, target: gold, output: { completion: answer } },
      scores: { judged: { value: score === 1 ? 'C' : 'I' } },
    }));
    const metrics = { accuracy: { value: count / 12 } };
    const results = { scores: [{ name: 'judged', metrics }] };
    return join(
      writeFiles({ 'g.json': { eval: { task: 'sums', model }, results, samples } }),
      'g.json',
    );
  };
  const board = await callCommand(['leaderboard', log('high', 12), log('low', 2)]);
  expect(board, board.stderr).toMatchObject({ code: 0 });
  expect(board.stdout).toContain('high is better than low: +83.3 points');
  expect(board.stdout).not.toContain('different rows');
});
