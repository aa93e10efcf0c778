import { atPath, CompatError } from '../../python/compat-error.ts';
import { toPython } from '../../python/convert.ts';
import { pyStr } from '../../python/repr.ts';
import { PyDict, type PyValue, typeName } from '../../python/values.ts';
import { type Compat, failAsAisbench } from '../compat.ts';
import { generateMultiTurn } from './multi-turn-template.ts';
import { generateMultimodal } from './multimodal-template.ts';
import { createRawTemplate, generateMessages, type RawTemplate } from './raw-template.ts';
import {
  createPromptTemplate,
  generateIceItem,
  generateItem,
  generateLabelItem,
  type IceItemOptions,
  type ItemOptions,
  type LabelItemOptions,
  type PromptTemplate,
  type TemplateContext,
} from './template.ts';

export type CompatTemplate = PromptTemplate | RawTemplate;

const templateTypes: Readonly<Record<Compat, ReadonlyMap<string, CompatTemplate['type']>>> = {
  opencompass: new Map([
    ['PromptTemplate', 'prompt'],
    ['RawPromptTemplate', 'raw'],
  ]),
  aisbench: new Map([
    ['PromptTemplate', 'prompt'],
    ['MultiTurnPromptTemplate', 'multi-turn'],
    ['MMPromptTemplate', 'multimodal'],
  ]),
};

/** Builds the template that a config with `type`, `template`, `ice_token` … describes. */
export function createTemplate(
  config: unknown,
  { compat, path, columnTokens }: Omit<TemplateContext, 'type'>,
): CompatTemplate {
  const settings = atPath(path, () => readConfig(config));
  const name = pyStr(settings.get('type') ?? 'PromptTemplate').replace(/^.*\./s, '');
  const types = templateTypes[compat];
  const type = types.get(name);
  if (type === undefined) {
    throw new CompatError({
      type: 'KeyError',
      message: `'${name} is not in the icl_prompt_template registry.'`,
      what: `${name} is not a template type of ${compat}`,
      hint: `use one of ${[...types.keys()].join(', ')}`,
      path,
    });
  }
  return type === 'raw'
    ? createRawTemplate(settings, path)
    : createPromptTemplate(settings, { compat, path, type, columnTokens });
}

/** The prompt of a test row. */
export function renderItem(template: CompatTemplate, options: ItemOptions): PyValue {
  switch (template.type) {
    case 'raw':
      return generateMessages(template, options);
    case 'multi-turn':
      return generateMultiTurn(template, options);
    case 'multimodal':
      return generateMultimodal(template, options);
    default:
      return generateItem(template, options);
  }
}

/** One example. */
export function renderIceItem(template: CompatTemplate, options: IceItemOptions): PyValue {
  if (template.type === 'raw') return generateMessages(template, { ...options, ice: '' });
  if (template.type !== 'prompt') throw unsupported(template);
  return generateIceItem(template, options);
}

/** The prompt of a test row for one label. */
export function renderLabelItem(template: CompatTemplate, options: LabelItemOptions): PyValue {
  if (template.type === 'raw') return generateMessages(template, { ...options, ice: '' });
  if (template.type !== 'prompt') throw unsupported(template);
  return generateLabelItem(template, options);
}

function readConfig(config: unknown): PyDict {
  const value = toPython(config);
  if (value instanceof PyDict) return value;
  throw new CompatError({
    type: 'TypeError',
    message: `cfg should be a dict, but got <class '${typeName(value)}'>`,
    what: `a template must be a mapping with type and template, not a ${typeName(value)}`,
  });
}

function unsupported({ type }: PromptTemplate): CompatError {
  const name = [...templateTypes.aisbench].find(([, each]) => each === type)?.[0];
  return failAsAisbench({
    what: `${name} cannot be used for examples or label prompts`,
    hint: 'use PromptTemplate for examples and labels',
    aisbench: [
      'AISBenchImplementationError',
      'ICLR-UNK-001',
      `${name} does not supported to be called in base classes`,
    ],
  });
}
