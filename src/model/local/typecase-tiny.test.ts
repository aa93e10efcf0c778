import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, describe, expect, it, onTestFinished, test } from 'vitest';
import { loglikelihoodsOf } from '../loglikelihoods-of.ts';
import { CausalGraph } from './engine/causal-graph.ts';
import { openSession } from './engine/runtime.ts';
import { localModel } from './local-model.ts';

const root = join(import.meta.dirname, '../../..');
const path = join(root, 'models/typecase-tiny');
const weights = join(path, 'onnx/model.onnx');

interface Reference {
  readonly name: string;
  readonly tokens: number[];
  readonly logits: { readonly stored: number[] };
  readonly continuations: readonly { readonly text: string; readonly logprobs: number[] }[];
  readonly greedy: number[];
}
const { model: recordedModel, prompts }: { model: string; prompts: Reference[] } = JSON.parse(
  readFileSync(join(root, 'test/vectors/typecase-tiny/reference.json'), 'utf8'),
);

const model = await localModel({ path });
afterAll(() => model.close());
const signal = AbortSignal.timeout(60_000);

/** The text of a prompt, whose tokens are bytes and special tokens. */
function textOf(tokens: readonly number[]): string {
  const special = ['<|bos|>', '<|eos|>', '<|pad|>', '<|system|>', '<|user|>', '<|assistant|>'];
  const pieces = tokens.map((token) =>
    token < 256 ? Buffer.of(token) : Buffer.from([...special, '<|end|>'][token - 256] ?? ''),
  );
  return Buffer.concat(pieces).toString();
}

test('the references were recorded with these weights', () => {
  const sha256 = createHash('sha256').update(readFileSync(weights)).digest('hex');
  expect(recordedModel).toContain(sha256);
});

test('logits are those of PyTorch', async () => {
  const { session, runtime } = await openSession(weights);
  const graph = new CausalGraph(session, runtime, {});
  for (const { name, tokens, logits } of prompts) {
    const batch = { tokens: [Int32Array.from(tokens)], pastLengths: [0] };
    const output = await graph.run(
      { ...batch, past: graph.cacheRoom(0), pastStride: 0 },
      { logits: true, cache: 'none' },
    );
    const found = output.logitsAt(0, tokens.length - 1);
    const max = Math.max(...logits.stored.map((value, id) => Math.abs(value - (found[id] ?? 0))));
    expect([name, max < 1e-4]).toEqual([name, true]);
  }
  await graph.release();
});

describe('all prompts together', () => {
  it('have the log-probabilities of PyTorch', async () => {
    const texts = prompts.flatMap(({ tokens, continuations }) =>
      continuations.map(({ text }) => {
        const context = textOf(tokens);
        return { text: context + text, from: context.length };
      }),
    );
    const expected = prompts.flatMap(({ continuations }) => continuations);
    const result = await model.loglikelihoodModel?.measure({ texts }, { signal });
    const found = loglikelihoodsOf(texts, result?.logprobs ?? []);
    for (const [index, { logprobs }] of expected.entries()) {
      const loglikelihood = found[index];
      expect(loglikelihood?.tokens).toBe(logprobs.length);
      const sum = logprobs.reduce((a, b) => a + b, 0);
      expect(Math.abs((loglikelihood?.logprob ?? 0) - sum)).toBeLessThan(1e-4 * logprobs.length);
    }
  });

  it('have the answers of PyTorch', async () => {
    const answers = await Promise.all(
      prompts.map(({ tokens, greedy }) =>
        model.generate(
          { prompt: { type: 'text', text: textOf(tokens) }, maxOutLen: greedy.length },
          { signal },
        ),
      ),
    );
    const bytesOf = (greedy: readonly number[]) => greedy.filter((token) => token < 256);
    expect(answers.map(({ text }) => text)).toEqual(
      prompts.map(({ greedy }) => Buffer.from(bytesOf(untilEnd(greedy))).toString()),
    );
  });
});

test('long answers that prefix one after the other hold the likeliest tokens', async () => {
  const asked = ['7 and 1: abcdefghabcdefgh', 'xyz', '3 and 2: abcdefghabcdefghabcdefghabcd', 'a'];
  const answers: ReturnType<typeof model.generate>[] = [];
  for (const text of asked) {
    answers.push(model.generate({ prompt: { type: 'text', text }, maxOutLen: 90 }, { signal }));
    await setTimeout(20);
  }
  const written = (await Promise.all(answers)).map(({ text }) => [...Buffer.from(text)]);
  expect(Math.max(...written.map(({ length }) => length))).toBeGreaterThan(64);
  const { session, runtime } = await openSession(weights);
  const graph = new CausalGraph(session, runtime, {});
  for (const [index, text] of asked.entries()) {
    const prefix = [256, ...Buffer.from(text)];
    const tokens = Int32Array.of(...prefix, ...(written[index] ?? []));
    const { logitsAt } = await graph.run(
      { tokens: [tokens], pastLengths: [0], past: graph.cacheRoom(0), pastStride: 0 },
      { logits: true, cache: 'none' },
    );
    for (let position = prefix.length; position < tokens.length; position += 1) {
      const logits = logitsAt(0, position - 1);
      const chosen = logits[tokens[position] as number] as number;
      expect(Math.max(...logits) - chosen).toBeLessThan(1e-3);
    }
  }
  await graph.release();
});

/** Recorded answers go on after their end. */
function untilEnd(greedy: readonly number[]): readonly number[] {
  const end = greedy.findIndex((token) => token === 257 || token === 262);
  return end < 0 ? greedy : greedy.slice(0, end);
}

test('weights that are no numbers are refused when the model is opened', async () => {
  const copy = await mkdtemp(join(tmpdir(), 'typecase-damaged-'));
  onTestFinished(() => rm(copy, { recursive: true }));
  await cp(path, copy, { recursive: true });
  const bytes = readFileSync(weights);
  // In the middle of a tensor: halves whose bits are all set are no numbers.
  bytes.fill(0xff, bytes.length / 2, bytes.length / 2 + 1024);
  await writeFile(join(copy, 'onnx/model.onnx'), bytes);
  await expect(localModel({ path: copy })).rejects.toMatchObject({
    code: 'model.weights_unusable',
    message: expect.stringContaining('its weights are damaged'),
  });
});
