import { aisbenchRequest } from '../../src/compat/prompt/aisbench-request.ts';
import { runMultiTurn } from '../../src/compat/prompt/aisbench-turns.ts';
import {
  buildIce,
  buildPromptList,
  type CompatRow,
  type CompatSetup,
  compatLabels,
  prepareCompat,
} from '../../src/compat/prompt/build.ts';
import { createParser, parsePrompt } from '../../src/compat/prompt/parser.ts';
import { pickShots } from '../../src/compat/prompt/shots.ts';
import { pyEquals } from '../../src/python/operators.ts';
import { NumpyRandomState } from '../../src/python/random/numpy-random-state.ts';
import { pyStr } from '../../src/python/repr.ts';
import { PyDict, type PyValue } from '../../src/python/values.ts';
import { decode, decodeDict, encode } from './codec.ts';
import { compare, type Difference, errorOf } from './compare.ts';
import type { Handlers } from './handler.ts';
import { isObject, type Json, type JsonObject, listAt, objectAt, textAt } from './json.ts';
import { observe } from './observe.ts';
import { checkSpans } from './spans.ts';

/** The named cases of AISBench: prompts, label prompts, multi-turn dialogues and requests. */
export const aisbenchFixtureHandlers: Handlers = {
  'fixture gen': runGen,
  'fixture label': runLabel,
  'fixture multiturn': runMultiTurnFixture,
  'fixture body': runBody,
};

const chatMetaTemplate = {
  round: [
    { role: 'HUMAN', api_role: 'HUMAN' },
    { role: 'BOT', api_role: 'BOT', generate: true },
  ],
  reserved_roles: [{ role: 'SYSTEM', api_role: 'SYSTEM' }],
};

async function runGen(vector: JsonObject): Promise<Difference[]> {
  const made: { prompt?: PyValue } = {};
  const actual = await observe((observation) => {
    const setup = setUp(vector);
    const ice = buildIce(setup, pickExamples(vector));
    const prompt = buildPromptList(setup, { row: rowOf(vector), ice, mode: 'gen' });
    made.prompt = prompt;
    observation.set('prompt', prompt);
  });
  const { prompt } = made;
  const parsed =
    prompt === undefined ? {} : await parseAll(vector, { run: (parse) => encode(parse(prompt)) });
  return [
    ...compareOutcome(vector, { ...actual, ...parsed }),
    ...checkSpans(prompt ?? null, sourcesOf(vector)),
  ];
}

async function runLabel(vector: JsonObject): Promise<Difference[]> {
  const prompts = new Map<string, PyValue>();
  const actual = await observe((observation) => {
    const setup = setUp(vector);
    const labels = compatLabels(setup, listAt(vector, 'test').map(decode));
    observation.set('labels', labels);
    const ice = buildIce(setup, pickExamples(vector));
    for (const label of labels) {
      const request = { row: rowOf(vector), ice, mode: 'ppl', label } as const;
      prompts.set(pyStr(label), buildPromptList(setup, request));
    }
    observation.setJson(
      'prompts',
      encodeAll(prompts, (prompt) => prompt),
    );
  });
  const parsed = await parseAll(vector, {
    run: (parse) => encodeAll(prompts, parse),
    mode: 'ppl',
  });
  return [
    ...compareOutcome(vector, { ...actual, ...parsed }),
    ...checkSpans([...prompts.values()], sourcesOf(vector)),
  ];
}

async function runMultiTurnFixture(vector: JsonObject): Promise<Difference[]> {
  const requests: Json[] = [];
  const records: Json[] = [];
  const replies = listAt(vector, 'replies');
  const entry = decodeDict(listAt(vector, 'test')[0]);
  const actual = await observe(async (observation) => {
    const setup = setUp(vector, chatMetaTemplate);
    const request = { row: rowOf(vector), ice: buildIce(setup, []), mode: 'gen' } as const;
    const prompt = buildPromptList(setup, request);
    observation.set('prompt', prompt);
    const named = setup.reader.inputColumns.some((column) => pyEquals(column, 'max_out_len'));
    await runMultiTurn({
      prompt,
      inferMode: textAt(vector, 'infer_mode'),
      repairLast: textAt(vector, 'id').endsWith('-intended'),
      parser: setup.parser,
      maxOutLen: 512,
      rowMaxOutLen: named ? entry.get('max_out_len') : undefined,
      model: ({ input, maxOutLen }) => {
        const reply = replies[requests.length] ?? null;
        requests.push({ messages: encode(input), max_out_len: encode(maxOutLen) });
        records.push(recordOf(reply, { input, gold: entry.get(setup.reader.outputColumn) }));
        return contentOf(reply);
      },
    });
    observation.setJson('requests', requests);
    observation.setJson('records', records);
  });
  return compareOutcome(vector, actual);
}

async function runBody(vector: JsonObject): Promise<Difference[]> {
  const actual = await observe((observation) => {
    const { url, headers, body } = aisbenchRequest({
      endpoint: vector.endpoint === 'completions' ? 'completions' : 'chat',
      input: decode(vector.input ?? null),
      maxOutLen: decode(vector.max_out_len ?? null),
      model: decode(vector.model_cfg ?? {}),
    });
    observation.setJson('url', url);
    observation.set('headers', headers);
    observation.set('body', body);
  });
  return compareOutcome(vector, actual);
}

