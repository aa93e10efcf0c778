import { CompatError } from '../../src/python/compat-error.ts';
import { toPython } from '../../src/python/convert.ts';
import { pyStr } from '../../src/python/repr.ts';
import { Aggregate, type CountedResult } from '../../src/suites/gqa/cache-study/aggregate.ts';
import { exactKey } from '../../src/suites/gqa/cache-study/exact-key.ts';
import type { GqaCompat } from '../../src/suites/gqa/compat.ts';
import { buildPrompt } from '../../src/suites/gqa/prompts/build-prompt.ts';
import { renderChunkText } from '../../src/suites/gqa/prompts/chunk-text.ts';
import {
  imagePlaceholder,
  withImagePlaceholder,
} from '../../src/suites/gqa/prompts/image-placeholder.ts';
import { compileTemplate } from '../../src/suites/gqa/prompts/prompt-template.ts';
import {
  givenImagePath,
  gqaImagePath,
  imageConfigName,
} from '../../src/suites/gqa/samples/image-files.ts';
import { firstExchange, llavaSamples } from '../../src/suites/gqa/samples/llava.ts';
import type { GqaSample } from '../../src/suites/gqa/samples/sample.ts';
import { selectSamples } from '../../src/suites/gqa/samples/select-samples.ts';
import { syntheticSamples } from '../../src/suites/gqa/samples/synthetic.ts';
import { holdsReference, matchesReferences } from '../../src/suites/gqa/scoring/answers.ts';
import { judgePrompt, readVerdict } from '../../src/suites/gqa/scoring/judge.ts';
import { parseOriginalLayer } from '../../src/suites/gqa/settings/embedding-layer.ts';
import { originalCommand } from '../../src/suites/gqa/settings/experiment2-command-line.ts';
import { cacheBytes, slug } from '../../src/suites/gqa/settings/experiment2-names.ts';
import { originalExperiment } from '../../src/suites/gqa/settings/experiment2-settings.ts';
import { builtInPresets } from '../../src/suites/gqa/settings/presets.ts';
import { settingsRow } from '../../src/suites/gqa/settings/settings-row.ts';
import { compare } from './compare.ts';
import { parseOriginalArguments } from './gqa-arguments.ts';
import type { Handler, Handlers } from './handler.ts';
import { isObject, type Json, type JsonObject, listAt, objectAt, textAt } from './json.ts';

type Run = (input: JsonObject, compat: GqaCompat) => unknown;

