import * as z from 'zod';
import { countOf } from '../../base/format.ts';
import { patternMatcher } from '../../base/match-pattern.ts';
import { ConfigError, formatPath } from '../../errors.ts';
import { toPlain } from '../../prompt/mapping.ts';
import { formatValue } from '../../prompt/values.ts';
import { strictMapping } from '../../schema/strict-mapping.ts';
import { componentType } from '../component/component.ts';
import { amount, nonEmptyText, oneOfNames, texts, trueOrFalse } from '../component/option-kinds.ts';
import { extractAnswer } from '../create-scorer.ts';
import type { EmbedTexts, ScoringParts } from '../evaluators/scoring-parts.ts';
import { compilePattern } from '../extract/postprocessors.ts';
import { scanJson } from '../extract/scan-json.ts';
import { trimmed } from '../extract/text-extractors.ts';
import { isMissing, noGold, unscored, unusableScores } from '../row-score.ts';
import type { AnswerFacts, RowScore, ScoreInput, Scorer } from '../scorer.ts';
import { isRefusal } from './refusal.ts';
import { holdsJson, isSameJson, readJson } from './same-json.ts';
import { compileSchema, isSchema, type JsonSchema } from './schema-validator.ts';

/** What a test of an answer found: how good it is, and why it is not better. */
interface Tested {
  readonly value: number;
  readonly reason?: string | undefined;
  readonly got?: string | undefined;
  readonly want?: string | undefined;
}

type Test = (text: string, input: ScoreInput) => Tested | (RowScore & { type: 'unscored' });

const traits = { metric: 'accuracy', direction: 'higher', range: [0, 1] } as const;

/** A scorer that tests the text of an answer, be it empty, unless it is told that it needs one. */
function textTest(
  { extractorsOf }: ScoringParts,
  test: Test,
  { readsEmpty = true }: { readonly readsEmpty?: boolean } = {},
): Scorer {
  return {
    ...traits,
    score(input) {
      const extractors = extractorsOf?.(input.row) ?? [trimmed];
      const extracted = extractAnswer(input, extractors, { readsEmpty });
      if (extracted.type === 'unscored') return extracted;
      return scored(test(extracted.value, input), extracted.value);
    },
  };
}

/** A scorer that tests what is known of an answer beside its text. */
function factsTest(
  test: (facts: AnswerFacts) => Tested | (RowScore & { type: 'unscored' }),
): Scorer {
  return {
    ...traits,
    readsFacts: true,
    score({ facts, answer }) {
      if (!facts) return unscored('only the text of the answer is known');
      return scored(test(facts), answer.answer.trim());
    },
  };
}

function scored(tested: Tested | (RowScore & { type: 'unscored' }), extracted: string): RowScore {
  if ('type' in tested) return tested;
  const { value, reason, got = extracted, want = '' } = tested;
  return {
    type: 'scored',
    value,
    extracted,
    compared: { got, want },
    ...(reason !== undefined && { detail: reason }),
  };
}

function rightIf(isRight: boolean, reason: () => string, want?: string): Tested {
  return {
    value: Number(isRight),
    ...(want !== undefined && { want }),
    ...(!isRight && { reason: reason() }),
  };
}

/** A text as a reason quotes it. */
function quote(text: string): string {
  const short = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  return JSON.stringify(short);
}

const anyValue = z
  .custom<unknown>((value) => value !== undefined, { error: 'a value' })
  .meta({})
  .optional()
  .describe('What to expect; the gold answer of the row by default');

const ignoreCase = trueOrFalse.optional().describe('Ignores case');

/** What is wanted of an answer: what the check names, or the right answer. */
function wantedBy(
  value: unknown,
  { cleanGold = (gold) => gold }: ScoringParts,
): (input: ScoreInput) => unknown {
  if (value !== undefined) return () => value;
  return ({ gold, row }) => cleanGold(gold, row);
}

interface TextWanted {
  readonly value?: unknown;
  readonly ignore_case?: boolean | undefined;
}

/** A test of an answer against one or more texts; what the check names itself may be empty. */
function wantedTexts(
  { value, ignore_case: folds }: TextWanted,
  parts: ScoringParts,
  test: (text: string, wants: readonly string[], input: ScoreInput) => Tested,
): Scorer {
  const wanted = wantedBy(value, parts);
  const fold = (text: string) => (folds ? text.toLowerCase() : text);
  const isWritten = typeof value === 'string';
  const testText: Test = (text, input) => {
    const want = wanted(input);
    // Where white space counts it may be all that is wanted.
    if (isMissing(want) && !isWritten && !(input.answer.isVerbatim && want))
      return unscored(noGold);
    const wants = (Array.isArray(want) ? want : [want]).map(formatValue);
    return { want: wants.join(' | '), ...test(fold(text), wants.map(fold), input) };
  };
  return textTest(parts, testText, { readsEmpty: !isMissing(value) || isWritten });
}

