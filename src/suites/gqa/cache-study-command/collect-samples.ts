import { pyStr } from '../../../python/repr.ts';
import type { GqaCompat } from '../compat.ts';
import { makePrompts } from '../prompts/make-prompts.ts';
import { firstOf } from '../samples/sample.ts';
import type { Experiment } from '../settings/open-experiments.ts';

/** What a study needs of all samples, column by column. */
export interface StudySamples {
  readonly ids: string[];
  /** The row of the data that each sample comes from. */
  readonly rows: number[];
  readonly prompts: string[];
  readonly chunkTexts: string[];
  readonly imageIds: string[];
  /** The file of each image, if one was found. */
  readonly images: (string | undefined)[];
  /** The short answer, or else the full one; empty if there is none. */
  readonly answers: string[];
}

export async function collectSamples(
  experiment: Experiment,
  compat: GqaCompat | undefined,
): Promise<StudySamples> {
  const samples: StudySamples = {
    ids: [],
    rows: [],
    prompts: [],
    chunkTexts: [],
    imageIds: [],
    images: [],
    answers: [],
  };
  await experiment.placing(async () => {
    for await (const made of makePrompts(experiment, { compat })) {
      const columns = { id: made.dataset_id, image: made.image_id };
      samples.ids.push(pyStr(firstOf(columns, 'id')));
      samples.imageIds.push(pyStr(firstOf(columns, 'image')));
      samples.rows.push(made.row);
      samples.images.push(made.image);
      samples.prompts.push(made.prompt);
      samples.chunkTexts.push(made.chunk_text);
      samples.answers.push(
        pyStr(firstOf({ answer: made.answer, full: made.full_answer }, 'answer', 'full')),
      );
    }
  });
  return samples;
}
