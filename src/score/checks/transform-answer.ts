import { CostLimitError, JudgeError, TypecaseError } from '../../errors.ts';
import type { WireToolCall } from '../../prompt/tool-call.ts';
import type { Row } from '../../prompt/values.ts';
import { thrownText, unscored } from '../row-score.ts';
import type { AnswerFacts, RowScore, ScoreInput } from '../scorer.ts';
import { verbatimReply } from '../split-thought.ts';
import { brokenCheck } from './check-results.ts';
import type { BuiltCheck } from './name-checks.ts';
import { readJson } from './same-json.ts';

/** Changes an answer before a check looks at it, at once or later. */
export type TransformFunction = (
  answer: string,
  input: { readonly row: Row; readonly messages: AnswerFacts['messages'] },
) => unknown;

/** What checks see in place of an answer. */
export interface AnswerChanges {
  readonly transforms?: ReadonlyMap<string, TransformFunction> | undefined;
  /** Checks of text and transforms see the tool calls of an answer, as `outputOf` has them. */
  readonly callsAsAnswer?: boolean | undefined;
  /** Checks and transforms see the reply as it came. */
  readonly seesWhole?: boolean | undefined;
}

/** What checks look at. */
export function seen(input: ScoreInput, { seesWhole }: AnswerChanges): ScoreInput {
  return seesWhole ? { ...input, answer: verbatimReply(input.answer) } : input;
}

/**
 * What promptfoo takes for the answer: what a function gave that is no text; the tool calls, or the
 * whole message where it has text beside them.
 */
export function outputOf(
  text: string,
  { object, toolCalls }: Pick<AnswerFacts, 'object' | 'toolCalls'>,
): unknown {
  if (object) return readJson(text)?.value ?? text;
  if (toolCalls.length === 0) return text;
  const tool_calls = toolCalls.map(
    (call, index): WireToolCall => ({
      id: call.id ?? `call_${index}`,
      type: 'function',
      function: {
        name: call.name,
        arguments:
          typeof call.arguments === 'string'
            ? call.arguments
            : JSON.stringify(call.arguments ?? {}),
      },
    }),
  );
  return text === '' ? tool_calls : { role: 'assistant', content: text, tool_calls };
}

/** The text of what is taken for an answer; nothing of what JSON does not have. */
export function outputText(output: unknown): string | undefined {
  return typeof output === 'string' ? output : JSON.stringify(output);
}

interface Scoring {
  readonly signal: AbortSignal;
  readonly stop: AbortSignal;
  readonly settings: AnswerChanges;
}

/** Scores what the transforms of a check make of the answer; one that throws fails the check. */
export async function scoreChanged(
  check: BuiltCheck,
  input: ScoreInput,
  { settings: { transforms, callsAsAnswer, seesWhole }, ...scoring }: Scoring,
): Promise<RowScore> {
  const { row, facts, answer } = input;
  // A function is given the calls beside the text.
  const isText = check.component.type === 'function' || facts === undefined;
  const { toolCalls = [], object } = facts ?? {};
  const beside = {
    toolCalls: callsAsAnswer ? toolCalls : [],
    object: seesWhole ? object : undefined,
  };
  let made: unknown = isText ? answer.answer : outputOf(answer.answer, beside);
  if (check.transforms.length === 0 && made === answer.answer)
    return scoreCheck(check, input, scoring);
  let text: string | undefined;
  try {
    for (const name of check.transforms) {
      const transform = transforms?.get(name);
      if (!transform) return unscored(`${brokenCheck}${check.name}: no transform \`${name}\``);
      made = await transform(made as string, { row, messages: facts?.messages ?? [] });
    }
    text = outputText(made);
    if (text === undefined || made === null) throw new Error('it gave nothing');
  } catch (error) {
    if (scoring.signal.aborted || TypecaseError.isInstance(error)) throw error;
    const reason = `the transform threw: ${thrownText(error)}`;
    return { type: 'scored', value: 0, isRight: false, ...nothingRead, detail: reason };
  }
  const changed = {
    raw: text,
    answer: text,
    ...(answer.isVerbatim && { isVerbatim: true as const }),
  };
  return scoreCheck(check, { ...input, answer: changed }, scoring);
}

const nothingRead = { extracted: '', compared: { got: '', want: '' } };

async function scoreCheck(
  { scorer, name }: BuiltCheck,
  { replies, ...input }: ScoreInput,
  { signal, stop }: { readonly signal: AbortSignal; readonly stop: AbortSignal },
): Promise<RowScore> {
  try {
    const given = scorer.judge && replies && replies.length > 0 ? { ...input, replies } : input;
    return scorer.scoreLater ? await scorer.scoreLater(given, signal, stop) : scorer.score(given);
  } catch (error) {
    const isEnded = signal.aborted || (stop.aborted && error === stop.reason);
    if (isEnded || error instanceof JudgeError || error instanceof CostLimitError) throw error;
    return unscored(`${brokenCheck}${name}: ${thrownText(error)}`);
  }
}
