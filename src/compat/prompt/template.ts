import type { ConfigPath } from '../../errors.ts';
import type { Origin } from '../../prompt/origin.ts';
import { atPath, CompatError } from '../../python/compat-error.ts';
import { mapTexts, toTracedPython } from '../../python/convert.ts';
import { pyContains, pySubscript } from '../../python/operators.ts';
import { pyRepr, pyStr } from '../../python/repr.ts';
import { plainText, replaceText, toTraced, traceText } from '../../python/traced-text.ts';
import { isList, isText, PromptList, PyDict, type PyValue, typeName } from '../../python/values.ts';
import { type Compat, failAs } from '../compat.ts';
import { type Filling, safeFormat } from './format.ts';
import { extendPromptList, formatPromptList, replaceToken } from './prompt-list.ts';

/** A template of the kind `PromptTemplate`, checked. */
export interface PromptTemplate {
  readonly type: 'prompt' | 'multi-turn' | 'multimodal';
  readonly compat: Compat;
  readonly path: ConfigPath;
  readonly template: PyValue;
  readonly iceToken: string | null;
  readonly sepToken: string | null;
  readonly promptType: 'origin' | 'meta';
}

export interface TemplateContext {
  readonly compat: Compat;
  readonly path: ConfigPath;
  /** Marks that stand for columns; neither system knows them any more, so they become placeholders. */
  readonly columnTokens?: ReadonlyMap<string, string> | undefined;
  readonly type: PromptTemplate['type'];
}

export interface ItemOptions extends Filling {
  /** Column whose value is hidden, if any. */
  readonly outputField?: PyValue;
  /** What stands in place of the hidden value. */
  readonly outputFieldReplaceToken?: PyValue;
  /** The examples. */
  readonly ice?: PyValue;
}

export interface IceItemOptions extends Filling {
  readonly label: PyValue;
}

export interface LabelItemOptions extends IceItemOptions {
  readonly ice: PyValue;
  readonly remainSep?: boolean;
}

const sectionNames = ['begin', 'round', 'end'];

/** Checks the arguments of a `PromptTemplate` as its constructor does. */
export function createPromptTemplate(
  config: PyDict,
  { compat, path, type, columnTokens }: TemplateContext,
): PromptTemplate {
  return atPath(path, () => {
    checkArguments(config, { required: ['template'], optional: ['ice_token', 'sep_token'] });
    const written = toTracedPython(config.get('template'), [...path, 'template']);
    const template = columnTokens ? withPlaceholders(written, columnTokens) : written;
    if (!isText(template) && !(template instanceof PyDict)) {
      throw failAs(compat, {
        what: `a template must be a string or a mapping, not a ${typeName(template)}`,
        opencompass: ['AssertionError', ''],
        aisbench: [
          'AISBenchValueError',
          'ICLR-TYPE-001',
          `Prompt template must be a str or a dict, but got <class '${typeName(template)}'>`,
        ],
      });
    }
    const iceToken = readToken(config.get('ice_token') ?? null, compat);
    const sepToken = readToken(config.get('sep_token') ?? null, compat);
    const values = isText(template) ? [template] : template.values();
    for (const value of values) checkTemplateValue(value, { iceToken, compat });
    const promptType =
      template instanceof PyDict &&
      template.size === sectionNames.filter((name) => template.has(name)).length
        ? 'meta'
        : 'origin';
    return { type, compat, path, template, iceToken, sepToken, promptType };
  });
}

function withPlaceholders(template: PyValue, tokens: ReadonlyMap<string, string>): PyValue {
  return mapTexts(template, (text) => {
    let replaced = toTraced(text);
    for (const [column, needle] of tokens) {
      const replacement = (origin: Origin) => traceText(`{${column}}`, origin);
      replaced = replaceText(replaced, { needle, replacement });
    }
    return replaced;
  });
}

/** `generate_item`: the prompt of a test row. */
export function generateItem(template: PromptTemplate, options: ItemOptions): PyValue {
  return atPath(template.path, () => {
    const { outputField = null, outputFieldReplaceToken = '', ice = '' } = options;
    let prompt = encodeTemplate(firstChoice(template), { ice: false });
    prompt = replaceIce(prompt, { template, ice });
    prompt = removeSeparator(prompt, template);
    if (outputField === null) return fill(prompt, options);
    const entry = options.entry.with(outputField, outputFieldReplaceToken);
    return fill(prompt, { ...options, entry, maskedField: pyStr(outputField) });
  });
}

/** `generate_ice_item`: one example. */
export function generateIceItem(template: PromptTemplate, options: IceItemOptions): PyValue {
  return atPath(template.path, () => {
    const prompt = encodeTemplate(chooseByLabel(template, options.label), { ice: true });
    // the original computes this and forgets the result, but the errors are real
    removeSeparator(prompt, template);
    return fill(replaceIce(prompt, { template, ice: '' }), options);
  });
}

