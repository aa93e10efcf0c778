import { expect, test } from 'vitest';
import { scorerOf } from '../../evaluation/scorer-of.ts';
import { Float } from '../../prompt/values.ts';
import { type Judged, scoreReply, scoreWhole } from '../score-answer.ts';
import { scoreReplyLater } from '../score-later.ts';
import { pack, unpack } from './packed.ts';
import { type ScoringLimits, scoreApart } from './score-apart.ts';

const words = (count: number, step = 1) =>
  Array.from({ length: count }, (_, index) => `w${(index * step) % 997}`).join(' ');

const heavy = [
  { evaluator: { type: 'ter' }, text: words(1500, 7), gold: words(1500) },
  { evaluator: { type: 'ter' }, text: words(150_000), gold: words(21_000) },
  { evaluator: { type: 'edit_distance' }, text: words(2000, 7), gold: words(2000) },
  { evaluator: { type: 'rouge' }, text: words(2500, 7), gold: [words(20), words(2500)] },
  { evaluator: { type: 'bleu' }, text: words(12_000), gold: words(12_000, 3) },
  { evaluator: { type: 'number' }, text: '1+'.repeat(60_000), gold: new Float(2) },
  { evaluator: { type: 'regex', pattern: '(a+)+$' }, text: `${'a'.repeat(45)}b`, gold: 'a' },
] as const;

const judgedOf = ({ text, gold }: { readonly text: string; readonly gold: unknown }): Judged => ({
  reply: { text },
  gold,
  row: { question: '1?', share: new Float(2) },
});

const { signal } = new AbortController();

test('heavy work has the score that it would have at once; what is light stays here', async () => {
  for (const { evaluator, ...texts } of heavy) {
    const scorer = await scorerOf({ evalCfg: { evaluator } });
    const judged = judgedOf(texts);
    expect([evaluator.type, scoreReply(scorer, judged)]).toEqual([evaluator.type, undefined]);
    const score = await scoreReplyLater(scorer, judged, { signal, stop: signal });
    expect(score).toEqual(scoreWhole(scorer, judged));
    const light = judgedOf({ text: 'w1 w2 42', gold: 'w1 42' });
    expect(scoreReply(scorer, light)).toEqual(scoreWhole(scorer, light));
  }
}, 60_000);

async function endProcess(): Promise<void> {
  const stop = new AbortController();
  const recipe = { evalCfg: { evaluator: { type: 'exact' } } };
  const ended = scoreApart({ recipe, judged: judgedOf({ text: '1', gold: '1' }) }, stop.signal);
  setImmediate(() => stop.abort());
  await ended.catch(() => undefined);
}

test.each<[string, ScoringLimits, object, string]>([
  [
    'time',
    { seconds: 0.5, megabytes: 512 },
    { type: 'rouge', variant: 'rougeL' },
    'scoring takes more than 0.5 seconds',
  ],
  ['memory', { seconds: 20, megabytes: 60 }, { type: 'bleu' }, 'more than 60 MB of memory'],
])('a limit of %s ends it; the next one is scored', async (_name, limits, evaluator, message) => {
  const recipe = { evalCfg: { evaluator } };
  const text = Array.from({ length: 600_000 }, (_, index) => `w${index}`).join(' ');
  const judged = judgedOf({ text, gold: words(200) });
  await endProcess();
  const said = scoreApart({ recipe, judged }, signal, limits).then(
    () => 'scored',
    (error) => error.message,
  );
  expect(await said).toContain(message);
  const next = judgedOf({ text: 'w1', gold: 'w1' });
  expect(await scoreApart({ recipe, judged: next }, signal)).toMatchObject({ value: 1 });
});

test('a signal ends it at once, and all that wait', async () => {
  const recipe = { evalCfg: { evaluator: { type: 'ter' } } };
  const judged = judgedOf({ text: words(4000), gold: words(999) });
  const stop = new AbortController();
  const scored = [1, 2, 3].map(() => scoreApart({ recipe, judged }, stop.signal));
  const ended = Promise.allSettled(scored);
  const start = performance.now();
  setTimeout(() => stop.abort(new Error('enough')), 300);
  for (const one of await ended) expect(one).toMatchObject({ reason: { message: 'enough' } });
  expect(performance.now() - start).toBeLessThan(1500);
});

test('what only one process can hold is scored there', async () => {
  const scorer = await scorerOf({ evalCfg: { evaluator: { type: 'exact' } } });
  const judged = { ...judgedOf({ text: 'x'.repeat(60_000), gold: '1' }), row: { own: () => 1 } };
  expect(scoreReply(scorer, judged)).toBeUndefined();
  const score = await scoreReplyLater(scorer, judged, { signal, stop: signal });
  expect(score).toMatchObject({ type: 'scored', value: 0 });
});

test('values are handed over as they are', () => {
  const row = { a: [new Float(1), 2n, null, undefined, true], b: new Map([['c', new Float(0.5)]]) };
  expect(unpack(structuredClone(pack(row)))).toEqual(row);
});
