import { describe, expect, test } from 'vitest';
import type { ModelConfig } from '../config/config.ts';
import type { ConfigInput } from '../config/config-input.ts';
import { ModelError } from '../errors.ts';
import { openEvaluations } from '../evaluation/open-evaluations.ts';
import type { GenerateResult, Model } from '../model/model.ts';
import { Spending } from './spending.ts';
import type { RunSummary } from './summary.ts';

const { signal } = new AbortController();
const config = {
  ...{ abbr: 'm', source: ['models', 0], price: { in: 1e6, out: 2e6 }, maxOutLen: 10 },
} as unknown as ModelConfig;
const request = (text: string) => ({ prompt: { type: 'text', text } }) as never;

interface Asked {
  readonly answer: (result: Partial<GenerateResult>) => void;
  readonly fail: (error: unknown) => void;
}

function metered(limit: number, own: Partial<ModelConfig> = {}) {
  const spending = new Spending(limit);
  const asked: Asked[] = [];
  const model = {
    name: 'm',
    generate: () =>
      new Promise((resolve, reject) => {
        asked.push({ answer: resolve as never, fail: reject });
      }),
    loglikelihoodModel: {
      measure: () =>
        new Promise((resolve, reject) => {
          asked.push({ answer: resolve as never, fail: reject });
        }),
    },
  } as unknown as Model;
  const paying = spending.meter(model, { ...config, ...own }, undefined);
  const ask = (text = '12345678') => {
    const answer = paying.generate(request(text), { signal });
    answer.catch(() => undefined);
    return answer;
  };
  return { spending, asked, paying, ask };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));
/** A prompt of 8 bytes, what servers add to it, and ten tokens of answer at twice the price. */
const most = 8 + 8 + 64 + 2 * 10;