function setUp(vector: JsonObject, metaTemplate?: unknown): CompatSetup {
  const config = objectAt(vector, 'infer_cfg');
  const token = vector.gen_field_replace_token;
  return prepareCompat({
    compat: 'aisbench',
    promptTemplate: decode(config.prompt_template ?? null),
    iceTemplate: decode(config.ice_template ?? null),
    reader: decode(vector.reader ?? {}),
    retriever: decode(config.retriever ?? { type: 'ZeroRetriever' }),
    inferencer: token === undefined ? {} : { gen_field_replace_token: decode(token) },
    model: { kind: 'chat', metaTemplate },
  });
}

function rowOf(vector: JsonObject): CompatRow {
  return { id: 'test', row: decode(listAt(vector, 'test')[0] ?? {}) };
}

function trainOf(vector: JsonObject): CompatRow[] {
  const rows = vector.train === undefined ? listAt(vector, 'test') : listAt(vector, 'train');
  return rows.map((row, id) => ({ id, row: decode(row) }));
}

function pickExamples(vector: JsonObject): CompatRow[] {
  const retriever = objectAt(objectAt(vector, 'infer_cfg'), 'retriever');
  const rows = trainOf(vector);
  const indices =
    retriever.type === 'RandomRetriever'
      ? new NumpyRandomState(Number(retriever.seed ?? 43)).choice(
          rows.length,
          Number(retriever.ice_num),
        )
      : listAt(retriever, 'fix_id_list').map(Number);
  return pickShots(rows, { indices, compat: 'aisbench' });
}

/** The outcome of every parser of a case, under the names that its expectation uses. */
async function parseAll(
  vector: JsonObject,
  {
    run,
    mode,
  }: {
    readonly run: (parse: (prompt: PyValue) => PyValue) => Json;
    /** Mode of all parsers, whatever they say themselves. */
    readonly mode?: string;
  },
): Promise<JsonObject> {
  const outcomes: [string, Json][] = [];
  for (const [name, parser] of Object.entries(objectAt(vector, 'parsers'))) {
    if (!isObject(parser)) continue;
    const outcome = await observe((observation) => {
      const made = createParser(decode(parser.meta_template ?? null), {
        compat: 'aisbench',
        parser: parser.kind === 'lm' ? 'lm' : 'api',
        path: ['meta_template'],
      });
      const chosen = mode ?? String(parser.mode ?? 'gen');
      observation.setJson(
        'out',
        run((prompt) => parsePrompt(made, { prompt, mode: chosen })),
      );
    });
    outcomes.push([`parsed:${name}`, outcome.out ?? outcome]);
  }
  return Object.fromEntries(outcomes);
}

function encodeAll(
  prompts: ReadonlyMap<string, PyValue>,
  change: (prompt: PyValue) => PyValue,
): Json {
  return Object.fromEntries([...prompts].map(([label, prompt]) => [label, encode(change(prompt))]));
}

function compareOutcome(vector: JsonObject, actual: JsonObject): Difference[] {
  const expected = Object.entries(objectAt(vector, 'expected')).map(
    ([key, value]): [string, Json] => {
      if (key === 'error') return [key, errorOf(value) ?? null];
      const error = isObject(value) ? errorOf(value.error) : undefined;
      return [key, error === undefined ? value : { error }];
    },
  );
  const isFailure = expected.some(([key]) => key === 'error');
  const outputs = isFailure ? { error: actual.error ?? null } : actual;
  return compare(Object.fromEntries(expected), outputs);
}

function recordOf(
  reply: Json,
  { input, gold }: { readonly input: PyValue; readonly gold: PyValue | undefined },
): Json {
  const content = contentOf(reply);
  const reasoning = isObject(reply) ? textAt(reply, 'reasoning') : '';
  return {
    data_abbr: 'demo',
    id: 0,
    success: content !== undefined,
    uuid: '<one uuid for all turns>',
    origin_prompt: encode(input),
    prediction: reasoning === '' ? (content ?? '') : `${reasoning}</think>${content ?? ''}`,
    ...(gold === undefined ? {} : { gold: encode(gold) }),
    ...(content === undefined ? { error_info: 'HTTP failure' } : {}),
  };
}

function contentOf(reply: Json): string | undefined {
  if (typeof reply === 'string') return reply;
  return isObject(reply) ? textAt(reply, 'content') : undefined;
}

function sourcesOf(vector: JsonObject): Parameters<typeof checkSpans>[1] {
  const config = objectAt(vector, 'infer_cfg');
  const train = trainOf(vector);
  const test = decodeDict(listAt(vector, 'test')[0]);
  return {
    roots: new PyDict([
      ['prompt_template', decode(config.prompt_template ?? null)],
      ['ice_template', decode(config.ice_template ?? null)],
    ]),
    rowOf: (id) => {
      const row = typeof id === 'number' ? train[id]?.row : undefined;
      return row instanceof PyDict ? row : test;
    },
  };
}