const schemaValue = z.custom<JsonSchema>(isSchema, { error: 'a JSON Schema' });

const anywhere = trueOrFalse
  .optional()
  .describe('Uses the last JSON object in the answer and ignores the text around it');

/** The JSON of an answer: all of it, or with `anywhere` the last object in it; a number alone is none. */
function jsonOf(text: string, isAnywhere = false): { readonly value: unknown } | undefined {
  const whole = readJson(text);
  if (!isAnywhere) return whole;
  if (typeof whole?.value === 'object' && whole.value !== null) return whole;
  const last = scanJson(text).objects.at(-1);
  return last && readJson(text.slice(last.start, last.end));
}

function noJson(text: string, isAnywhere = false): string {
  return isAnywhere ? 'it contains no JSON object' : `it is not JSON: ${quote(text)}`;
}

const embedderOptions = strictMapping({
  base_url: nonEmptyText.optional().describe('Address of an embeddings endpoint'),
  model: nonEmptyText.optional().describe('The model name to send to it'),
  path: nonEmptyText.optional().describe('Folder of a local encoder'),
  api_key_env: nonEmptyText.optional().describe('Environment variable that holds the API key'),
  batch_size: z.int().positive().optional().describe('Maximum texts per request'),
}) as unknown as z.ZodType<Readonly<Record<string, unknown>>>;

const lengthUnits = ['characters', 'words', 'lines'] as const;

function lengthIn(text: string, unit: (typeof lengthUnits)[number]): number {
  if (unit === 'characters') return [...text].length;
  if (unit === 'lines') return text.split(/\r?\n/).length;
  return text.split(/\s+/).filter((word) => word !== '').length;
}

