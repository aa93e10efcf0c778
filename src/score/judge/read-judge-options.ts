import { ConfigError, type ConfigPath, formatPath } from '../../errors.ts';
import { isMapping } from '../../prompt/mapping.ts';
import type { TemplateConfig } from '../../prompt/template.ts';
import type { Row } from '../../prompt/values.ts';
import {
  anyValue,
  locateOne,
  missingOption,
  nonEmptyText,
  type OptionReader,
  readOptions,
  unknownType,
} from '../component-options.ts';
import { isMissing } from '../scorer.ts';
import { describeVerdict, readVerdict, type Verdict } from './verdict.ts';

/** A template as `prompt_template` takes it, or only what stands in it. */
export const template: OptionReader<TemplateConfig> = {
  expected: 'a text, a dialogue with `round`, a list of messages, or a template',
  read(value) {
    if (typeof value === 'string' && value !== '') return { template: value };
    if (Array.isArray(value) && value.length > 0) return { messages: value };
    if (!isMapping(value)) return undefined;
    const isWhole = 'template' in value || 'messages' in value;
    return isWhole ? (value as TemplateConfig) : { template: value };
  },
};

const verdictTypes = ['choice', 'grade', 'json'] as const;

const scale: OptionReader<readonly [number, number]> = {
  expected: 'two numbers, the lowest grade and the highest',
  read(value) {
    const [lowest, highest] = Array.isArray(value) && value.length === 2 ? value : [];
    const isScale = typeof lowest === 'number' && typeof highest === 'number' && lowest < highest;
    return isScale ? [lowest, highest] : undefined;
  },
};

const scores: OptionReader<ReadonlyMap<string, number>> = {
  expected: 'a mapping of verdicts to scores from 0 to 1',
  read(value) {
    if (!isMapping(value) || value instanceof Map) return undefined;
    const entries = Object.entries(value);
    const areScores = entries.every(
      ([, score]) => typeof score === 'number' && score >= 0 && score <= 1,
    );
    return entries.length > 0 && areScores ? new Map(entries as [string, number][]) : undefined;
  },
};

/** Reads `verdict: { type: choice | grade | json, … }`; right or wrong by default. */
export function readVerdictOption(value: unknown, path: ConfigPath): Verdict {
  const placed = locateOne(value ?? { type: 'choice' }, path);
  switch (placed.component.type as (typeof verdictTypes)[number]) {
    case 'choice': {
      const { correct = 'A', incorrect = 'B' } = readOptions(placed, {
        correct: nonEmptyText,
        incorrect: nonEmptyText,
      });
      return choiceVerdict(correct, incorrect);
    }
    case 'grade': {
      const { scale: limits = [1, 10], field = 'grade' } = readOptions(placed, {
        scale,
        field: nonEmptyText,
      });
      return { type: 'grade', field, scale: limits };
    }
    case 'json': {
      const { values, field = 'verdict' } = readOptions(placed, {
        values: scores,
        field: nonEmptyText,
      });
      if (!values) throw missingOption(placed, 'values');
      return { type: 'values', field, scores: values };
    }
    default:
      throw unknownType(placed, verdictTypes);
  }
}

/** Right or wrong. */
export function choiceVerdict(correct: string, incorrect: string): Verdict {
  const values = new Map([
    [correct, 1],
    [incorrect, 0],
  ]);
  return { type: 'values', field: 'verdict', scores: values };
}

/** Reads `verdict: { type: pair, … }`: what the judge calls the first answer, the second, neither. */
export function readPairNames(
  value: unknown,
  path: ConfigPath,
): readonly [first: string, second: string, tie: string] | undefined {
  if (value === undefined) return undefined;
  const placed = locateOne(value, path);
  if (placed.component.type !== 'pair') throw unknownType(placed, ['pair']);
  const name = { first: nonEmptyText, second: nonEmptyText, tie: nonEmptyText };
  const { first = '1', second = '2', tie = 'tie' } = readOptions(placed, name);
  return [first, second, tie];
}

export const exampleList: OptionReader<readonly Row[]> = {
  expected: 'a list of judged answers',
  read(value) {
    const list: unknown[] = Array.isArray(value) ? value : [];
    const areExamples = list.every((item) => isMapping(item) && !(item instanceof Map));
    return list.length > 0 && areExamples ? (list as Row[]) : undefined;
  },
};

const exampleOptions = {
  question: anyValue,
  prediction: anyValue,
  reference: anyValue,
  verdict: anyValue,
  reason: nonEmptyText,
};

/** The examples of a config as rows of the prompt, each with the reply it should get. */
export function examplesOf(rows: readonly Row[], verdict: Verdict, path: ConfigPath): Row[] {
  return rows.map((row, index) => {
    const placed = { component: { type: 'example', ...row }, path: [...path, index] };
    const { reason = 'As in the reference.', ...example } = readOptions(placed, exampleOptions);
    for (const key of ['question', 'prediction', 'reference', 'verdict'] as const) {
      if (isMissing(example[key])) throw missingOption(placed, key);
    }
    const reply = JSON.stringify({ reason, [verdict.field]: example.verdict });
    if (readVerdict(reply, verdict)) return { ...example, reply };
    const place = [...placed.path, 'verdict'];
    const message = `${formatPath(place)} is none of the verdicts that the judge may give`;
    throw new ConfigError('config.unknown_value', message, {
      path: place,
      hint: `The verdict is ${describeVerdict(verdict)}.`,
    });
  });
}
