import { getKey, isMapping } from '../../../prompt/mapping.ts';
import { pyStr } from '../../../python/repr.ts';
import { stripText } from '../../../python/text.ts';
import { type GqaSample, valueAt } from './sample.ts';

/**
 * Turns records of LLaVA-Instruct into samples: the first question that a person asks, and the
 * answer to it. Conversations without both are left out.
 */
export function llavaSamples(records: readonly GqaSample[]): GqaSample[] {
  return records.flatMap((record) => {
    const conversations = getKey(record, 'conversations') ?? [];
    const pair = firstExchange(Array.isArray(conversations) ? conversations : []);
    if (!pair) return [];
    const [question, answer] = pair;
    const image = valueAt(record, 'image');
    return {
      id: pyStr(valueAt(record, 'id')),
      imageId: image,
      question,
      answer,
      fullAnswer: answer,
      groups: {},
      semanticStr: '',
      semantic: [],
      _metadata: { source: 'llava_instruct_150k', image, conversations },
    };
  });
}

/** The first question without its image marks, and what was answered next, or else last before. */
export function firstExchange(
  turns: readonly unknown[],
): [question: string, answer: string] | undefined {
  const said = turns.map((turn) => ({
    speaker: textAt(turn, 'from').toLowerCase(),
    text: textAt(turn, 'value'),
  }));
  const asked = said.findIndex(
    ({ speaker, text }) => speaker === 'human' && withoutImages(text) !== '',
  );
  if (asked < 0) return undefined;
  const isAnswer = ({ speaker }: { speaker: string }) => speaker === 'gpt';
  const answered = said.slice(asked).find(isAnswer) ?? said.slice(0, asked).findLast(isAnswer);
  const answer = stripText(answered?.text ?? '');
  return answer === '' ? undefined : [withoutImages(said[asked]?.text ?? ''), answer];
}

function withoutImages(text: string): string {
  return stripText(text.replaceAll('<image>', ''));
}

function textAt(turn: unknown, key: string): string {
  const value = isMapping(turn) ? getKey(turn, key) : undefined;
  return typeof value === 'string' ? value : '';
}
