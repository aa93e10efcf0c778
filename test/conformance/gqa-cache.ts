import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pyStr } from '../../src/python/repr.ts';
import { Aggregate } from '../../src/suites/gqa/cache-study/aggregate.ts';
import { embedTexts } from '../../src/suites/gqa/cache-study/embed-texts.ts';
import { exactKey } from '../../src/suites/gqa/cache-study/exact-key.ts';
import { hashingEncoder } from '../../src/suites/gqa/cache-study/hashing-encoder.ts';
import type { LayerVectors } from '../../src/suites/gqa/cache-study/layer-search.ts';
import {
  type LoggedResult,
  type Summary,
  sampleCells,
  sampleColumns,
  sampleJsonLine,
  summaryCells,
} from '../../src/suites/gqa/cache-study/logs.ts';
import { type CacheLayers, CacheSimulation } from '../../src/suites/gqa/cache-study/simulate.ts';
import { statusesOf } from '../../src/suites/gqa/cache-study/statuses.ts';
import type { GqaCompat } from '../../src/suites/gqa/compat.ts';
import { buildPrompt, type GqaPrompt } from '../../src/suites/gqa/prompts/build-prompt.ts';
import { compileTemplate, defaultTemplate } from '../../src/suites/gqa/prompts/prompt-template.ts';
import type { GqaSample } from '../../src/suites/gqa/samples/sample.ts';
import { syntheticSamples } from '../../src/suites/gqa/samples/synthetic.ts';
import { holdsReference } from '../../src/suites/gqa/scoring/answers.ts';
import { parseOriginalLayer } from '../../src/suites/gqa/settings/embedding-layer.ts';
import { originalFlags } from '../../src/suites/gqa/settings/experiment2-settings.ts';
import { compare } from './compare.ts';
import { parseOriginalArguments } from './gqa-arguments.ts';
import type { Handlers } from './handler.ts';
import { type Json, type JsonObject, listAt, objectAt, textAt } from './json.ts';

/** Whole request sequences, and the files that the program writes. */
export const gqaCacheHandlers: Handlers = {
  cache_sim: async (vector, context) => {
    const { generated_for, steps, aggregates } = vector;
    const expected = { generated_for, steps, aggregates } as JsonObject;
    return compare(expected, await simulate(vector, context.folder));
  },
  semantic_kv_dry_run_head: async (vector) =>
    compare(vector.ok, await secondOfTwo(textAt(vector, 'commit') as GqaCompat)),
  summary_csv: (vector) => {
    const compat = textAt(vector, 'commit') as GqaCompat;
    const { argv, aggregates } = objectAt(vector, 'input');
    const args = parseOriginalArguments(argv as readonly string[], compat);
    const settings = {
      ...originalFlags({ preset: args.preset as string | null }),
      ...args,
      name: args.experiment_name as string | null,
      embedding_layers: args.embedding_layer as readonly string[],
      enable_exact_text_cache: !args.disable_exact_cache,
      enable_semantic_text_cache: !args.disable_semantic_cache,
    } as Parameters<typeof summaryCells>[0];
    const cells = summaryCells(settings, aggregates as unknown as Summary, {
      compat,
      time: new Date(0),
    });
    const { columns, row_without_timestamp } = vector;
    return compare(
      { columns: columns ?? null, row: row_without_timestamp ?? null },
      {
        columns: [...cells.keys()],
        row: [...cells.values()].slice(1),
      },
    );
  },
  samples_csv: (vector) => {
    const rows = [sampleColumns, ...loggedResults(vector).map(sampleCells)];
    return compare(vector.rows, rows as Json);
  },
  samples_jsonl: (vector) =>
    compare(
      vector.lines,
      loggedResults(vector).map((result) => JSON.parse(sampleJsonLine(result)) as Json),
    ),
};

/** The two results that the logs were written for: a miss, and a hit without a verdict. */
function loggedResults(vector: JsonObject): LoggedResult[] {
  const compat = textAt(vector, 'commit') as GqaCompat;
  const [first, second] = build(syntheticSamples, { compat, chunkSource: 'semantic' });
  if (!first || !second) throw new Error('there are six synthetic samples');
  return [
    {
      prompt: first,
      hit_source: null,
      latency: 0.25,
      response: 'red',
      is_correct: true,
      statuses: { kv_cache: 'miss', exact_text: 'miss' },
    },
    {
      prompt: second,
      hit_source: 'text:exact',
      latency: 0,
      response: 'blue',
      is_correct: null,
      statuses: { kv_cache: 'hit', exact_text: 'hit' },
    },
  ];
}