/** Evaluators that need no right answer, or are told what is wanted. */
export const checkEvaluators = {
  equals: componentType({
    summary: 'the answer is this text, or JSON equal to this value',
    options: { value: anyValue, ignore_case: ignoreCase },
    build: ({ value, ignore_case }, parts: ScoringParts) => {
      const isJson = typeof value === 'object' && value !== null;
      if (!isJson) {
        return wantedTexts({ value, ignore_case }, parts, (text, wants, { answer }) =>
          rightIf(
            wants.some((want) => text === (answer.isVerbatim ? want : want.trim())),
            () => `it is ${quote(text)}, not ${wants.map(quote).join(' or ')}`,
          ),
        );
      }
      return textTest(parts, (text) => {
        const found = jsonOf(text);
        const wanted = toPlain(value);
        return rightIf(
          found !== undefined && isSameJson(found.value, wanted),
          () =>
            found ? `it is ${quote(text)}, not ${quote(JSON.stringify(wanted))}` : noJson(text),
          JSON.stringify(wanted),
        );
      });
    },
  }),
  'contains-all': componentType({
    summary: 'the answer contains all of these texts',
    options: { value: anyValue, ignore_case: ignoreCase },
    build: (options, parts: ScoringParts) =>
      wantedTexts(options, parts, (text, wants) => {
        const missing = wants.filter((want) => !text.includes(want));
        return rightIf(
          missing.length === 0,
          () => `it does not contain ${missing.map(quote).join(', ')}`,
        );
      }),
  }),
  'starts-with': componentType({
    summary: 'the answer begins with this text',
    options: { value: anyValue, ignore_case: ignoreCase },
    build: (options, parts: ScoringParts) =>
      wantedTexts(options, parts, (text, wants) =>
        rightIf(
          wants.some((want) => text.startsWith(want)),
          () => `it begins with ${quote(text.slice(0, 40))}, not ${wants.map(quote).join(' or ')}`,
        ),
      ),
  }),
  matches: componentType({
    summary: 'the answer matches a pattern; no match is wrong',
    options: {
      pattern: nonEmptyText.describe('A regular expression, in JavaScript syntax'),
      flags: nonEmptyText.optional().describe('Its flags; `u` by default'),
    },
    build: ({ pattern, flags }, parts: ScoringParts, { path }) => {
      const match = patternMatcher(compilePattern(pattern, [...path, 'pattern'], flags));
      return textTest(parts, (text) =>
        rightIf(match(text) !== null, () => `it does not match /${pattern}/`, pattern),
      );
    },
  }),
  'is-json': componentType({
    summary: 'the answer is JSON and nothing else',
    options: { anywhere },
    build: (options, parts: ScoringParts) =>
      textTest(parts, (text) => {
        const found = jsonOf(text, options.anywhere);
        const isListAlone =
          options.anywhere && Array.isArray(found?.value) && scanJson(text).objects.length === 0;
        return rightIf(found !== undefined && !isListAlone, () => noJson(text, options.anywhere));
      }),
  }),
  'json-schema': componentType({
    summary: 'the answer is JSON that matches a JSON Schema',
    options: {
      schema: schemaValue.meta({}).describe('The JSON Schema, written in YAML or TypeScript'),
      anywhere,
    },
    build: ({ schema, anywhere: isAnywhere }, parts: ScoringParts, { path }) => {
      const plain = toPlain(schema) as JsonSchema;
      let faultsOf: ReturnType<typeof compileSchema> | undefined;
      return textTest(parts, (text) => {
        faultsOf ??= compileSchema(plain, [...path, 'schema']);
        const found = jsonOf(text, isAnywhere);
        if (!found) return rightIf(false, () => noJson(text, isAnywhere));
        const faults = faultsOf(found.value);
        return rightIf(faults.length === 0, () => faults.slice(0, 3).join('; '));
      });
    },
  }),
  similar: componentType({
    summary: 'the answer is close in meaning, by the similarity of embeddings',
    options: {
      value: anyValue,
      embedder: embedderOptions
        .meta({ type: 'object' })
        .optional()
        .describe(
          'The embedding model: `base_url` and `model` of an endpoint, or the `path` of an encoder',
        ),
    },
    build: ({ value, embedder }, parts: ScoringParts, { path }) => {
      const embed = parts.embedWith?.(embedder, [...path, 'embedder']);
      if (!embed) throw noEmbedder(path);
      return similarScorer(wantedBy(value, parts), embed, parts);
    },
  }),
  length: componentType({
    summary: 'the length of the answer is within bounds',
    options: {
      min: amount.optional().describe('Minimum'),
      max: amount.optional().describe('Maximum'),
      unit: oneOfNames(lengthUnits).optional().describe('What to count; characters by default'),
    },
    build: ({ min: least, max: most, unit = 'characters' }, parts: ScoringParts, { path }) => {
      if (least === undefined && most === undefined) throw noBounds(path);
      const [min, max] = [least ?? 0, most ?? Number.POSITIVE_INFINITY];
      if (min > max) throw emptyBounds(path, { min, max });
      return textTest(parts, (text) => {
        const length = lengthIn(text, unit);
        const isWithin = length >= min && length <= max;
        const bound = length < min ? `fewer than ${min}` : `more than ${max}`;
        return rightIf(isWithin, () => `it has ${countOf(length, unit.slice(0, -1))}, ${bound}`);
      });
    },
  }),
  latency: componentType({
    summary: 'the answer came in time',
    options: { max: amount.describe('Maximum milliseconds') },
    build: ({ max }) =>
      factsTest(({ latencyMs }) =>
        rightIf(latencyMs <= max, () => `it took ${latencyMs} ms, more than ${max} ms`),
      ),
  }),
  cost: componentType({
    summary: 'the answer cost no more than this, at the price of the model',
    options: { max: amount.describe('Maximum, in the currency of `price`') },
    build: ({ max }) =>
      factsTest(({ cost }) => {
        if (cost === null)
          return unscored(unusableScores.noCost, 'the model has no `price`, or reported no tokens');
        return rightIf(cost <= max, () => `it cost ${cost}, more than ${max}`);
      }),
  }),
  'tool-called': componentType({
    summary: 'the model called a tool, with at least these arguments',
    options: {
      tool: texts.optional().describe('The tool, or several that must all be called'),
      arguments: z
        .custom<object>((value) => typeof value === 'object' && value !== null, {
          error: 'a mapping of arguments',
        })
        .meta({ type: 'object' })
        .optional()
        .describe('Arguments that the call must have; others are allowed'),
      exactly: trueOrFalse.optional().describe('Allows no other tools and no other arguments'),
    },
    build: ({ tool: names, arguments: wanted, exactly }) =>
      factsTest((facts) => testCalls(facts, { names, wanted: toPlain(wanted), exactly })),
  }),
  refusal: componentType({
    summary: 'the model refuses to answer',
    build: () => ({
      ...traits,
      score: ({ answer, facts }: ScoreInput) => {
        const text = answer.answer.trim();
        const isCall = text === '' && (facts?.toolCalls.length ?? 0) > 0;
        const refuses = !isCall && isRefusal(text);
        return scored(
          rightIf(refuses, () => 'it does not refuse'),
          text,
        );
      },
      readsFacts: true,
    }),
  }),
};