describe('what a run may cost', () => {
  test.each([
    [most, 1],
    [most - 1, 0],
    [2 * most, 2],
    [2 * most - 1, 1],
  ])('within %i, %i requests are in flight at once', async (limit, count) => {
    const { asked, ask } = metered(limit);
    void ask();
    void ask();
    await settle();
    expect(asked).toHaveLength(count);
  });

  test('what was not used is free again; what the server does not tell counts as the most', async () => {
    const { asked, ask, spending } = metered(2 * most);
    const first = ask();
    void ask();
    const third = ask();
    await settle();
    expect(asked).toHaveLength(2);
    asked[0]?.answer({ usage: { inputTokens: 3, outputTokens: 4 } });
    await first;
    await settle();
    expect([asked.length, spending.counted()]).toEqual([2, 3 + 2 * 4]);
    asked[1]?.answer({ usage: { inputTokens: 5 } });
    await settle();
    expect(spending.counted()).toBe(11 + 5 + 2 * 10);
    expect(asked).toHaveLength(3);
    asked[2]?.answer({});
    await third;
    const { cost } = spending.addTo({ cost: { total: 7 } } as RunSummary);
    expect(cost).toEqual({ total: 7, limit: 2 * most, spent: 36 + most, estimated: 2 });
  });

  test('a request that can no longer be paid ends the run, with what it was about', async () => {
    const { asked, ask, spending } = metered(most);
    const [first, second] = [ask(), ask()];
    await settle();
    asked[0]?.answer({ usage: { inputTokens: 90, outputTokens: 0 } });
    await first;
    await expect(second).rejects.toMatchObject({
      code: 'run.cost_limit',
      message: 'cost limit of 100.00 reached: 90.00 spent, and the next request may cost 100.00',
    });
    expect(spending.reached).toBeDefined();
    await expect(ask()).rejects.toBe(spending.reached);
    expect(spending.addTo({} as RunSummary).cost).toEqual({
      ...{ total: 0, limit: most, spent: 90, isReached: true },
    });
  });

  test.each([
    ['refused', new ModelError('model.bad_request', '', { status: 400, retryable: false }), 0],
    ['a server error', new ModelError('model.x', '', { status: 500, retryable: true }), 0],
    ['no connection', new ModelError('model.connection_refused', '', { retryable: true }), 0],
    ['no such host', new ModelError('model.unknown_host', '', { retryable: false }), 0],
    ['a certificate', new ModelError('model.certificate', '', { retryable: false }), 0],
    ['a redirect', new ModelError('model.x', '', { status: 399, retryable: false }), most],
    ['an answer that was cut', new ModelError('model.timeout', '', { retryable: true }), most],
    ['a fault', new TypeError('x'), most],
  ])('%s costs %3$i', async (_, error, cost) => {
    const { asked, ask, spending } = metered(10 * most);
    const answer = ask();
    await settle();
    asked[0]?.fail(error);
    await expect(answer).rejects.toBe(error);
    expect(spending.counted()).toBe(cost);
  });

  test('a run that was ended pays for nothing more', async () => {
    const { asked, paying, spending } = metered(10 * most);
    const ended = AbortSignal.abort(new Error('ended'));
    await expect(paying.generate(request('x'), { signal: ended })).rejects.toThrow('ended');
    expect([asked.length, spending.counted()]).toEqual([0, 0]);
  });

  test('messages and pieces count each, texts that are measured one token of answer each', async () => {
    const limit = 1000;
    const { asked, paying, spending } = metered(limit);
    const messages = [
      { role: 'user', content: '12345' },
      { role: 'assistant', content: '123' },
    ];
    void paying.generate({ prompt: { type: 'messages', messages } } as never, { signal });
    await settle();
    asked[0]?.answer({});
    await settle();
    expect(spending.counted()).toBe(64 + (5 + 8) + (3 + 8) + 2 * 10);
    void paying.loglikelihoodModel?.measure(
      {
        texts: [
          { text: '1234', from: 0 },
          { text: '12', from: 0 },
        ],
      },
      { signal },
    );
    await settle();
    asked[1]?.answer({});
    await settle();
    expect(spending.counted()).toBe(108 + (4 + 64) + (2 + 64) + 2 * 2);
  });

  test('tokens are counted where they can be', async () => {
    const spending = new Spending(1000);
    const model = { generate: async () => ({ text: '' }) } as unknown as Model;
    const paying = spending.meter(model, config, (text) => text.split(' ') as never);
    await paying.generate(request('one two three'), { signal });
    expect(spending.counted()).toBe(3 + 8 + 64 + 2 * 10);
  });

  test.each([
    [{ price: { in: 0, out: 0 }, maxOutLen: undefined }, undefined],
    [{ price: { in: 1, out: 2 } }, undefined],
    [{ price: undefined }, 'needs the price of m'],
    [{ price: { in: 1 } }, 'needs the price of m'],
    [{ price: { in: 0, out: 1 }, maxOutLen: undefined }, 'needs a limit for the answers of m'],
    [{ price: { in: 1, out: 0 }, maxOutLen: undefined }, 'needs a limit for the answers of m'],
  ])('what has to be known: %j', (own, message) => {
    const modelConfig = { ...config, ...own };
    const evaluation = { modelConfig, answerLimit: modelConfig.maxOutLen };
    const require = () => new Spending(1).requirePrices([evaluation] as never);
    if (message === undefined) expect(require).not.toThrow();
    else expect(require).toThrow(message);
    const judged = { judgeConfigs: [modelConfig] };
    const ofJudge = () => new Spending(1).requirePrices([judged] as never);
    if (message === undefined) expect(ofJudge).not.toThrow();
    else expect(ofJudge).toThrow(message);
  });

  test.each([
    [{ type: 'GenInferencer', max_out_len: 5 }, 5],
    [{ type: 'MultiTurnGenInferencer', max_out_len: [5, 6] }, 5],
    [{ type: 'GenInferencer', generation_kwargs: { max_tokens: 7 } }, 7],
    [{ type: 'GenInferencer' }, undefined],
    [{ type: 'PPLInferencer' }, 1],
  ])('the limit of answers may be that of the task; labels have one: %j', async (own, limit) => {
    const isChat = own.type === 'MultiTurnGenInferencer';
    const base = { type: 'OpenAICompletions', base_url: 'http://127.0.0.1:9/v1' } as const;
    const template =
      own.type === 'PPLInferencer'
        ? { a: '{q} a', b: '{q} b' }
        : {
            round: [
              { role: 'HUMAN', prompt: '{q}' },
              ...(isChat ? [{ role: 'BOT', prompt: '{label}' }] : []),
            ],
          };
    await using evaluations = await openEvaluations(
      {
        models: [{ ...base, abbr: 'm', model: 'm', price: { in: 1, out: 1 } }],
        datasets: [
          {
            abbr: 'd',
            rows: [{ q: 'x', label: 'a' }],
            reader_cfg: { input_columns: ['q'], output_column: 'label' },
            infer_cfg: {
              prompt_template: {
                ...(isChat && { type: 'MultiTurnPromptTemplate' }),
                template,
              },
              inferencer: own,
            },
          },
        ],
      } as ConfigInput,
      { purpose: 'plan' },
    );
    expect(evaluations[0]?.answerLimit).toBe(limit);
    const require = () => new Spending(1).requirePrices(evaluations);
    if (limit === undefined) expect(require).toThrow('needs a limit');
    else expect(require).not.toThrow();
  });
});