async function simulate(vector: JsonObject, folder: string): Promise<JsonObject> {
  const compat = textAt(vector, 'commit') as GqaCompat;
  const samples = vector.dataset === 'synthetic' ? syntheticSamples : simulationSamples(folder);
  const prompts = build(samples, { compat, chunkSource: textAt(vector, 'chunk_source') });
  const layers = await layersOf(vector, { prompts, compat });
  const responses = objectAt(vector, 'model_responses');
  const stored = new Map<number, string>();
  const aggregate = new Aggregate();
  const generated: string[] = [];
  const steps: Json[] = [];
  const cached = prompts.map(({ chunk_text, image_id }) => ({
    chunkText: chunk_text,
    imageId: String(image_id),
  }));
  for (const step of new CacheSimulation(cached, layers).run()) {
    const prompt = prompts[step.sample] as GqaPrompt;
    const id = String(prompt.dataset_id);
    const isReused = step.from !== null && layers.backend === 'model-router';
    const response = String(isReused ? stored.get(step.from ?? -1) : responses[id]).trim();
    if (!isReused) generated.push(id);
    stored.set(step.sample, response);
    const is_correct = holdsReference(prompt.reference, response);
    aggregate.add({ hit_source: step.source, latency: null, is_correct });
    const from = step.from === null ? undefined : prompts[step.from];
    steps.push({
      dataset_id: id,
      chunk_text: prompt.chunk_text,
      hit_source: step.source,
      hit_from: from ? String(from.dataset_id) : null,
      score: step.score === null ? null : Number(step.score.toFixed(5)),
      statuses: statusesOf(step, {
        layers,
        hasKey: exactKey(prompt.chunk_text, compat) !== '',
      }),
      response,
      is_correct,
    });
  }
  const { total_prompts, cache_hits, cache_hit_rate, answer_accuracy, hit_breakdown } =
    aggregate.totals;
  const aggregates = { total_prompts, cache_hits, cache_hit_rate, answer_accuracy, hit_breakdown };
  return { generated_for: generated, steps, aggregates };
}

/** What the cache of a dry run does for the second of two equal prompts, by embedding alone. */
async function secondOfTwo(compat: GqaCompat): Promise<JsonObject> {
  const prompts = build(syntheticSamples.slice(0, 2), { compat, chunkSource: 'semantic' });
  const layers = await layersOf(
    { embedding_layers: ['prompt:32:0.9'], backend: 'semantic-kv' },
    { prompts, compat },
  );
  const cached = prompts.map(() => ({ chunkText: '', imageId: '' }));
  const [, step] = new CacheSimulation(cached, layers).run();
  if (!step) throw new Error('there are two samples');
  return { hit: step.source, statuses: statusesOf(step, { layers, hasKey: false }) };
}

interface Built {
  readonly prompts: readonly GqaPrompt[];
  readonly compat: GqaCompat;
}

async function layersOf(vector: JsonObject, { prompts, compat }: Built): Promise<CacheLayers> {
  const options = { signal: new AbortController().signal };
  const encode = async (texts: string[], dims: number) =>
    embedTexts(texts, { embedder: hashingEncoder(dims, compat), dims, ...options });
  const embedding: LayerVectors[] = [];
  for (const text of listAt(vector, 'embedding_layers')) {
    const { name, dims, threshold } = parseOriginalLayer(String(text));
    const texts = prompts.map(({ prompt, image_id }) =>
      name === 'vision' ? pyStr(String(image_id)) : prompt,
    );
    embedding.push({ name, threshold, ...(await encode(texts, dims)) });
  }
  const chunks = prompts.map(({ chunk_text }) => chunk_text);
  return {
    exact: vector.exact_text === true,
    embedding,
    semantic:
      vector.semantic_text === true
        ? {
            name: 'semantic',
            threshold: Number(vector.similarity_threshold),
            ...(await encode(chunks, 32)),
          }
        : undefined,
    compat,
    backend: textAt(vector, 'backend') as 'model-router',
  };
}

function build(
  samples: readonly GqaSample[],
  options: { readonly compat: GqaCompat; readonly chunkSource: string },
): GqaPrompt[] {
  const fill = compileTemplate(defaultTemplate, options);
  return samples.map((sample) => buildPrompt(sample, { fill, ...options }));
}

function simulationSamples(folder: string): readonly GqaSample[] {
  const file = JSON.parse(readFileSync(join(folder, 'sim-samples.json'), 'utf8')) as JsonObject;
  return listAt(file, 'samples') as readonly GqaSample[];
}
