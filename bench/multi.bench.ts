import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { positionRows, type RowStream } from '../src/data/row-stream.ts';
import { createEvaluation } from '../src/evaluation/create-evaluation.ts';
import { openPrompts } from '../src/evaluation/evaluation-prompts.ts';
import { inferenceOf } from '../src/evaluation/inference-of.ts';
import type { PromptSetup } from '../src/evaluation/prompt-setup.ts';
import { openAiModel } from '../src/model/openai-model.ts';
import { chatApiFormat } from '../src/prompt/format.ts';
import { type JobSource, makeJobs } from '../src/run/job.ts';
import { compileScorer } from '../src/score/compile-scorer.ts';

/** Milliseconds to make the request of a turn, by how many turns came before. */
async function measureTurns(turns: number): Promise<number> {
  const row = {
    question: Array.from({ length: turns }, (_, turn) => `Question ${turn}?`),
    answer: Array.from({ length: turns }, (_, turn) => `Answer ${turn}.`),
  };
  const { dialogue } = await openPrompts(
    {
      promptTemplate: {
        source: ['prompt_template'],
        config: {
          type: 'MultiTurnPromptTemplate',
          template: {
            round: [
              { role: 'HUMAN', prompt: '{question}' },
              { role: 'BOT', prompt: '{answer}' },
            ],
          },
        },
      },
      inputColumns: ['question'],
      outputColumn: 'answer',
      retriever: { type: 'ZeroRetriever', source: ['retriever'] },
      inferencer: { type: 'MultiTurnGenInferencer' },
      model: { takes: 'messages', format: chatApiFormat },
    },
    { test: [{ id: 0, row }], train: [] },
  );
  if (!dialogue) throw new Error('no dialogue');
  const query = { id: 0, position: 0, row };
  const play = () => {
    const answers: string[] = [];
    while (dialogue.next(query, answers).length > 0) answers.push('So it is.');
  };
  play();
  const times = Array.from({ length: 5 }, () => {
    const start = performance.now();
    play();
    return performance.now() - start;
  });
  return Math.min(...times) / turns;
}

const [short, long] = [await measureTurns(100), await measureTurns(200)];
console.log(`turn of 100: ${(short * 1000).toFixed(0)} µs, of 200: ${(long * 1000).toFixed(0)} µs`);
console.log(`twice the turns cost ${(long / short).toFixed(2)} times as much each (linear is 2)`);

function makeRows(count: number): RowStream {
  return {
    async *batches() {
      for (let id = 0; id < count; id += 250) {
        yield Array.from({ length: 250 }, (_, at) => ({
          id: id + at,
          row: { image: `${(id + at) % 16}.png`, question: `Row ${id + at}?` },
        }));
      }
    },
    count: async () => count,
    describe: async () => ({ files: [], rowsRead: count }),
  };
}

/** The most memory while rows with images of 1 MB are made into requests and read to be sent. */
async function measureMemory(rows: number, folder: string): Promise<number> {
  const model = openAiModel({
    takes: 'messages',
    baseUrl: 'http://127.0.0.1:9',
    model: 'm',
    source: [],
  });
  const task: PromptSetup = {
    promptTemplate: {
      source: ['prompt_template'],
      config: {
        type: 'MMPromptTemplate',
        template: {
          round: [{ role: 'HUMAN', prompt_mm: { image: '{image}', text: '{question}' } }],
        },
      },
    },
    inputColumns: ['question'],
    retriever: { type: 'ZeroRetriever', source: ['retriever'] },
    inferencer: { type: 'GenInferencer' },
    model: { takes: 'messages', format: chatApiFormat },
    media: { folder, inline: true, maxBytes: 20_000_000, allowOutside: false },
  };
  const prompts = await openPrompts(task, { test: [], train: [] });
  const source: JobSource = {
    evaluation: createEvaluation({
      model,
      modelName: 'm',
      task: { name: 'images', inferencer: 'GenInferencer', mode: 'gen' },
      rows: positionRows(makeRows(rows)),
      inference: await inferenceOf(task, prompts),
      prepare: prompts.prepare,
      maxOutLenOf: () => 8,
      scorer: compileScorer({ evaluator: { type: 'exact' } }),
      scorerIdentity: 'exact',
      pace: { maxConcurrency: 1, maxAttempts: 1 },
    }),
    note: () => undefined,
    isDone: () => false,
    refuse: (_, error) => {
      throw error;
    },
  };
  let most = 0;
  for await (const window of makeJobs(source)) {
    for (const {
      planned: { asked },
    } of window) {
      if (asked.type !== 'generate' || asked.prompt.type !== 'messages') continue;
      for (const { content } of asked.prompt.messages) {
        for (const part of typeof content === 'string' ? [] : content) {
          if (part.type !== 'text') await part.content?.address();
        }
      }
    }
    const { rss } = process.memoryUsage();
    most = Math.max(most, rss);
  }
  await model.close();
  return most / 1e6;
}

const folder = await mkdtemp(join(tmpdir(), 'typecase-multi-'));
try {
  for (let image = 0; image < 16; image++) {
    const bytes = Buffer.alloc(1_000_000, image);
    bytes.write('\x89PNG\r\n\x1a\n', 'latin1');
    await writeFile(join(folder, `${image}.png`), bytes);
  }
  for (const rows of [1_000, 10_000]) {
    const started = performance.now();
    const most = await measureMemory(rows, folder);
    const seconds = (performance.now() - started) / 1000;
    console.log(`${rows} images of 1 MB: ${most.toFixed(0)} MB at most, ${seconds.toFixed(1)} s`);
  }
} finally {
  await rm(folder, { recursive: true });
}
