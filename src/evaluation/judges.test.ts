import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ConfigInput } from '../config/config-input.ts';
import { parseConfig } from '../config/load-config.ts';
import { overrideConfig } from '../config/override-config.ts';
import { makeFolder } from '../data/test-sources.ts';
import type { Prompt } from '../prompt/prompt.ts';
import type { Row } from '../prompt/values.ts';
import { splitAnswer } from '../score/split-thought.ts';
import type { JudgeRequest } from './evaluation.ts';
import { openEvaluations } from './open-evaluations.ts';

type ModelInput = NonNullable<ConfigInput['models']>[number];

const endpoint = { base_url: 'http://127.0.0.1:9/v1', model: 'name' };
const prompt = {
  begin: [{ role: 'SYSTEM', fallback_role: 'HUMAN', prompt: 'You judge.' }],
  round: [{ role: 'HUMAN', prompt: '{question} {prediction} {reference}' }],
};
const row = { question: 'Q?', answer: 'gold', rival: 'other' };
const input = { answer: splitAnswer('<think>hm</think>said'), gold: 'gold', row };

interface Parts {
  readonly judge?: ModelInput;
  readonly evaluator?: object;
  readonly rows?: readonly Row[];
  readonly folder?: string;
}

const chatJudge: ModelInput = { abbr: 'j', type: 'OpenAI', ...endpoint, judge: true };

async function configOf({ judge = chatJudge, evaluator = { prompt }, folder }: Parts = {}) {
  return parseConfig(
    {
      models: [{ abbr: 'm', type: 'OpenAICompletions', ...endpoint }, judge],
      datasets: [
        {
          abbr: 'd',
          rows: [row],
          reader_cfg: { input_columns: ['question'], output_column: 'answer' },
          infer_cfg: { prompt_template: { template: '{question}' } },
          eval_cfg: { evaluator: { type: 'judge', model: 'j', ...evaluator } },
        },
      ],
    },
    { folder },
  );
}

async function requestsOf(parts: Parts = {}): Promise<readonly JudgeRequest[]> {
  await using evaluations = await openEvaluations(await configOf(parts), { purpose: 'plan' });
  return (await evaluations[0]?.planScoring(input)) ?? [];
}

describe('a judge is asked in its own format', () => {
  it.each<[string, ModelInput, Prompt]>([
    [
      'a chat model',
      chatJudge,
      {
        type: 'messages',
        messages: [
          { role: 'system', content: 'You judge.' },
          { role: 'user', content: 'Q? said gold' },
        ],
      },
    ],
    [
      'a text model with a meta template',
      { abbr: 'j', type: 'OpenAICompletions', ...endpoint, meta_template: 'chatml' },
      {
        type: 'text',
        text: '<|im_start|>system\nYou judge.<|im_end|>\n<|im_start|>user\nQ? said gold<|im_end|>\n<|im_start|>assistant\n',
      },
    ],
    [
      'a text model without one',
      { abbr: 'j', type: 'OpenAICompletions', ...endpoint },
      { type: 'text', text: 'You judge.\nQ? said gold' },
    ],
  ])('%s', async (_, judge, expected) => {
    const requests = await requestsOf({ judge });
    expect(requests).toMatchObject([{ judge: 'j', prompt: expected }]);
    expect(requests[0]?.prompt).toEqual(expected);
    const body = requests[0]?.model.encode({ prompt: expected }) ?? '';
    expect(JSON.parse(body)).toMatchObject(
      expected.type === 'text' ? { prompt: expected.text } : { messages: expected.messages },
    );
  });

  it('a text model with a chat template', async () => {
    const folder = await makeFolder();
    const template =
      '{% for m in messages %}[{{ m.role }}] {{ m.content }} {% endfor %}{% if add_generation_prompt %}[assistant]{% endif %}';
    await writeFile(join(folder, 't.jinja'), template);
    const judge = {
      abbr: 'j',
      type: 'OpenAICompletions',
      ...endpoint,
      chat_template: 't.jinja',
    } as const;
    const [request] = await requestsOf({ judge, folder });
    const text = '[system] You judge. [user] Q? said gold [assistant]';
    expect(request?.prompt).toEqual({ type: 'text', text });
  });
});

