import type { GqaSample } from './sample.ts';

/** Six samples that show each way in which a cache can hit. They bring their own chunk texts. */
export const syntheticSamples: readonly GqaSample[] = [
  ...['exact-1', 'exact-2'].map((id) =>
    sample(id, {
      question: 'What color is the test apple?',
      answer: 'red',
      chunk: 'exact-match-key',
    }),
  ),
  sample('semantic-1', {
    question: 'Describe the colorful bus.',
    answer: 'It is bright red.',
    chunk: 'A bright red bus is parked beside the station.',
  }),
  sample('semantic-2', {
    question: 'Describe the colorful bus driving by.',
    answer: 'It is bright red.',
    chunk: 'A bright red bus is parked beside the station!!!',
  }),
  ...['1', '2'].map((number) =>
    sample(`embedding-${number}`, {
      imageId: 'embed-image',
      question: 'Is the synthetic triangle pointing up?',
      answer: 'yes',
      chunk: `embedding-control-key-${number}`,
    }),
  ),
];

interface Content {
  readonly imageId?: string;
  readonly question: string;
  readonly answer: string;
  readonly chunk: string;
}

function sample(
  id: string,
  { imageId = 'synthetic-image', question, answer, chunk }: Content,
): GqaSample {
  return {
    id,
    imageId,
    question,
    answer,
    fullAnswer: answer,
    groups: {},
    semantic: [],
    semanticStr: '',
    _chunk_override: chunk,
    _metadata: { expected_hit: id.replace(/-\d$/, '') },
  };
}
