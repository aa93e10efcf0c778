import { contentHash } from '../../base/content-hash.ts';
import { MediaLibrary } from '../../data/media/media-library.ts';
import type { MediaSettings } from '../../data/media/read-media.ts';
import { DataError } from '../../errors.ts';
import type { MediaPart } from '../../prompt/parts/content.ts';
import { spreadMedia } from '../../prompt/parts/turn-media.ts';
import { elementAt } from '../../prompt/turns.ts';
import type { Row } from '../../prompt/values.ts';
import type { ScorerJudge } from '../../score/scorer.ts';
import type { CompositeInference, PartRequest } from '../inference.ts';
import type { EvaluationPrompts } from '../prompt-setup.ts';

export interface JudgedMedia {
  readonly prompts: EvaluationPrompts;
  /** What the judge may be shown of a row, by its hashes; known once the row was prepared. */
  readonly seenOf: (row: Row) => string;
}

export interface JudgeMediaSettings {
  readonly judge: ScorerJudge;
  readonly settings: MediaSettings;
  readonly inputColumns: readonly string[];
}

/** Prompts of a task whose judge is shown media: each turn has its own, and what they hold is known. */
export function withJudgeMedia(
  prompts: EvaluationPrompts,
  { judge, settings, inputColumns }: JudgeMediaSettings,
): JudgedMedia {
  const seen = new WeakMap<Row, string>();
  const ofMedia = judge.media.parts.flatMap((part) => part.columns);
  // Media are columns of the input as well, and no texts that could mark places.
  const texts = inputColumns.filter((column) => !ofMedia.includes(column));
  const media = { ...judge.media, texts: [...new Set([...judge.media.texts, ...texts])] };
  const library = new MediaLibrary(settings);
  const note = (row: Row, parts: readonly MediaPart[]) =>
    seen.set(row, contentHash(parts.map((part) => heldBy(part, library))));
  return {
    seenOf: (row) => seen.get(row) ?? '',
    prompts: {
      ...prompts,
      dialogue: prompts.dialogue && withTurnMedia(prompts.dialogue, media),
      async prepare(rows) {
        await prompts.prepare?.(rows);
        const shown = rows.map(({ row }) => ({ row, parts: mediaOf(judge, row) }));
        await library.look(shown.flatMap(({ parts }) => parts));
        for (const { row, parts } of shown) note(row, parts);
      },
    },
  };
}

function mediaOf(judge: ScorerJudge, row: Row): readonly MediaPart[] {
  try {
    return judge.mediaOf(row);
  } catch (error) {
    if (error instanceof DataError) return [];
    throw error;
  }
}

/** What cannot be read is told when the judge is asked. */
function heldBy(part: MediaPart, library: MediaLibrary): unknown {
  try {
    const { content, source, form } = library.settle(part);
    return [content?.sha256 ?? source, form?.part ?? null];
  } catch (error) {
    if (error instanceof DataError) return error.message;
    throw error;
  }
}

function withTurnMedia(
  dialogue: CompositeInference,
  media: ScorerJudge['media'],
): CompositeInference {
  const columns = media.parts.flatMap((part) => part.columns);
  const give = <Part extends PartRequest>(whole: Row, part: Part): Part => {
    if (!part.dialogue) return part;
    const { before } = part.dialogue;
    const asked = media.texts.map((name) => whole[name]).find(Array.isArray);
    const spread = spreadMedia(whole, media, asked?.length ?? before.length + 1);
    const ofTurn = (row: Row, turn: number): Row => ({
      ...row,
      ...Object.fromEntries(columns.map((name) => [name, elementAt(spread[name], turn) ?? []])),
    });
    return {
      ...part,
      row: ofTurn(part.row, before.length),
      dialogue: {
        ...part.dialogue,
        before: before.map((turn, index) => ({ ...turn, row: ofTurn(turn.row, index) })),
      },
    };
  };
  return {
    ...dialogue,
    next: ({ row, ...query }, answers) =>
      dialogue.next({ row, ...query }, answers).map((part) => give(row, part)),
    traceNext: ({ row, ...query }, answers) =>
      dialogue.traceNext({ row, ...query }, answers).map((part) => give(row, part)),
  };
}
