import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { RowRecord } from '../../src/run/store/row-record.ts';
import { startFaultServer } from '../fault-server/index.ts';
import { runCli, writeFolder } from './run-cli.ts';
import { configFor, countLines, endOf, runArguments, startRun } from './run-task.ts';

const template = {
  type: 'MultiTurnPromptTemplate',
  template: {
    begin: [{ role: 'SYSTEM', fallback_role: 'HUMAN', prompt: 'You are {style}.' }],
    round: [
      { role: 'HUMAN', prompt: 'What is {question}?' },
      { role: 'BOT', prompt: '{answer}' },
    ],
  },
};

function inferWith(inferencer: object = {}) {
  return {
    infer_cfg: {
      prompt_template: template,
      retriever: { type: 'ZeroRetriever' },
      inferencer: { type: 'MultiTurnGenInferencer', ...inferencer },
    },
  };
}

/** The data are wrong about the second turn, so that its two histories can be told apart. */
const row = { style: 'exact', question: ['1 + 1', '2 + 2', '3 + 3'], answer: ['2', '5', '6'] };

async function writeTask(
  url: string,
  rows: readonly object[],
  dataset: object,
  model: object = {},
) {
  return writeFolder({
    'rows.jsonl': rows.map((each) => JSON.stringify(each)).join('\n'),
    'config.json': configFor(url, model, dataset),
  });
}

async function readLog(cwd: string): Promise<RowRecord[]> {
  const text = await readFile(join(cwd, 'out/m/d.jsonl'), 'utf8');
  // What stands after the last line break was torn by a kill.
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

const said = ({ sent }: RowRecord) =>
  (sent as { content: string }[]).map(({ content }) => content).join(' | ');

describe('a dialogue', () => {
  it.each([
    ['every', '4'],
    ['every_with_gt', '5'],
  ])('with %s records each turn with its number, history, gold and score', async (mode, second) => {
    await using server = await startFaultServer({});
    const cwd = await writeTask(server.url, [row], inferWith({ infer_mode: mode }));
    expect(await runCli(runArguments(), { cwd })).toMatchObject({ code: 0 });
    const log = await readLog(cwd);
    expect(log.map(({ part, gold, score }) => [part, gold, score])).toEqual([
      [1, '2', 1],
      [2, '5', 0],
      [3, '6', 1],
      [undefined, row.answer, 2 / 3],
    ]);
    const start = 'You are exact. | What is 1 + 1? | 2 | What is 2 + 2?';
    expect(log.slice(1, 3).map(said)).toEqual([start, `${start} | ${second} | What is 3 + 3?`]);
    expect(log[3]?.metrics).toEqual({ turn_1: 1, turn_2: 0, turn_3: 1, all_turns: 0 });
  });

  it('with last asks the last turn alone', async () => {
    await using server = await startFaultServer({});
    const cwd = await writeTask(server.url, [row], inferWith({ infer_mode: 'last' }));
    await runCli(runArguments(), { cwd });
    const [turn] = await readLog(cwd);
    expect(turn).toMatchObject({ part: 3, gold: '6', score: 1 });
    expect((await server.stats()).requests).toBe(1);
  });

  it('with a turn that fails ends there, and the others go on', async () => {
    await using server = await startFaultServer({
      rules: [{ prompt: '8 + 8', fault: { type: 'status', status: 400 } }],
    });
    const broken = { ...row, question: ['1 + 1', '8 + 8', '3 + 3'] };
    const cwd = await writeTask(server.url, [broken, row], inferWith());
    await runCli(runArguments(), { cwd });
    const log = await readLog(cwd);
    const wholes = log.filter(({ part }) => part === undefined);
    expect(new Map(wholes.map(({ id, outcome }) => [id, outcome]))).toEqual(
      new Map([
        [0, 'failed'],
        [1, 'scored'],
      ]),
    );
    expect(log.filter(({ id }) => id === 0).map(({ part, outcome }) => [part, outcome])).toEqual([
      [1, 'scored'],
      [2, 'failed'],
      [undefined, 'failed'],
    ]);
  });

  it('that is killed inside goes on where it was', async () => {
    await using server = await startFaultServer({ latencyMs: 40 });
    const rows = Array.from({ length: 12 }, (_, id) => ({
      ...row,
      question: [`${id} + 1`, `${id} + 2`, `${id} + 3`],
    }));
    const cwd = await writeTask(server.url, rows, inferWith(), { batch_size: 2 });
    const run = startRun(cwd);
    while ((await countLines(cwd)) < 10) await sleep(5);
    run.child.kill('SIGKILL');
    expect(await endOf(run)).toBe('SIGKILL');
    await sleep(100);
    const asked = (await server.stats()).requests;
    const kept = (await readLog(cwd)).filter(({ part }) => part !== undefined).length;
    expect(await runCli(runArguments(), { cwd })).toMatchObject({ code: 0 });
    const ended = (await readLog(cwd)).filter(({ part }) => part === undefined);
    expect(new Set(ended.map(({ id }) => id)).size).toBe(12);
    expect((await server.stats()).requests - asked).toBe(36 - kept);
  });

  it.each([
    ['aisbench', 'MultiTurnGenInferencer'],
    ['opencompass', 'ChatInferencer'],
  ])('is asked as %s does with its %s', async (compat, type) => {
    await using server = await startFaultServer({});
    const round = [
      { role: 'HUMAN', prompt: '{question}' },
      { role: 'BOT', prompt: '{answer}' },
    ];
    const name = compat === 'aisbench' ? 'MultiTurnPromptTemplate' : 'PromptTemplate';
    const infer_cfg = {
      prompt_template: { type: name, template: { round } },
      retriever: { type: 'ZeroRetriever' },
      inferencer: { type, infer_mode: 'every' },
    };
    const cwd = await writeTask(server.url, [row], { infer_cfg }, { compat });
    expect(await runCli(runArguments(), { cwd })).toMatchObject({ code: 0 });
    const log = await readLog(cwd);
    expect(log.slice(0, 3).map(({ part, gold }) => [part, gold])).toEqual([
      [1, '2'],
      [2, '5'],
      [3, '6'],
    ]);
    expect(log.slice(0, 3).map(said)).toEqual([
      '1 + 1',
      '1 + 1 | 2 | 2 + 2',
      '1 + 1 | 2 | 2 + 2 | 4 | 3 + 3',
    ]);
  });

  it('can be read from ShareGPT data', async () => {
    await using server = await startFaultServer({});
    const conversations = [
      { from: 'human', value: '1 + 1' },
      { from: 'gpt', value: '2' },
      { from: 'human', value: '2 + 2' },
      { from: 'gpt', value: '4' },
    ];
    const dataset = { ...inferWith(), type: 'ShareGPT' };
    const cwd = await writeTask(server.url, [{ style: 'exact', conversations }], dataset);
    expect(await runCli(runArguments(), { cwd })).toMatchObject({ code: 0 });
    expect((await readLog(cwd)).at(-1)).toMatchObject({ score: 1, metrics: { all_turns: 1 } });
  });
});
