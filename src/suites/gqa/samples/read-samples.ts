import { openRows } from '../../../data/open-rows.ts';
import { ConfigError } from '../../../errors.ts';
import type { NamedRow } from '../../../prompt/trace.ts';
import type { GqaSettings } from '../settings/settings.ts';
import { llavaSamples } from './llava.ts';
import type { GqaSample } from './sample.ts';
import { selectSamples } from './select-samples.ts';
import { syntheticSamples } from './synthetic.ts';

export interface NumberedSample {
  /** The number of the row in the data that the sample comes from. */
  readonly row: number;
  readonly sample: GqaSample;
}

type Selected = Pick<
  GqaSettings,
  'dataset' | 'data' | 'dataset_config' | 'split' | 'max_samples' | 'shuffle_seed'
>;

/** Reads the samples of a dataset. They are read as they are needed, unless they are shuffled. */
export async function* readSamples(settings: Selected): AsyncGenerator<NumberedSample> {
  if (settings.dataset === 'synthetic') {
    yield* numbered(selectSamples(syntheticSamples, { maxSamples: settings.max_samples }));
    return;
  }
  for await (const { id, row } of selectedRows(settings)) {
    const samples = settings.dataset === 'llava' ? llavaSamples([row]) : [row];
    for (const sample of samples) yield { row: Number(id), sample };
  }
}

function* numbered(samples: readonly GqaSample[]): Generator<NumberedSample> {
  for (const [row, sample] of samples.entries()) yield { row, sample };
}

async function* selectedRows(settings: Selected): AsyncGenerator<NamedRow> {
  const { dataset, max_samples: maxSamples, shuffle_seed: shuffleSeed } = settings;
  const stream = await openRows(sourceOf(settings));
  if (shuffleSeed !== null && shuffleSeed >= 0) {
    const rows: NamedRow[] = [];
    for await (const batch of stream.batches()) rows.push(...batch);
    const generator = dataset === 'video' ? 'cpython' : 'numpy';
    yield* selectSamples(rows, { maxSamples, shuffleSeed, generator });
    return;
  }
  let left = maxSamples === null || maxSamples < 0 ? Number.POSITIVE_INFINITY : maxSamples;
  for await (const batch of stream.batches()) {
    for (const row of batch) {
      if (left-- <= 0) return;
      yield row;
    }
  }
}

/** Where the data is: what is given, or the hub. */
function sourceOf({ dataset, data, dataset_config, split }: Selected): string {
  if (data !== null) return data;
  if (dataset === 'gqa') return `hf://datasets/lmms-lab/GQA/${dataset_config}/${split}`;
  if (dataset === 'llava') {
    return 'hf://datasets/liuhaotian/LLaVA-Instruct-150K/llava_instruct_150k.json';
  }
  throw new ConfigError('gqa.no_data', `The dataset \`${dataset}\` needs a file of data`, {
    hint: 'Add `--data FILE`, or `data` to the spec.',
  });
}
