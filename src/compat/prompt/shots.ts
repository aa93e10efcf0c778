import type { RowId } from '../../prompt/origin.ts';
import { CompatError } from '../../python/compat-error.ts';
import { mapOriginsIn } from '../../python/convert.ts';
import { noAttribute, pyAdd, pyIterate, pySubscript } from '../../python/operators.ts';
import { pyStr } from '../../python/repr.ts';
import { concatTexts, plainText, type Text, traceText } from '../../python/traced-text.ts';
import { isText, PromptList, type PyDict, type PyValue, typeName } from '../../python/values.ts';
import { type Compat, failAs } from '../compat.ts';
import { type CompatTemplate, renderIceItem } from './any-template.ts';
import { addToPromptList, extendPromptList } from './prompt-list.ts';

/** The two templates of an `infer_cfg`; at least one is needed to make a prompt. */
export interface TemplatePair {
  readonly compat: Compat;
  readonly promptTemplate?: CompatTemplate | undefined;
  readonly iceTemplate?: CompatTemplate | undefined;
}

/** A row that serves as an example. */
export interface Shot {
  readonly id: RowId;
  readonly entry: PyDict;
}

export interface Separators {
  readonly iceSeparator: PyValue;
  readonly iceEosToken: PyValue;
}

export interface IceOptions extends Separators {
  readonly compat: Compat;
  readonly iceTemplate?: CompatTemplate | undefined;
  readonly shots: readonly Shot[];
  readonly outputColumn: string | null;
}

/** The separators of a retriever config: `ZeroRetriever` puts none unless it is told to. */
export function readSeparators(retriever: PyDict): Separators {
  const isZero = /(^|\.)ZeroRetriever$/.test(pyStr(retriever.get('type') ?? ''));
  const get = (key: string, fallback: string): PyValue => {
    const value = retriever.get(key);
    return value === undefined ? fallback : value;
  };
  return {
    iceSeparator: isZero ? '' : get('ice_separator', '\n'),
    iceEosToken: get('ice_eos_token', isZero ? '' : '\n'),
  };
}

/** The rows that `FixKRetriever` and its kin point to; a negative index counts from the end. */
export function pickShots<Row>(
  rows: readonly Row[],
  { indices, compat }: { readonly indices: readonly number[]; readonly compat: Compat },
): Row[] {
  for (const index of indices) {
    const outside = index >= rows.length || (compat === 'aisbench' && index < 0);
    if (outside) {
      throw failAs(compat, {
        what: `example ${index} does not exist: the train split has ${rows.length} rows`,
        hint: 'correct fix_id_list, or widen train_range',
        opencompass: ['AssertionError', `Index ${index} is out of range of ${rows.length}`],
        aisbench: [
          'AISBenchValueError',
          'ICLR-PARAM-004',
          `Fix-K retriever index ${index} is out of range of [0, ${rows.length})`,
        ],
      });
    }
  }
  return indices.map((index) => {
    const row = rows.at(index);
    if (row !== undefined) return row;
    throw new CompatError({
      type: 'IndexError',
      message: `Invalid key: ${index} is out of bounds for size ${rows.length}`,
      what: `example ${index} does not exist: the train split has ${rows.length} rows`,
      hint: 'correct fix_id_list',
    });
  });
}

/** The template that makes the prompt of a test row. */
export function chooseTemplate(templates: TemplatePair): CompatTemplate {
  const { compat, promptTemplate, iceTemplate } = templates;
  const chosen = promptTemplate ?? iceTemplate;
  if (chosen === undefined) {
    const message = 'Leaving prompt as empty is not supported';
    throw failAs(compat, {
      what: 'there is neither a prompt_template nor an ice_template',
      hint: 'add a prompt_template to infer_cfg',
      opencompass: ['NotImplementedError', message],
      aisbench: ['AISBenchImplementationError', 'ICLR-IMPL-003', message],
    });
  }
  if (iceTemplate === undefined || chosen.iceToken !== null) return chosen;
  const name = promptTemplate === undefined ? 'ice_template' : 'prompt_template';
  const message = `ice_token of ${name} is not provided`;
  throw failAs(compat, {
    what: `${name} has no ice_token, so nothing says where the examples go`,
    hint: `add ice_token: "</E>" and write </E> where the examples go`,
    opencompass: ['NotImplementedError', message],
    aisbench: ['AISBenchImplementationError', 'ICLR-IMPL-002', message],
  });
}

/** `generate_ice`: the examples of a prompt, as text, as a `PromptList` or as messages. */
export function generateIce(options: IceOptions): PyValue {
  const { iceTemplate, shots, compat } = options;
  if (iceTemplate === undefined && shots.length > 0) {
    const message =
      'You have not specified ice_template while retrieving examples from train set! ' +
      'Please either specify ice_template or use `ZeroRetriever`.';
    throw failAs(compat, {
      what: 'there are examples, but no ice_template for them',
      hint: 'add an ice_template, or use ZeroRetriever',
      opencompass: ['AssertionError', message],
      aisbench: ['AISBenchValueError', 'ICLR-PARAM-002', message],
    });
  }
  const items = shots.map(({ id, entry }, shot) => {
    const label = pySubscript(entry, options.outputColumn);
    if (iceTemplate === undefined) return null;
    return markExample(renderIceItem(iceTemplate, { entry, label, row: id, shot }), shot);
  });
  if (iceTemplate?.type === 'raw') return items.flatMap((item) => pyIterate(item));
  const isMeta = iceTemplate?.promptType === 'meta';
  return joinIce(items, isMeta ? { iceSeparator: '', iceEosToken: '' } : options);
}

/** Says of the template's text, as of the row's, which example it belongs to. */
function markExample(item: PyValue, shot: number): PyValue {
  return mapOriginsIn(item, (origin) => (origin.type === 'literal' ? { ...origin, shot } : origin));
}

function joinIce(items: readonly PyValue[], separators: Separators): PyValue {
  const separator = separatorText(separators.iceSeparator, 'ice_separator');
  const end = separatorText(separators.iceEosToken, 'ice_eos_token');
  if (items[0] instanceof PromptList) {
    const joined = items.reduce<PromptList>(
      (list, item) =>
        extendPromptList(
          list,
          item instanceof PromptList ? addToPromptList(item, separator) : pyAdd(item, separator),
        ),
      new PromptList([]),
    );
    return new PromptList([...joined.items, end]);
  }
  if (!isText(separator)) throw noAttribute(separator, 'join');
  const texts = items.flatMap((item, index): Text[] => {
    if (isText(item)) return index === 0 ? [item] : [separator, item];
    throw new CompatError({
      type: 'TypeError',
      message: `sequence item ${index}: expected str instance, ${typeName(item)} found`,
      what: 'some examples are text and some are dialogues',
      hint: 'write the templates of all labels in the same form',
    });
  });
  return pyAdd(concatTexts(texts), end);
}

function separatorText(value: PyValue, name: 'ice_separator' | 'ice_eos_token'): PyValue {
  return isText(value) ? traceText(plainText(value), { type: 'separator', name }) : value;
}
