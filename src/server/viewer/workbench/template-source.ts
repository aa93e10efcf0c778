import { Document, isMap, isScalar, isSeq, type Node } from 'yaml';
import type { Config, DatasetConfig } from '../../../config/config.ts';
import { entriesOf, isMapping } from '../../../prompt/mapping.ts';
import { Float } from '../../../prompt/values.ts';
import { packValue } from '../pack-row.ts';
import { keyOf } from './edited-config.ts';
import { readTemplates, type TemplateText, templateKeys } from './template-text.ts';

export interface TemplateSource {
  readonly text?: TemplateText;
  /** Why the templates cannot be edited here. */
  readonly problem?: string;
}

/** The templates of a dataset as a text that can be edited, which reads as they are. */
export function templateSource(config: Config, dataset: DatasetConfig): TemplateSource {
  const templates = templatesOf(config, dataset);
  if (holdsFunction(templates)) {
    return { problem: 'a function builds the prompts of this dataset: change it in the config' };
  }
  if (Object.keys(templates).length === 0) {
    return { problem: `the prompts of a dataset of type ${dataset.type} are its own` };
  }
  const text = plainTemplate(templates) ?? { form: 'yaml', text: yamlOf(templates) };
  const read = readTemplates(text).templates;
  const isSame = text.form === 'text' || packValue(sorted(read)) === packValue(sorted(templates));
  return isSame ? { text } : { problem: 'these templates contain values that YAML cannot express' };
}

/** The templates of a dataset as the config spells them, those of its task included. */
function templatesOf(
  { written }: Config,
  { source }: DatasetConfig,
): Readonly<Record<string, unknown>> {
  let value: unknown = written.value;
  for (const key of source) {
    value = Array.isArray(value) ? value[Number(key)] : keyOf(value, String(key));
  }
  const infer = keyOf(value, 'infer_cfg');
  const found = templateKeys.map((key) => [key, keyOf(infer, key)] as const);
  return Object.fromEntries(found.filter(([, own]) => own !== undefined && own !== null));
}

/** The text of a template that is nothing but a text. */
function plainTemplate(templates: Readonly<Record<string, unknown>>): TemplateText | undefined {
  const { prompt_template: prompt, ...others } = templates;
  if (Object.keys(others).length > 0 || !isMapping(prompt)) return undefined;
  const { template, type = 'PromptTemplate', ...rest } = Object.fromEntries(entriesOf(prompt));
  const isPlain =
    typeof template === 'string' && type === 'PromptTemplate' && Object.keys(rest).length === 0;
  return isPlain ? { form: 'text', text: template } : undefined;
}

/** Values as YAML, with texts of several lines as blocks. */
export function yamlOf(value: unknown): string {
  const document = new Document(forYaml(value), { aliasDuplicateObjects: false });
  keepFloats(document.contents as Node | null, value);
  return document.toString({ lineWidth: 0 });
}

function forYaml(value: unknown): unknown {
  if (value instanceof Float) return value.value;
  if (Array.isArray(value)) return value.map(forYaml);
  if (!isMapping(value)) return value;
  return new Map(
    entriesOf(value).map(([key, item]) => [key instanceof Float ? key.value : key, forYaml(item)]),
  );
}

/** `1.0` is no `1`. */
function keepFloats(node: Node | null, value: unknown): void {
  if (value instanceof Float && isScalar(node)) node.minFractionDigits = 1;
  if (isSeq<Node>(node) && Array.isArray(value)) {
    for (const [index, item] of node.items.entries()) keepFloats(item, value[index]);
  }
  if (isMap<Node, Node>(node) && isMapping(value)) {
    const entries = entriesOf(value);
    for (const [index, pair] of node.items.entries()) {
      keepFloats(pair.value, entries[index]?.[1]);
    }
  }
}

function sorted(templates: Readonly<Partial<Record<string, unknown>>>): unknown {
  return templateKeys.map((key) => templates[key]);
}

function holdsFunction(value: unknown): boolean {
  if (typeof value === 'function') return true;
  if (Array.isArray(value)) return value.some(holdsFunction);
  return isMapping(value) && entriesOf(value).some(([, item]) => holdsFunction(item));
}