/** `generate_label_prompt_item`: the prompt of a test row for one label. Nothing is hidden. */
export function generateLabelItem(template: PromptTemplate, options: LabelItemOptions): PyValue {
  return atPath(template.path, () => {
    let prompt = encodeTemplate(chooseByLabel(template, options.label), { ice: false });
    if (options.remainSep !== true) prompt = removeSeparator(prompt, template);
    return fill(replaceIce(prompt, { template, ice: options.ice }), options);
  });
}

/** Turns a dialogue template into a list with marks around its sections; text stays as it is. */
export function encodeTemplate(template: PyValue, { ice }: { readonly ice: boolean }): PyValue {
  if (isText(template)) return template;
  let list = new PromptList([]);
  if (pyContains(template, 'begin') && !ice) {
    list = extendPromptList(list, section(pySubscript(template, 'begin'), 'begin'));
  }
  const name = ice ? 'ice' : 'round';
  list = extendPromptList(list, [mark(name, 'begin')]);
  list = extendPromptList(list, pySubscript(template, 'round'));
  list = extendPromptList(list, [mark(name, 'end')]);
  if (pyContains(template, 'end') && !ice) {
    list = extendPromptList(list, section(pySubscript(template, 'end'), 'end'));
  }
  return list;
}

/** Fills a string or a `PromptList` with a row. */
export function fill(prompt: PyValue, filling: Filling): PyValue {
  return prompt instanceof PromptList
    ? formatPromptList(prompt, filling)
    : safeFormat(prompt, filling);
}

/** The `TypeError`s of a constructor call with the wrong arguments. */
export function checkArguments(
  config: PyDict,
  { required, optional }: { required: readonly string[]; optional: readonly string[] },
): void {
  const known = ['type', ...required, ...optional];
  const unknown = config.keys().find((key) => !known.includes(pyStr(key)));
  const missing = required.find((name) => !config.has(name));
  if (unknown === undefined && missing === undefined) return;
  throw new CompatError({
    type: 'TypeError',
    message:
      unknown === undefined
        ? `__init__() missing 1 required positional argument: '${missing}'`
        : `__init__() got an unexpected keyword argument ${pyRepr(unknown)}`,
    what:
      unknown === undefined
        ? `the template has no "${missing}"`
        : `the template has the key ${pyRepr(unknown)}, which is unknown`,
    hint: `known keys: ${known.join(', ')}`,
  });
}

function readToken(token: PyValue, compat: Compat): string | null {
  if (token === null || isText(token)) return token === null ? null : plainText(token);
  const message = `Expected an object in [None, 'str'] type, but got ${pyStr(token)}`;
  throw failAs(compat, {
    what: `ice_token and sep_token must be strings, not a ${typeName(token)}`,
    opencompass: ['TypeError', message],
    aisbench: ['AISBenchInvalidTypeException', 'UTILS-TYPE-001', message],
  });
}

function checkTemplateValue(
  value: PyValue,
  { iceToken, compat }: Pick<PromptTemplate, 'iceToken' | 'compat'>,
): void {
  if (!isText(value)) {
    if (isList(value) || value instanceof PyDict) return;
    const got = pyStr(value);
    const message = `dictionary of template expects a str, list or a dict, but got '${got}'`;
    throw failAs(compat, {
      what: `a template's values must be strings, lists or mappings, not a ${typeName(value)}`,
      opencompass: ['TypeError', message],
      aisbench: ['AISBenchValueError', 'ICLR-TYPE-002', message],
    });
  }
  if (iceToken === null || plainText(value).includes(iceToken)) return;
  const message = `'${iceToken}' not in '${plainText(value)}'`;
  throw failAs(compat, {
    what: `the ice_token "${iceToken}" is not in the template ${JSON.stringify(plainText(value))}`,
    hint: `write "${iceToken}" where the examples go, or leave out ice_token`,
    opencompass: ['LookupError', message],
    aisbench: ['AISBenchValueError', 'ICLR-PARAM-001', message],
  });
}

function firstChoice({ template, promptType }: PromptTemplate): PyValue {
  if (isText(template) || promptType === 'meta') return template;
  return template instanceof PyDict ? (template.values()[0] ?? null) : template;
}

function chooseByLabel({ template, promptType }: PromptTemplate, label: PyValue): PyValue {
  return isText(template) || promptType === 'meta' ? template : pySubscript(template, label);
}

function replaceIce(
  prompt: PyValue,
  { template, ice }: { readonly template: PromptTemplate; readonly ice: PyValue },
): PyValue {
  const { iceToken: token, compat } = template;
  return token === null ? prompt : replaceToken(prompt, { token, replacement: ice, compat });
}

function removeSeparator(prompt: PyValue, template: PromptTemplate): PyValue {
  const { sepToken: token, compat } = template;
  return token === null ? prompt : replaceToken(prompt, { token, replacement: '', compat });
}

function section(content: PyValue, name: 'begin' | 'end'): PyValue[] {
  const items = Array.isArray(content) ? content : [content];
  // the mark that opens an end section says end as well in the original
  return [mark(name, name), ...items, mark(name, 'end')];
}

function mark(name: string, position: string): PyDict {
  return new PyDict([
    ['section', name],
    ['pos', position],
  ]);
}
