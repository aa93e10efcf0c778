import {
  type CompatTemplate,
  createTemplate,
  renderIceItem,
  renderItem,
  renderLabelItem,
} from '../../src/compat/prompt/any-template.ts';
import { countTokens } from '../../src/compat/prompt/fit-shots.ts';
import { safeFormat } from '../../src/compat/prompt/format.ts';
import { createParser, parsePrompt } from '../../src/compat/prompt/parser.ts';
import { replaceToken } from '../../src/compat/prompt/prompt-list.ts';
import { generateIce, pickShots } from '../../src/compat/prompt/shots.ts';
import { pyStr } from '../../src/python/repr.ts';
import { PromptList, PyDict, type PyValue } from '../../src/python/values.ts';
import { decode, decodeDict, encode } from './codec.ts';
import { compare, type Difference, errorOf } from './compare.ts';
import type { Handler, Handlers } from './handler.ts';
import { isArray, type Json, type JsonObject, listAt, objectAt, textAt } from './json.ts';
import { observe } from './observe.ts';
import { parsePythonLiteral } from './python-literal.ts';
import { checkSpans } from './spans.ts';

/** Small cases of single functions, one group for each. */
export const behaviourHandlers: Handlers = {
  safe_format: group((vector) =>
    safeFormat(textAt(vector, 'template'), {
      entry: new PyDict(listAt(vector, 'fields').map(decodePair)),
      row: 0,
    }),
  ),
  str_of_value: group((vector) => pyStr(parsePythonLiteral(textAt(vector, 'python_repr')))),
  'PromptTemplate.init': group((vector) => createFrom(vector).promptType),
  generate_item: group((vector) =>
    renderItem(createFrom(vector), {
      entry: decodeDict(vector.entry),
      row: 0,
      ice: decode(vector.ice ?? null),
      outputField: decode(vector.output_field ?? null),
      outputFieldReplaceToken: decode(vector.output_field_replace_token ?? null),
    }),
  ),
  generate_ice_item: group((vector) =>
    renderIceItem(createFrom(vector), {
      entry: decodeDict(vector.entry),
      row: 0,
      label: decode(vector.label ?? null),
    }),
  ),
  generate_label_prompt_item: group((vector) =>
    renderLabelItem(createFrom(vector), {
      entry: decodeDict(vector.entry),
      row: 0,
      ice: decode(vector.ice ?? null),
      label: decode(vector.label ?? null),
      remainSep: vector.remain_sep === true,
    }),
  ),
  'PromptList.replace': group((vector) =>
    replaceToken(new PromptList(listAt(vector, 'items').map(decode)), {
      token: textAt(vector, 'src'),
      replacement: decode(vector.dst ?? null),
      compat: 'opencompass',
    }),
  ),
  generate_ice: group(runGenerateIce),
  lm_parser: group((vector) => parseTemplate(vector, 'lm')),
  api_parser: group((vector) => parseTemplate(vector, 'api')),
  api_parser_messages: group((vector) =>
    parsePrompt(parserOf(vector, 'api'), {
      prompt: decode(vector.messages ?? null),
      mode: textAt(vector, 'mode'),
    }),
  ),
  api_default_token_len: group((vector) => countTokens(textAt(vector, 'text'))),
};

/** Runs a case and compares its `output`, in which prompt lists and plain lists differ. */
function group(run: (vector: JsonObject) => PyValue): Handler {
  return async (vector): Promise<Difference[]> => {
    let out: PyValue = null;
    const actual = await observe((observation) => {
      out = run(vector);
      observation.setJson('output', encode(out, true));
    });
    const expected: JsonObject =
      vector.error === undefined
        ? { output: encode(decode(vector.output ?? null), true) }
        : { error: errorOf(vector.error) ?? null };
    const roots = new PyDict([
      ['template', decode({ template: vector.template ?? null })],
      ['meta_template', decode(vector.meta_template ?? null)],
    ]);
    return [...compare(expected, actual), ...checkSpans(out, { roots, rowOf: rowOf(vector) })];
  };
}

function rowOf(vector: JsonObject): (id: string | number) => PyDict | undefined {
  const train = listAt(vector, 'train');
  const fields = new PyDict(listAt(vector, 'fields').map(decodePair));
  return (id) => {
    if (train.length > 0) return decodeDict(train[Number(id)]);
    return fields.size > 0 ? fields : decodeDict(vector.entry);
  };
}

function createFrom(vector: JsonObject): CompatTemplate {
  const { ice_token } = vector;
  const config = new PyDict([
    ['type', 'PromptTemplate'],
    ['template', decode(vector.template ?? null)],
    ...decodeDict(objectAt(vector, 'kwargs')).entries(),
    ...(ice_token === undefined ? [] : [['ice_token', decode(ice_token)] as const]),
  ]);
  return createTemplate(config, { compat: 'opencompass', path: ['template'] });
}

function runGenerateIce(vector: JsonObject): PyValue {
  const rows = listAt(vector, 'train').map((row, id) => ({ id, entry: decodeDict(row) }));
  const indices = listAt(vector, 'ids').map(Number);
  return generateIce({
    compat: 'opencompass',
    iceTemplate: createFrom(vector),
    shots: pickShots(rows, { indices, compat: 'opencompass' }),
    outputColumn: 'a',
    iceSeparator: decode(vector.ice_separator ?? null),
    iceEosToken: decode(vector.ice_eos_token ?? null),
  });
}

function parseTemplate(vector: JsonObject, parser: 'lm' | 'api'): PyValue {
  const prompt = renderItem(createFrom(vector), {
    entry: decodeDict(vector.entry),
    row: 0,
    ice: decode(vector.ice ?? null),
  });
  return parsePrompt(parserOf(vector, parser), { prompt, mode: textAt(vector, 'mode') });
}

function parserOf(vector: JsonObject, parser: 'lm' | 'api'): ReturnType<typeof createParser> {
  return createParser(decode(vector.meta_template ?? null), {
    compat: 'opencompass',
    parser,
    path: ['meta_template'],
  });
}

function decodePair(pair: Json): [PyValue, PyValue] {
  const [key = null, value = null] = isArray(pair) ? pair : [];
  return [decode(key), decode(value)];
}
