import {
  buildIce,
  buildPromptList,
  type CompatRow,
  type CompatSetup,
  compatLabels,
  prepareCompat,
} from '../../src/compat/prompt/build.ts';
import { fitShots } from '../../src/compat/prompt/fit-shots.ts';
import { normalizePrompt } from '../../src/compat/prompt/labels.ts';
import { pickShots } from '../../src/compat/prompt/shots.ts';
import { sortDictKeys } from '../../src/python/convert.ts';
import { PyDict, type PyValue } from '../../src/python/values.ts';
import { decode, decodeDict, encode } from './codec.ts';
import { compare, type Difference, errorOf } from './compare.ts';
import type { Handlers, VectorContext } from './handler.ts';
import { type Json, type JsonObject, listAt, objectAt } from './json.ts';
import { inStage, observe } from './observe.ts';
import { checkParses } from './parse-matrix.ts';
import { checkShotSpans, checkSpans, type SpanSources } from './spans.ts';

/** Vectors of the whole way from a row to a prompt: `gen` and `ppl`. */
export const opencompassPromptHandlers: Handlers = {
  gen: runGen,
  ppl: runPpl,
};

const testRowId = 'test';

async function runGen(vector: JsonObject, context: VectorContext): Promise<Difference[]> {
  const inputs = readInputs(vector);
  let prompt: PyValue | undefined;
  const made: { ice?: PyValue } = {};
  const actual = await observe(async (observation) => {
    const setup = await prepare(inputs);
    const shots = await inStage('retrieve', () => pickExamples(inputs));
    const ice = await inStage('ice', () => buildIce(setup, shots));
    if (inputs.inferencer.get('type') !== 'SWCELossInferencer') observation.set('ice', ice);
    made.ice = ice;
    const fitted = await inStage('prompt', () =>
      fitShots(shots, {
        build: (kept) =>
          buildPromptList(setup, {
            row: inputs.row,
            ice: kept === shots ? ice : buildIce(setup, kept),
            mode: 'gen',
          }),
        parser: setup.parser,
        mode: 'gen',
        maxSeqLen: inputs.inferencer.get('max_seq_len') ?? null,
      }),
    );
    prompt = fitted.prompt;
    observation.set('prompt', prompt);
  });
  const expected = objectAt(vector, 'expect');
  const found = compareOutcome(expected, actual);
  if (found.length > 0 || prompt === undefined) return found;
  return [
    ...checkShotSpans(made.ice ?? null),
    ...checkSpans(prompt, inputs.sources),
    ...checkPromptOfCommandLine(expected, inputs),
    ...checkParses(expected.parse, {
      prompts: [prompt],
      isBatch: false,
      context,
      sources: inputs.sources,
    }),
  ];
}

async function runPpl(vector: JsonObject, context: VectorContext): Promise<Difference[]> {
  const inputs = readInputs(vector);
  const rows = [vector.entry ?? {}, ...listAt(vector, 'other_entries')].map(decode);
  const normalizingStr = objectAt(vector, 'inferencer').normalizing_str;
  let prompts: PyValue[] | undefined;
  const made: { ice?: PyValue } = {};
  const actual = await observe(async (observation) => {
    const setup = await prepare(inputs);
    const shots = await inStage('retrieve', () => pickExamples(inputs));
    const labels = await inStage('labels', () => compatLabels(setup, rows));
    observation.set('labels', labels);
    const ice = await inStage('ice', () => buildIce(setup, shots));
    observation.set('ice', ice);
    made.ice = ice;
    await inStage('prompt', () => {
      const filled = labels.map((label) =>
        buildPromptList(setup, { row: inputs.row, ice, mode: 'ppl', label }),
      );
      if (typeof normalizingStr === 'string') {
        const normalized = filled.map((each) =>
          normalizePrompt(each, { ...setup, normalizingStr }),
        );
        observation.setJson(
          'normalized',
          normalized.map((each) => ({
            prompt: encode(each.prompt),
            context: encode(each.context),
            normalizing_prompt: encode(each.normalizingPrompt),
          })),
        );
      }
      observation.set('prompts', filled);
      prompts = filled;
    });
  });
  const expected = objectAt(vector, 'expect');
  const found = compareOutcome(expected, actual);
  if (found.length > 0) return found;
  return [
    ...checkShotSpans(made.ice ?? null),
    ...checkLabelsOfCommandLine(expected, inputs),
    ...(prompts === undefined
      ? []
      : [
          ...checkSpans(prompts, inputs.sources),
          ...checkParses(expected.parse, {
            prompts,
            isBatch: true,
            context,
            sources: inputs.sources,
          }),
        ]),
  ];
}

