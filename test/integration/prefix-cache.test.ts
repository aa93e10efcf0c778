import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ConfigInput, evaluate, planRun, studyPrefixCache } from '../../src/index.ts';
import { startRecordingServer } from './joints/recording-server.ts';
import { writeFolder } from './run-cli.ts';

const tokenizer = join(import.meta.dirname, '../../models/typecase-tiny/tokenizer.json');
const passages = ['The river is long and the mountain is high.', 'A house has a door and a roof.'];
const rows = passages.flatMap((passage, document) =>
  ['How long?', 'How high?', 'What of it?'].map((question) => ({
    passage,
    question: `${question} (${document})`,
    answer: 'x',
  })),
);

/** One token for each byte, as this tokenizer has it, with marks where messages begin. */
function bytesOf(body: {
  readonly prompt?: string;
  readonly messages?: readonly { readonly role: string; readonly content: string }[];
}): string[] {
  if (body.prompt !== undefined) return Array.from(Buffer.from(body.prompt), String);
  return (body.messages ?? []).flatMap(({ role, content }) =>
    Array.from(Buffer.from(content), (byte, index) => (index === 0 ? `${role}${byte}` : `${byte}`)),
  );
}

/** The longest run of whole blocks that any earlier prompt begins with, summed over all. */
function sharedWithEarlier(prompts: readonly string[][], block: number): number {
  let saved = 0;
  for (const [index, prompt] of prompts.entries()) {
    const longest = prompts.slice(0, index).reduce((most, earlier) => {
      const end = prompt.findIndex((token, at) => token !== earlier[at]);
      return Math.max(most, end < 0 ? prompt.length : end);
    }, 0);
    saved += Math.floor(Math.min(longest, prompt.length - 1) / block) * block;
  }
  return saved;
}

const template = 'Answer the question about the text.\n\n{passage}\nQuestion: {question}\nAnswer:';
const round = [
  { role: 'HUMAN', prompt: '{passage}\nQuestion: {question}' },
  { role: 'BOT', prompt: '{answer}' },
];
const examples = {
  ice_template: { template: 'Text: {passage}\nQuestion: {question}\nAnswer: {answer}\n' },
  retriever: { type: 'FixKRetriever', fix_id_list: [0, 1] },
};

describe('what is planned is what a cache would find in the requests that a server gets', () => {
  test.each<[string, string, object]>([
    ['a text', 'completions', { prompt_template: { template } }],
    [
      'examples',
      'completions',
      { prompt_template: { template: `</E>${template}`, ice_token: '</E>' }, ...examples },
    ],
    [
      'messages',
      'chat',
      {
        prompt_template: { template: { begin: [{ role: 'SYSTEM', prompt: 'Be brief.' }], round } },
      },
    ],
    [
      'messages by a chat format',
      'completions',
      { prompt_template: { template: { round } }, meta: 'chatml' },
    ],
  ])('%s', async (_, api, { meta, ...infer }: { meta?: string }) => {
    await using server = await startRecordingServer();
    const out = await writeFolder({});
    const config: ConfigInput = {
      models: [
        {
          abbr: 'm',
          type: api === 'completions' ? 'OpenAICompletions' : 'OpenAI',
          base_url: `${server.url}/v1`,
          model: 'm',
          ...(meta && { meta_template: meta }),
          tokenizer,
          max_out_len: 4,
        },
      ],
      datasets: [
        {
          abbr: 'd',
          rows,
          reader_cfg: { input_columns: ['passage', 'question'], output_column: 'answer' },
          infer_cfg: infer,
        },
      ],
    };
    const { total, exactTokens } = await planRun(config, { out });
    await evaluate(config, { out, concurrency: 1 });
    const prompts = server.requests.map(({ body }) => bytesOf(JSON.parse(body)));
    expect(prompts).toHaveLength(6);
    expect(exactTokens).toBe(true);
    expect(total.inputTokens).toBe(prompts.flat().length);
    expect(total.sharedTokens).toBe(sharedWithEarlier(prompts, 16));
    expect(total.sharedTokens).toBeGreaterThan(0);
    for (const block of [1, 7]) {
      const [study] = await studyPrefixCache(config, { block });
      expect(study?.savings).toMatchObject({
        requests: 6,
        saved: sharedWithEarlier(prompts, block),
      });
    }
  });
});