const runs: Readonly<Record<string, Run>> = {
  format_prompt: (input, compat) =>
    compileTemplate(textAt(input, 'template'), { compat })(objectAt(input, 'sample')),
  render_chunk_text: (input) => renderChunkText(objectAt(input, 'sample'), textAt(input, 'mode')),
  build_prompts: (input, compat) => buildAll(samplesAt(input, 'dataset'), input, compat),
  build_synthetic_prompts: (input, compat) => buildAll(syntheticSamples, input, compat),
  build_llava_records: (input) => llavaSamples(samplesAt(input, 'dataset')),
  extract_llava_qa: (input) => firstExchange(listAt(input, 'conversations')) ?? null,
  hf_dataset_shuffle: (input) => select({ ...input, limit: null }, 'numpy'),
  load_video_frames_dataset: (input) => {
    const frames = select(input, 'cpython');
    return frames.map((frame) => `unscrew_bottle_cap_frame_${String(frame + 1).padStart(4, '0')}`);
  },
  gqa_image_cache_path: ({ root, image_id }) => gqaImagePath(String(root), String(image_id)),
  gqa_image_config_name: ({ config }) => imageConfigName(String(config)),
  ensure_image_placeholder: ({ prompt, placeholder }) =>
    withImagePlaceholder(String(prompt), String(placeholder)),
  default_image_placeholder: ({ model }) => imagePlaceholder(model as string | null),
  parse_args: (input, compat) =>
    parseOriginalArguments(listAt(input, 'argv') as readonly string[], compat),
  presets: () =>
    Object.fromEntries(
      Object.entries(builtInPresets).map(([name, { description, settings }]) => [
        name,
        { description, ...settings },
      ]),
    ),
  experiment_spec: ({ row, defaults = null }, compat) =>
    settingsRow(originalExperiment(row, { defaults, compat }), compat),
  build_command: ({ row, log_file, samples_dir, cache_mode }, compat) =>
    originalCommand(originalExperiment(row, { defaults: null, compat }), {
      compat,
      cacheMode: cache_mode as 'dry-run',
      logFile: log_file as string | null,
      samplesFolder: samples_dir as string | null,
    }),
  parse_embedding_layer_spec: (input) => {
    const { name, dims, threshold } = parseOriginalLayer(textAt(input, 'spec'));
    return { name, dim: dims, similarity_threshold: threshold };
  },
  slug: (input) => slug(textAt(input, 'value')),
  gb_to_bytes: ({ gb }) => cacheBytes(gb as number | null),
  exact_normalize: (input, compat) => exactKey(textAt(input, 'text'), compat),
  answer_matches: ({ reference, generated }) =>
    holdsReference(reference as string | null, String(generated)),
  'text_utils.answer_matches': ({ reference, generated }) =>
    matchesReferences([reference ?? null].flat() as (string | null)[], String(generated)),
  aggregate_results: (input) => {
    const aggregate = new Aggregate();
    for (const result of listAt(input, 'results'))
      aggregate.add(result as unknown as CountedResult);
    return aggregate.totals;
  },
  'regrader.prompt': ({ question, reference, response }) =>
    judgePrompt({
      question: String(question),
      reference: String(reference),
      response: String(response),
    }),
  'regrader.normalize_label': ({ label }) => readVerdict(label as string | null),
};

/** The parts of the vision-caching program, one function each. */
export const gqaHandlers: Handlers = Object.fromEntries(
  Object.entries(runs).map(([kind, run]): [string, Handler] => [
    kind,
    (vector) => {
      const { ok, error } = vector;
      const expected: JsonObject = error === undefined ? { ok: ok ?? null } : { error };
      return compare(normalize(expected, kind), normalize(observe(vector, run), kind));
    },
  ]),
);

function observe(vector: JsonObject, run: Run): JsonObject {
  try {
    const result = run(objectAt(vector, 'input'), textAt(vector, 'commit') as GqaCompat);
    return { ok: result as Json };
  } catch (error) {
    if (!(error instanceof CompatError)) throw error;
    return { error: error.pythonType };
  }
}

/** The order of what a command deletes is not stable in the original. */
function normalize(result: JsonObject, kind: string): JsonObject {
  if (kind !== 'build_command' || typeof result.ok !== 'string') return result;
  const parts = result.ok.split(' && ');
  const isDeletion = (part: string) => part.startsWith('rm -rf ');
  return {
    ok: [...parts.filter(isDeletion).sort(), ...parts.filter((part) => !isDeletion(part))],
  };
}

function buildAll(samples: readonly GqaSample[], input: JsonObject, compat: GqaCompat): unknown {
  const fill = compileTemplate(textAt(input, 'template'), { compat });
  const chunkSource = textAt(input, 'chunk_source');
  const paths = objectAt(input, 'image_paths');
  return samples.map((sample) => {
    const found = paths[pyStr(toPython(sample.imageId))] as string | undefined;
    const given = found ?? givenImagePath(sample);
    const built = buildPrompt(sample, { fill, chunkSource, image: given, compat });
    const { image = null, ...rest } = built;
    return compat === '48bab23' ? { ...rest, image_path: image } : rest;
  });
}

function samplesAt(input: JsonObject, key: string): readonly GqaSample[] {
  return listAt(input, key).filter(isObject);
}

function select(input: JsonObject, generator: 'numpy' | 'cpython'): number[] {
  const rows = Array.from({ length: Number(input.n) }, (_, index) => index);
  const [maxSamples, shuffleSeed] = [input.limit, input.seed] as (number | null)[];
  return selectSamples(rows, { maxSamples, shuffleSeed, generator });
}