interface PromptInputs {
  readonly promptTemplate: PyValue;
  readonly iceTemplate: PyValue;
  readonly reader: PyValue;
  readonly retriever: PyDict;
  readonly inferencer: PyDict;
  readonly row: CompatRow;
  readonly examples: readonly CompatRow[];
  readonly indices: readonly number[];
  readonly sources: SpanSources;
}

function readInputs(vector: JsonObject): PromptInputs {
  const examples = listAt(vector, 'ice_entries').map((entry, id) => ({ id, row: decode(entry) }));
  const inferencer = decodeDict(vector.inferencer);
  const entry = decodeDict(vector.entry);
  const extra = inferencer.get('extra_prompt');
  const filled = extra instanceof PyDict ? entry.merge(extra.entries()) : entry;
  const promptTemplate = decode(vector.prompt_template ?? null);
  const iceTemplate = decode(vector.ice_template ?? null);
  return {
    promptTemplate,
    iceTemplate,
    reader: decode(vector.reader_cfg ?? {}),
    retriever: decodeDict(vector.retriever),
    inferencer,
    row: { id: testRowId, row: entry },
    examples,
    indices: listAt(objectAt(vector, 'retriever'), 'indices').map(Number),
    sources: {
      roots: new PyDict([
        ['prompt_template', promptTemplate],
        ['ice_template', iceTemplate],
      ]),
      rowOf: (id) => {
        const row = typeof id === 'number' ? examples[id]?.row : filled;
        return row instanceof PyDict ? row : undefined;
      },
      complete: true,
    },
  };
}

async function prepare(inputs: PromptInputs): Promise<CompatSetup> {
  const config = { compat: 'opencompass', model: { kind: 'text' } } as const;
  const columns = { input_columns: [] };
  // templates come before the reader, and each has a stage of its own
  await inStage('construct', () => prepareCompat({ ...config, ...inputs, reader: columns }));
  return inStage('reader', () => prepareCompat({ ...config, ...inputs }));
}

function pickExamples({ examples, indices }: PromptInputs): CompatRow[] {
  return pickShots(examples, { indices, compat: 'opencompass' });
}

function compareOutcome(expected: JsonObject, actual: JsonObject): Difference[] {
  const { parse, labels_cli, prompt_cli, labels_unordered, error, ...outputs } = expected;
  const wanted = error === undefined ? outputs : { ...outputs, error: errorOf(error) ?? null };
  if (labels_unordered !== true) return compare(wanted, actual);
  return compare(
    { ...wanted, labels: sorted(wanted.labels) },
    { ...actual, labels: sorted(actual.labels) },
  );
}

function sorted(labels: Json | undefined): Json {
  return Array.isArray(labels) ? labels.map((label) => JSON.stringify(label)).sort() : [];
}

/** The command line sorts the config, which shows in the order of labels. */
function prepareSorted(inputs: PromptInputs): CompatSetup {
  return prepareCompat({
    ...inputs,
    compat: 'opencompass',
    model: { kind: 'text' },
    promptTemplate: sortDictKeys(inputs.promptTemplate),
    iceTemplate: sortDictKeys(inputs.iceTemplate),
  });
}

function checkLabelsOfCommandLine(expected: JsonObject, inputs: PromptInputs): Difference[] {
  if (expected.labels_cli === undefined) return [];
  const labels = compatLabels(prepareSorted(inputs), [inputs.row.row]);
  return compare(expected.labels_cli, encode(labels));
}

function checkPromptOfCommandLine(expected: JsonObject, inputs: PromptInputs): Difference[] {
  if (expected.prompt_cli === undefined) return [];
  const setup = prepareSorted(inputs);
  const ice = buildIce(setup, pickExamples(inputs));
  const prompt = buildPromptList(setup, { row: inputs.row, ice, mode: 'gen' });
  return compare(expected.prompt_cli, encode(prompt));
}
