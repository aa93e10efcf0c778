import { askedHash, heldCharacters, promptText, shownPrompt } from '../../src/evaluation/asked.ts';
import { chooseNamed } from '../../src/evaluation/choose-named.ts';
import { unitsToCut } from '../../src/evaluation/cut-context.ts';
import { contextOf, countTokens, fitPrompt, fitPrompts } from '../../src/evaluation/fit-context.ts';
import { askForLabel, askInMessages } from '../../src/evaluation/generation-form/ask-for-label.ts';
import { promptHash, requestKey, rowHash, textHash, textsHash } from '../../src/evaluation/key.ts';
import { metricNamed } from '../../src/evaluation/known-metrics.ts';
import { tiesAt } from '../../src/evaluation/loglikelihood-inference.ts';
import { inferModeOf, turnCombiner } from '../../src/evaluation/multi-turn/combine-turns.ts';
import {
  answersIn,
  countTurns,
  dialogueSoFar,
  questionsIn,
  rowOfTurn,
} from '../../src/evaluation/multi-turn/turns-of-row.ts';
import { unsentMessages } from '../../src/evaluation/multi-turn/unsent-messages.ts';
import { combineParts, repeatMetrics, scoredTurns } from '../../src/evaluation/repeats.ts';
import { parseTemplate } from '../../src/prompt/parse-template.ts';
import { turnMedia } from '../../src/prompt/parts/turn-media.ts';
import type { Prompt } from '../../src/prompt/prompt.ts';
import type { Row } from '../../src/prompt/values.ts';

/** Parts of an evaluation: what comes of them for what they are given. */
export const evaluationCalls = {
  label: (template: unknown, asked: never) => [
    askForLabel(template, asked) ?? null,
    askInMessages(template, asked) ?? null,
  ],
  turns: (inferencer: object, parts: readonly never[]) => [
    inferModeOf(inferencer),
    turnCombiner(inferencer)(parts),
  ],
  /** What a dataset that is asked several times comes to. */
  repeats: (dataset: object, compat: never, parts: readonly never[]) => [
    repeatMetrics(dataset),
    scoredTurns(dataset, compat ?? undefined) ?? null,
    combineParts(dataset, { compat: compat ?? undefined, scorer: { isSame: areAlike } })?.(parts, {
      id: 3,
    }) ?? null,
  ],
  unsent(type: string, template: never, rows: readonly Row[]) {
    const parsed = parseTemplate(template, ['prompt_template']);
    const round = parsed.body.type === 'dialogue' ? parsed.body.round : [];
    const check = unsentMessages(type, { template: parsed, media: turnMedia(round) });
    return rows.map((row) => {
      try {
        return check(row) ?? 'sent';
      } catch (error) {
        return (error as Error).message;
      }
    });
  },
  chosen: (names: readonly string[], wanted: readonly string[] | null, kind: 'model' | 'dataset') =>
    chooseNamed(
      names.map((abbr) => ({ abbr })),
      wanted ?? undefined,
      kind,
    ),
  metric: (name: string, names: readonly string[]) =>
    metricNamed(name, names.map((one) => ({ name: one })) as never) ?? null,
  ties: (value: number, labels: readonly never[]) => tiesAt(value, labels),
  cut: (context: string, continuations: readonly string[], maxTokens: number) =>
    unitsToCut(context, continuations, { maxTokens, countTokens: ({ length }) => length }),
  /** A prompt of a beginning and so many examples, of which those that fit are kept. */
  fit(maxSeqLen: number | null, examples: readonly string[], answer: object, type: string) {
    const dataset = {
      inferCfg: { inferencer: { type, ...answer } },
      readerCfg: { inputColumns: [] },
    };
    const model = maxSeqLen === null ? undefined : { type: 'OpenAI', maxSeqLen };
    const fill = (shown: readonly number[]): Prompt => ({
      type: 'text',
      text: `begin ${shown.map((index) => examples[index]).join('')}`,
    });
    const all = examples.map((_, index) => index);
    return [undefined, (text: string) => [...text].map(() => 1)].map((encode) => {
      const context = contextOf(model as never, { dataset: dataset as never, encode });
      const asked = { row: {}, context };
      const two = (shown: readonly number[]) => [fill(shown), fill([...shown, ...shown])];
      return [fitPrompt(all, fill, asked), fitPrompts(all, two, asked), countTokens(fill(all))];
    });
  },
  keys: (prompt: Prompt, identity: string, row: Row) => [
    requestKey(JSON.stringify(prompt), identity),
    requestKey(JSON.stringify(prompt), identity, 1),
    promptHash(prompt),
    textHash(identity),
    textsHash([
      { text: identity, from: 0 },
      { text: 'x', from: 1 },
    ]),
    rowHash(row),
  ],
  asked: (asked: never) => [
    askedHash(asked),
    promptText(shownPrompt(asked)),
    heldCharacters(asked),
  ],
  said: (messages: readonly never[], turns: number) => [
    answersIn(messages, turns),
    questionsIn(messages, turns).map((one) => one ?? null),
  ],
  counted: (columns: readonly string[], row: Row, round: never) => [
    countTurns({ columns, ...(round ? { media: mediaOf(round) } : {}) }, { id: 4, row } as never),
    [0, 1].map((turn) => rowOfTurn(row, turn, 2)),
    dialogueSoFar(row, {
      turn: 1,
      turns: 2,
      outputColumn: 'a',
      answerOf: (turn) => `answer ${turn}`,
      questionOf: (turn) => `question ${turn}`,
    }),
  ],
};

function mediaOf(round: never) {
  const { body } = parseTemplate({ type: 'MMPromptTemplate', template: { round } }, []);
  return turnMedia(body.type === 'dialogue' ? body.round : []);
}

function areAlike(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
