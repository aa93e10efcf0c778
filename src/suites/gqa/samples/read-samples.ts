import { openRows } from '../../../data/open-rows.ts';
import { ConfigError, DataError } from '../../../errors.ts';
import { entriesOf, getKey } from '../../../prompt/mapping.ts';
import type { NamedRow } from '../../../prompt/trace.ts';
import type { Row } from '../../../prompt/values.ts';
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
    if (settings.data !== null) throw takesNoData(settings.data);
    yield* numbered(selectSamples(syntheticSamples, { maxSamples: settings.max_samples }));
    return;
  }
  let isChecked = false;
  for await (const { id, row } of selectedRows(settings)) {
    if (!isChecked) checkRecord(row, settings);
    isChecked = true;
    const samples = settings.dataset === 'llava' ? llavaSamples([row]) : [row];
    for (const sample of samples) yield { row: Number(id), sample };
  }
}

/** The column without which a record is of another dataset. */
const marks = { gqa: 'question', video: 'question', llava: 'conversations' } as const;

/** Refuses data of another dataset, by its first record. */
function checkRecord(row: Row, { dataset, data }: Selected): void {
  if (dataset === 'synthetic' || getKey(row, marks[dataset]) !== undefined) return;
  const other = dataset === 'llava' ? 'gqa' : 'llava';
  const isOther = getKey(row, marks[other]) !== undefined;
  const columns = entriesOf(row).map(([key]) => `\`${String(key)}\``);
  throw new DataError(
    'gqa.wrong_data',
    `${data ?? 'The data'} has no records of \`${dataset}\`: there is no \`${marks[dataset]}\``,
    {
      hint: `${isOther ? `Use \`--dataset ${other}\`. ` : ''}The first record has ${columns.join(', ') || 'no columns'}.`,
    },
  );
}

function takesNoData(data: string): ConfigError {
  return new ConfigError(
    'gqa.wrong_data',
    `The dataset \`synthetic\` takes no data, but ${data} was given`,
    {
      hint: 'Omit the data, or choose another dataset.',
    },
  );
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
  throw new ConfigError('gqa.no_data', `The dataset \`${dataset}\` needs a data file`, {
    hint: 'Add `--data FILE`, or `data` to the spec.',
  });
}
