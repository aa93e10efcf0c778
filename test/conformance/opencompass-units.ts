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
import {
  addPromptListTo,
  addToPromptList,
  extendPromptList,
  formatPromptList,
  promptListText,
  replaceToken,
} from '../../src/compat/prompt/prompt-list.ts';
import { pyStr } from '../../src/python/repr.ts';
import { PromptList, PyDict, type PyValue } from '../../src/python/values.ts';
import { decode, decodeDict, decodePrompt } from './codec.ts';
import { compare, type Difference, errorOf } from './compare.ts';
import type { Handlers } from './handler.ts';
import { type JsonObject, objectAt, textAt } from './json.ts';
import { inStage, observe } from './observe.ts';
import { checkSpans } from './spans.ts';

/** Vectors of single functions: `unit`, `template`, `lm_parse` and `api_parse`. */
export const opencompassUnitHandlers: Handlers = {
  unit: runUnit,
  template: runTemplate,
  lm_parse: (vector) => runParse(vector, 'lm'),
  api_parse: (vector) => runParse(vector, 'api'),
};

export function compareExpectation(vector: JsonObject, actual: JsonObject): Difference[] {
  const { error, ...outputs } = objectAt(vector, 'expect');
  return compare(
    error === undefined ? outputs : { ...outputs, error: errorOf(error) ?? null },
    actual,
  );
}

async function runUnit(vector: JsonObject): Promise<Difference[]> {
  const actual = await observe(async (observation) => {
    observation.set('out', await inStage('op', () => runOperation(vector)));
  });
  return compareExpectation(vector, actual);
}

function runOperation(vector: JsonObject): PyValue {
  const input = decode(vector.input ?? null);
  const list = decodeList(vector);
  const other = decodePrompt(vector.other ?? null);
  const filling = { entry: decodeDict(vector.kwargs), row: 0 };
  switch (vector.op) {
    case 'safe_format':
      return safeFormat(input, filling);
    case 'py_str':
      return pyStr(decode(vector.value ?? null));
    case 'token_len':
      return countTokens(pyStr(input));
    case 'format':
      return formatPromptList(list, filling);
    case 'replace':
      return replaceToken(list, {
        token: textAt(vector, 'src'),
        replacement: decodePrompt(vector.dst ?? null),
        compat: 'opencompass',
      });
    case 'add':
      return addToPromptList(list, other);
    case 'radd':
      return addPromptListTo(other, list);
    case 'iadd':
      return extendPromptList(list, other);
    case 'str':
      return promptListText(list, 'opencompass');
    default:
      throw new Error(`there is no op ${String(vector.op)}`);
  }
}

async function runTemplate(vector: JsonObject): Promise<Difference[]> {
  const config = decode(vector.template ?? null);
  const entry = decodeDict(vector.entry);
  let out: PyValue = null;
  const actual = await observe(async (observation) => {
    const template = await inStage('construct', () =>
      createTemplate(config, { compat: 'opencompass', path: ['template'] }),
    );
    out = await inStage('call', () => callMethod(template, { vector, entry }));
    observation.set('out', out);
    observation.setJson('prompt_type', template.promptType);
  });
  const roots = new PyDict([['template', config]]);
  return [...compareExpectation(vector, actual), ...checkSpans(out, { roots, rowOf: () => entry })];
}

function callMethod(
  template: CompatTemplate,
  { vector, entry }: { readonly vector: JsonObject; readonly entry: PyDict },
): PyValue {
  const args = objectAt(vector, 'args');
  const label = decode(args.label ?? null);
  const ice = decodePrompt(args.ice ?? null);
  const icePrompt = args.ice_field_replace_token;
  const replacement = args.output_field_replace_token;
  switch (vector.method) {
    case 'generate_item':
      return renderItem(template, {
        entry,
        row: 0,
        outputField: decode(args.output_field ?? null),
        outputFieldReplaceToken: replacement === undefined ? '' : decode(replacement),
        ice: icePrompt === undefined ? '' : decodePrompt(icePrompt),
      });
    case 'generate_ice_item':
      return renderIceItem(template, { entry, row: 0, label });
    case 'generate_label_prompt_item':
      return renderLabelItem(template, {
        entry,
        row: 0,
        label,
        ice,
        remainSep: args.remain_sep === true,
      });
    default:
      throw new Error(`there is no method ${String(vector.method)}`);
  }
}

async function runParse(vector: JsonObject, parser: 'lm' | 'api'): Promise<Difference[]> {
  const metaTemplate = decode(vector.meta_template ?? null);
  let out: PyValue = null;
  const actual = await observe(async (observation) => {
    const made = await inStage('construct', () =>
      createParser(metaTemplate, { compat: 'opencompass', parser, path: ['meta_template'] }),
    );
    const prompt = decodePrompt(vector.prompt ?? null);
    out = await inStage('parse', () => parsePrompt(made, { prompt, mode: textAt(vector, 'mode') }));
    observation.set('out', out);
  });
  const roots = new PyDict([['meta_template', metaTemplate]]);
  return [
    ...compareExpectation(vector, actual),
    ...checkSpans(out, { roots, rowOf: () => undefined }),
  ];
}

function decodeList(vector: JsonObject): PromptList {
  const list = decodePrompt(vector.list ?? []);
  return list instanceof PromptList ? list : new PromptList([]);
}