function noBounds(path: readonly (string | number)[]): ConfigError {
  return new ConfigError(
    'config.missing_key',
    `${formatPath(path)} has no \`min\` and no \`max\``,
    {
      path,
      hint: 'Add one of them, or both: `{ type: length, max: 200 }`.',
    },
  );
}

function emptyBounds(
  path: readonly (string | number)[],
  { min, max }: { readonly min: number; readonly max: number },
): ConfigError {
  return new ConfigError(
    'config.conflicting_keys',
    `${formatPath(path)} has a \`min\` of ${min} above its \`max\` of ${max}: no answer can pass`,
    { path: [...path, 'min'], hint: 'Swap or change them.' },
  );
}

function noEmbedder(path: readonly (string | number)[]): ConfigError {
  return new ConfigError(
    'config.missing_key',
    `${formatPath(path)} has no \`embedder\`, or is used where no embedder can be asked`,
    { path, hint: 'Add `embedder: { base_url: …, model: … }`, and use `typecase run`.' },
  );
}

function similarScorer(
  wanted: (input: ScoreInput) => unknown,
  embed: EmbedTexts,
  { extractorsOf }: ScoringParts,
): Scorer {
  const similarity = async (text: string, want: string, signal: AbortSignal) => {
    const [one, other] = await embed([text, want], { signal });
    return one && other ? cosine(one, other) : 0;
  };
  return {
    ...traits,
    metric: 'similarity',
    score: () => unscored('not scored yet'),
    async scoreLater(input, signal) {
      const extracted = extractAnswer(input, extractorsOf?.(input.row) ?? [trimmed]);
      if (extracted.type === 'unscored') return extracted;
      const want = wanted(input);
      if (isMissing(want)) return unscored(noGold);
      const wants = (Array.isArray(want) ? want : [want]).map(formatValue);
      let value = 0;
      for (const one of wants) {
        value = Math.max(value, await similarity(extracted.value, one, signal));
      }
      const reason = `its similarity to ${quote(wants.join(' | '))} is ${value.toFixed(2)}`;
      return { ...scored({ value, want: wants.join(' | ') }, extracted.value), detail: reason };
    },
  };
}

function cosine(one: Float32Array, other: Float32Array): number {
  let [dot, left, right] = [0, 0, 0];
  for (const [index, value] of one.entries()) {
    const opposite = other[index] ?? 0;
    dot += value * opposite;
    left += value * value;
    right += opposite * opposite;
  }
  const product = Math.sqrt(left) * Math.sqrt(right);
  return product === 0 ? 0 : Math.min(1, Math.max(0, dot / product));
}

interface WantedCalls {
  readonly names?: readonly string[] | undefined;
  readonly wanted?: unknown;
  readonly exactly?: boolean | undefined;
}

function testCalls({ toolCalls }: AnswerFacts, { names, wanted, exactly }: WantedCalls): Tested {
  const called = toolCalls.map(({ name }) => name);
  const list = called.length === 0 ? 'no tool was called' : `called: ${called.join(', ')}`;
  const missing = (names ?? []).filter((name) => !called.includes(name));
  if (toolCalls.length === 0 || missing.length > 0) {
    const verb = missing.length > 1 ? 'were' : 'was';
    const what = missing.length > 0 ? `\`${missing.join('`, `')}\` ${verb} not called; ` : '';
    return rightIf(false, () => `${what}${list}`);
  }
  const other = exactly && names ? called.find((name) => !names.includes(name)) : undefined;
  if (other !== undefined) return rightIf(false, () => `\`${other}\` was also called`);
  const own = toolCalls.filter(({ name }) => !names || names.includes(name));
  const fits = (given: unknown) => (exactly ? isSameJson(given, wanted) : holdsJson(given, wanted));
  const isRight = wanted === undefined || own.some((call) => fits(call.arguments));
  return rightIf(isRight, () => {
    const given = own.map((call) => `${call.name}(${JSON.stringify(call.arguments)})`).join(', ');
    return `called ${given}, not with ${JSON.stringify(wanted)}`;
  });
}
