import { runMultiTurn, type TurnRequest } from '../../src/compat/prompt/aisbench-turns.ts';
import { createTemplate, renderItem } from '../../src/compat/prompt/any-template.ts';
import { toWireMessages } from '../../src/compat/prompt/messages.ts';
import { findRound } from '../../src/compat/prompt/multi-turn-template.ts';
import {
  formatMultimodal,
  isMultimodalPrompt,
} from '../../src/compat/prompt/multimodal-template.ts';
import { createParser, parsePrompt, type TemplateParser } from '../../src/compat/prompt/parser.ts';
import { addPromptListTo, promptListText } from '../../src/compat/prompt/prompt-list.ts';
import { readReader } from '../../src/compat/prompt/reader.ts';
import { pyEquals } from '../../src/python/operators.ts';
import { PromptList, PyDict, type PyValue } from '../../src/python/values.ts';
import { decode, decodeDict, decodePrompt, encode } from './codec.ts';
import type { Difference } from './compare.ts';
import type { Handlers } from './handler.ts';
import { type Json, type JsonObject, objectAt, textAt } from './json.ts';
import { inStage, type Observation, observe } from './observe.ts';
import { compareExpectation } from './opencompass-units.ts';
import { checkSpans } from './spans.ts';

/** Vectors of the templates, parsers and the multi-turn inferencer of AISBench. */
export const aisbenchHandlers: Handlers = {
  ais_multiturn: runMultiTurnVector,
  ais_mm: runMultimodal,
  ais_parse: runParse,
  ais_unit: runUnit,
};

async function runMultiTurnVector(vector: JsonObject): Promise<Difference[]> {
  const { intended_requests: intended, ...expect } = objectAt(vector, 'expect');
  const shipped = await runDialogue({ ...vector, expect }, { repairLast: false });
  if (intended === undefined) return shipped;
  const { prompt = null } = expect;
  const repaired = { ...vector, expect: { prompt, requests: intended } };
  return [...shipped, ...(await runDialogue(repaired, { repairLast: true }))];
}

async function runDialogue(
  vector: JsonObject,
  { repairLast }: { readonly repairLast: boolean },
): Promise<Difference[]> {
  const requests: TurnRequest[] = [];
  const { prompt, actual } = await observePrompt(vector, async (made, observation) => {
    const parser = await parserOf(vector);
    const run = {
      prompt: made,
      inferMode: textAt(vector, 'infer_mode'),
      parser,
      maxOutLen: decode(vector.max_out_len ?? 16),
      rowMaxOutLen: rowLimit(vector),
      repairLast,
      model: (request: TurnRequest): string | undefined => {
        const number = requests.push(request) - 1;
        return number === vector.fail_at ? undefined : `<<gen ${number}>>`;
      },
    };
    try {
      await inStage('infer', () => runMultiTurn(run));
    } finally {
      observation.setJson('requests', requests.map(encodeRequest));
    }
  });
  return [
    ...compareExpectation(vector, actual),
    ...checkPrompt(vector, [prompt ?? null, ...requests.map(({ input }) => input)]),
  ];
}

async function runMultimodal(vector: JsonObject): Promise<Difference[]> {
  const { prompt, actual } = await observePrompt(vector, async (made, observation) => {
    const parser = await parserOf(vector);
    const parsed = await inStage('parse', () => parsePrompt(parser, { prompt: made, mode: 'gen' }));
    observation.set('parsed', parsed);
    const messages = await inStage('messages', () => toWireMessages(parsed));
    observation.set('messages', messages);
    observation.setJson('is_mm_prompt', isMultimodalPrompt(messages));
  });
  return [...compareExpectation(vector, actual), ...checkPrompt(vector, [prompt ?? null])];
}

async function runParse(vector: JsonObject): Promise<Difference[]> {
  const actual = await observe(async (observation) => {
    const parser = await parserOf(vector);
    const prompt = decodePrompt(vector.prompt ?? null);
    const mode = textAt(vector, 'mode');
    observation.set('out', await inStage('parse', () => parsePrompt(parser, { prompt, mode })));
  });
  return compareExpectation(vector, actual);
}

async function runUnit(vector: JsonObject): Promise<Difference[]> {
  const actual = await observe(async (observation) => {
    observation.set('out', await inStage('op', () => runOperation(vector)));
  });
  return compareExpectation(vector, actual);
}

function runOperation(vector: JsonObject): PyValue {
  const list = decodePrompt(vector.list ?? []);
  const promptList = list instanceof PromptList ? list : new PromptList([]);
  switch (vector.op) {
    case 'str':
      return promptListText(promptList, 'aisbench');
    case 'get_round_index':
      return [...findRound(list)];
    case 'is_mm_prompt':
      return isMultimodalPrompt(decode(vector.list ?? null));
    case 'format_mm':
      return formatMultimodal(promptList, { entry: decodeDict(vector.kwargs), row: 0 });
    case 'radd':
      return addPromptListTo(decodePrompt(vector.other ?? null), promptList);
    default:
      throw new Error(`there is no op ${String(vector.op)}`);
  }
}

/** Makes the prompt of a vector, and then takes the further steps. */
async function observePrompt(
  vector: JsonObject,
  further: (prompt: PyValue, observation: Observation) => Promise<void>,
): Promise<{ readonly prompt: PyValue | undefined; readonly actual: JsonObject }> {
  const made: { prompt?: PyValue } = {};
  const actual = await observe(async (observation) => {
    const template = await inStage('construct', () =>
      createTemplate(decode(vector.template ?? null), { compat: 'aisbench', path: ['template'] }),
    );
    await inStage('reader', () => readReader(decode(vector.reader_cfg ?? {})));
    const entry = decodeDict(vector.entry);
    made.prompt = await inStage('prompt', () => renderItem(template, { entry, row: 0 }));
    observation.set('prompt', made.prompt);
    await further(made.prompt, observation);
  });
  return { prompt: made.prompt, actual };
}

function parserOf(vector: JsonObject): Promise<TemplateParser> {
  return inStage('construct', () =>
    createParser(decode(vector.meta_template ?? null), {
      compat: 'aisbench',
      parser: vector.parser === 'lm' ? 'lm' : 'api',
      path: ['meta_template'],
    }),
  );
}

function rowLimit(vector: JsonObject): PyValue | undefined {
  const { inputColumns } = readReader(decode(vector.reader_cfg ?? {}));
  const named = inputColumns.some((column) => pyEquals(column, 'max_out_len'));
  return named ? decodeDict(vector.entry).get('max_out_len') : undefined;
}

function encodeRequest({ input, maxOutLen }: TurnRequest): Json {
  return {
    input: encode(input),
    max_out_len: encode(maxOutLen),
    messages: encode(toWireMessages(input)),
  };
}

function checkPrompt(vector: JsonObject, values: readonly PyValue[]): Difference[] {
  const roots = new PyDict([
    ['template', decode(vector.template ?? null)],
    ['meta_template', decode(vector.meta_template ?? null)],
  ]);
  const entry = decodeDict(vector.entry);
  return checkSpans([...values], { roots, rowOf: () => entry });
}
