import { compileSchema, loadSchemaValidator } from '../../score/checks/schema-validator.ts';
import type { FunctionInput } from '../../score/evaluators/function-evaluator.ts';
import { scanJson } from '../../score/extract/scan-json.ts';
import { countEdits } from '../../score/metrics/edit-distance.ts';
import { asPlain, type Plain } from '../plain-value.ts';
import { containsHtml, containsXml, isHtml, isXml } from './markup.ts';
import { bleu, gleu, type Overlap, rouge } from './overlap-measures.ts';
import { textsIn } from './promptfoo-assertions.ts';
import { type Made, parsedSchema, wanted } from './promptfoo-makers.ts';
import { refuse } from './reading.ts';
import { calledNames, callF1, callFault } from './tool-calls.ts';

/** What an assertion finds, before `not-` turns it round; without a score it is 1 or 0. */
export interface Finding {
  readonly pass: boolean;
  readonly score?: number | undefined;
  readonly reason?: string | undefined;
}

/** What is looked at: the answer, as a text too, and what is known of it. */
export interface Seen {
  readonly output: unknown;
  readonly text: string;
  readonly facts: Pick<FunctionInput, 'toolCalls' | 'finish'>;
}

type Measure = (seen: Seen) => Finding | Promise<Finding>;

interface MadeMeasure extends Made {
  /** The tools that the models are given. */
  readonly tools: readonly unknown[];
}

type MeasureMaker = (made: MadeMeasure) => Measure | undefined;

function thresholdOf({ written }: MadeMeasure, usual: number): number {
  return typeof written.threshold === 'number' ? written.threshold : usual;
}

function overlap(of: Overlap, usual: number, isOneText = false): MeasureMaker {
  return (made) => {
    const list = Array.isArray(made.value) && !isOneText ? made.value : [wanted(made)];
    const texts = list.filter((one): one is string => typeof one === 'string');
    if (texts.length === 0) return undefined;
    const least = thresholdOf(made, usual);
    return ({ text }) => {
      if (of === gleu && text.trim() === '') throw new Error('there is no GLEU of an empty answer');
      const score = of(text, texts);
      return { pass: score >= least, score, reason: `it is ${score.toFixed(4)}, not ${least}` };
    };
  };
}

function xml(test: (text: string, required: readonly string[]) => boolean): MeasureMaker {
  return ({ value, reading, path }) => {
    const given = asPlain(value)?.requiredElements ?? value;
    const list = typeof given === 'string' ? given.split(',') : (given ?? []);
    if (!Array.isArray(list)) {
      refuse(reading, path, { what: 'is not a list of elements' });
      return undefined;
    }
    const required = list.map((name) => String(name).trim()).filter((name) => name !== '');
    return ({ text }) => ({ pass: test(text, required), reason: 'there is no such XML in it' });
  };
}

const validCalls: MeasureMaker =
  ({ tools }) =>
  async ({ facts }) => {
    if (facts.toolCalls.length === 0) throw new Error('no tool was called');
    const reason = await callFault(facts.toolCalls, tools);
    return { pass: reason === undefined, reason };
  };

/** Assertions that are measured here as promptfoo does, and have no other form. */
export const measures: Readonly<Record<string, MeasureMaker>> = {
  equals:
    () =>
    ({ text }) => ({ pass: text === '', reason: 'it is not empty' }),
  'contains-any': () => () => ({ pass: true }),
  'icontains-any': () => () => ({ pass: true }),
  bleu: overlap(bleu, 0.5),
  gleu: overlap(gleu, 0.5),
  'rouge-n': overlap(rouge, 0.75, true),
  levenshtein: (made) => {
    const want = wanted(made);
    if (want === undefined) return undefined;
    const most = thresholdOf(made, 5);
    return ({ text }) => {
      const apart = Math.abs(text.length - want.length);
      if (apart > 2 * most) return { pass: false, reason: `its length differs by ${apart}` };
      const edits = countEdits(text, want);
      return { pass: edits <= most, reason: `it takes ${edits} edits, more than ${most}` };
    };
  },
  'is-html':
    () =>
    ({ text }) => ({ pass: isHtml(text), reason: 'it is not HTML' }),
  'contains-html':
    () =>
    ({ text }) => ({ pass: containsHtml(text), reason: 'there is no HTML in it' }),
  'is-xml': xml(isXml),
  'contains-xml': xml(containsXml),
  'contains-json': ({ value, reading, path }) => {
    const schema = typeof value === 'string' ? parsedSchema(value) : value;
    if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
      refuse(reading, path, { what: 'is not a JSON Schema' });
      return undefined;
    }
    return async ({ text }) => {
      await loadSchemaValidator();
      const faultsOf = compileSchema(schema as Plain, path);
      const { objects } = scanJson(text);
      const found = objects.map(({ start, end }) => faultsOf(JSON.parse(text.slice(start, end))));
      const pass = found.some((faults) => faults.length === 0);
      return { pass, reason: found.at(-1)?.[0] ?? 'it holds no JSON object' };
    };
  },
  'finish-reason': (made) => {
    const want = wanted(made)?.toLowerCase();
    return ({ facts }) => ({
      pass: facts.finish.toLowerCase() === want,
      reason: `the model ended by \`${facts.finish}\`, not by \`${want}\``,
    });
  },
  'tool-call-f1': (made) => {
    const { value, reading, path } = made;
    const list = typeof value === 'string' ? textsIn(value) : value;
    if (!Array.isArray(list) || list.length === 0) {
      refuse(reading, path, { what: 'is not a list of tools' });
      return undefined;
    }
    const names = new Set(list.map(String));
    const least = thresholdOf(made, 1);
    return ({ output }) => {
      const called = calledNames(output);
      const score = callF1(called, names);
      const list = [...called].join(', ') || 'no tool';
      return { pass: score >= least, score, reason: `called: ${list}` };
    };
  },
  'is-valid-openai-tools-call': validCalls,
  'is-valid-openai-function-call': validCalls,
  'is-valid-function-call': validCalls,
};

/** Scores of these are not turned round by `not-`. */
const unturned = new Set(['tool-call-f1', 'javascript']);

/** What `not-` makes of a finding. */
export function turned({ pass, score, reason }: Finding, type: string): Finding {
  if (!type.startsWith('not-'))
    return { pass, score: score ?? Number(pass), reason: pass ? undefined : reason };
  const name = type.slice('not-'.length);
  const opposite = score === undefined ? Number(!pass) : unturned.has(name) ? score : 1 - score;
  return {
    pass: !pass,
    score: opposite,
    reason: pass ? `it should not: ${name} holds` : undefined,
  };
}
