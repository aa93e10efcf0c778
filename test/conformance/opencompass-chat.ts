import { createTemplate } from '../../src/compat/prompt/any-template.ts';
import { buildChat, type Chat } from '../../src/compat/prompt/chat.ts';
import { runChat } from '../../src/compat/prompt/chat-inference.ts';
import { createChatParser } from '../../src/compat/prompt/chat-parser.ts';
import { readReader } from '../../src/compat/prompt/reader.ts';
import { PyDict, type PyValue } from '../../src/python/values.ts';
import { decode, decodeDict, digest, encode } from './codec.ts';
import { compare, type Difference, errorOf } from './compare.ts';
import { type Handlers, namedMetaTemplate, type VectorContext } from './handler.ts';
import { isObject, type Json, type JsonObject, listAt, objectAt } from './json.ts';
import { inStage, observe } from './observe.ts';
import { checkSpans, type SpanSources } from './spans.ts';

/** Vectors of `ChatInferencer`. */
export const opencompassChatHandlers: Handlers = { chat: runChatVector };

async function runChatVector(vector: JsonObject, context: VectorContext): Promise<Difference[]> {
  const config = decode(vector.prompt_template ?? null);
  const entry = decodeDict(vector.entry);
  const made: { chat?: Chat } = {};
  const actual = await observe(async (observation) => {
    const template = await inStage('construct', () =>
      config === null
        ? undefined
        : createTemplate(config, { compat: 'opencompass', path: ['prompt_template'] }),
    );
    const reader = await inStage('reader', () => readReader(decode(vector.reader_cfg ?? {})));
    const chat = await inStage('chat', () => buildChat({ entry, row: 0, reader, template }));
    made.chat = chat;
    observation.set('chat', chat.messages);
    observation.setJson('dialogue_mode', chat.isDialogue);
  });
  const { models, error, ...outputs } = objectAt(vector, 'expect');
  const wanted = error === undefined ? outputs : { ...outputs, error: errorOf(error) ?? null };
  const found = compare(wanted, actual);
  const { chat } = made;
  if (found.length > 0 || chat === undefined) return found;
  const sources: SpanSources = {
    roots: new PyDict([['prompt_template', config]]),
    rowOf: () => entry,
    complete: true,
  };
  const runs = listAt(vector, 'models').map(async (name) => {
    const run = await runModel(chat, { vector, context, name: String(name) });
    const expected = isObject(models) ? models[String(name)] : undefined;
    return [
      ...compareModel(expected, run.actual),
      ...checkSpans(run.inputs, {
        ...sources,
        complete: false,
        roots: sources.roots.with('meta_template', run.metaTemplate),
      }),
    ].map((each) => ({ ...each, at: `${String(name)} ${each.at}` }));
  });
  return [...checkSpans(chat.messages, sources), ...(await Promise.all(runs)).flat()];
}

interface ModelRun {
  readonly actual: JsonObject;
  readonly inputs: PyValue[];
  readonly metaTemplate: PyValue;
}

async function runModel(
  chat: Chat,
  options: { readonly vector: JsonObject; readonly context: VectorContext; readonly name: string },
): Promise<ModelRun> {
  const { vector, context, name } = options;
  const metaTemplate = decode(namedMetaTemplate(context, name));
  const histories: PyValue[] = [];
  const inputs: PyValue[] = [];
  const actual = await observe(async (observation) => {
    const kind = name.startsWith('lm:') ? 'lm' : 'api';
    const results = await runChat({
      chat,
      inferMode: String(objectAt(vector, 'inferencer').infer_mode ?? 'last'),
      parser: createChatParser(metaTemplate, { kind, path: ['meta_template'] }),
      index: 0,
      model: ({ history, input }) => {
        histories.push([...history]);
        inputs.push(input);
        return `<<gen ${inputs.length - 1}>>`;
      },
    });
    observation.set('histories', histories);
    observation.set('inputs', inputs);
    observation.set('results', results);
  });
  return { actual, inputs, metaTemplate };
}

function compareModel(expected: Json | undefined, actual: JsonObject): Difference[] {
  if (!isObject(expected)) return compare(expected, actual);
  if (expected.error !== undefined)
    return compare({ error: errorOf(expected.error) ?? null }, { error: actual.error ?? null });
  return Object.entries(expected).flatMap(([key, value]) => {
    const isDigest = typeof value === 'string' && value.startsWith('#');
    const found = actual[key];
    const shown = isDigest && found !== undefined ? digest(found) : found;
    const wanted = isDigest ? value : encode(decode(value));
    return compare(wanted, shown).map((each) => ({ ...each, at: `${key}${each.at}` }));
  });
}