it('a choice between two answers is asked for in both orders', async () => {
  const pair = { round: [{ role: 'HUMAN', prompt: '{first} or {second}?' }] };
  const requests = await requestsOf({ evaluator: { against: 'rival', prompt: pair } });
  const said = requests.map((request) =>
    request.prompt.type === 'messages' ? request.prompt.messages[0]?.content : undefined,
  );
  expect(said).toEqual(['said or other?', 'other or said?']);
});

it('an answer that is not judged asks nothing', async () => {
  await using evaluations = await openEvaluations(await configOf(), { purpose: 'plan' });
  const empty = { ...input, answer: splitAnswer('') };
  expect(await evaluations[0]?.planScoring(empty)).toEqual([]);
});

it('flags that change the models leave the judges as they are', async () => {
  const judge = { ...chatJudge, max_out_len: 300 };
  const config = overrideConfig(await configOf({ judge }), { maxOutLen: 2, temperature: 1 });
  await using evaluations = await openEvaluations(config, { purpose: 'plan' });
  const [request] = (await evaluations[0]?.planScoring(input)) ?? [];
  const body = request && JSON.parse(request.model.encode({ prompt: request.prompt }));
  expect(body).toMatchObject({ max_tokens: 300 });
  expect(body).not.toHaveProperty('temperature');
  const again = overrideConfig(config, { maxOutLen: 3 });
  await using changed = await openEvaluations(again, { purpose: 'plan' });
  const [other] = (await changed[0]?.planScoring(input)) ?? [];
  expect(other && JSON.parse(other.model.encode(other))).toMatchObject({ max_tokens: 300 });
});

it('what is scored without a judge is not scored to plan it', async () => {
  let scored = 0;
  const score = () => {
    scored += 1;
    return 1;
  };
  const evaluator = { type: 'function', score };
  const config = await configOf();
  const [dataset] = config.datasets;
  if (!dataset) throw new Error('no dataset');
  const own = { ...config, datasets: [{ ...dataset, evalCfg: { evaluator } }] };
  await using evaluations = await openEvaluations(own, { purpose: 'plan' });
  const [evaluation] = evaluations;
  expect(await evaluation?.planScoring(input)).toEqual([]);
  expect(scored).toBe(0);
});

describe('a judge that cannot be asked', () => {
  it('is refused where no model has its name', async () => {
    const error = await requestsOf({ evaluator: { model: 'k', prompt } }).catch((thrown) => thrown);
    expect(error).toMatchObject({
      code: 'config.unknown_model',
      path: ['datasets', 0, 'eval_cfg', 'evaluator', 'model'],
      hint: expect.stringContaining('Models: m, j.'),
    });
  });

  it('is refused when it is needed, and all else can be closed', async () => {
    const config = await configOf({ judge: { abbr: 'j', judge: true } });
    const evaluations = await openEvaluations(config, { purpose: 'plan' });
    await expect(evaluations[0]?.planScoring(input)).rejects.toMatchObject({
      code: 'config.missing_key',
      path: ['models', 1],
    });
    await evaluations.close();
  });
});

it('judges that only late rows ask are known before anything is asked', async () => {
  const late = [{ type: 'judge', model: 'late', prompt: { template: 'Good? {prediction}' } }];
  const rows = Array.from({ length: 2500 }, (_, id) => ({
    q: `q${id}`,
    ...(id === 2400 && { checks: late }),
  }));
  const config = {
    models: [
      { abbr: 'm', type: 'OpenAI', ...endpoint },
      { abbr: 'late', type: 'OpenAI', ...endpoint, judge: true },
    ],
    datasets: [
      {
        abbr: 'd',
        rows,
        reader_cfg: { input_columns: ['q'], output_column: null },
        infer_cfg: { prompt_template: { template: '{q}' } },
        eval_cfg: { evaluator: [{ type: 'contains', value: 'x' }] },
      },
    ],
  } as ConfigInput;
  for (const [limit, judge] of [
    [undefined, 'late'],
    [2000, undefined],
  ] as const) {
    await using evaluations = await openEvaluations(config, { purpose: 'plan', limit });
    expect(evaluations[0]?.judges?.map(({ name }) => name)).toEqual(judge ? [judge] : []);
    const requests = evaluations[0]?.scorer.judge?.requestsFor({ row: rows[2400] } as never);
    expect(requests).toBe(judge && 1);
  }
});
