import { extname } from 'node:path';
import type { Config, DatasetConfig, ModelConfig } from '../../config/config.ts';
import { ModelError, TypecaseError } from '../../errors.ts';
import { entriesOf, getKey, isMapping, type Mapping, toPlain } from '../../prompt/mapping.ts';
import { formatValue, type Row } from '../../prompt/values.ts';
import { abilityFor } from '../inference.ts';
import { labelsInData } from '../prompt-setup.ts';
import { type AskedLabels, askForLabel, askInMessages } from './ask-for-label.ts';

interface Offered {
  readonly config: Config;
  readonly dataset: DatasetConfig;
  readonly model: ModelConfig | undefined;
  /** The rows that labels are known by, where the config does not name them. */
  readonly samples: () => Promise<readonly { readonly id: number | string; readonly row: Row }[]>;
}

/** The error of a model that tells no likelihoods, with a config by which it writes the labels. */
export async function offerGeneration(error: unknown, offered: Offered): Promise<unknown> {
  if (!(error instanceof ModelError)) return error;
  const form = await generationForm(offered);
  if (form === undefined) return error;
  const { abbr } = offered.dataset;
  const hint = `${error.hint ?? ''}
Or let the model write its answer. This is a different task, and its scores cannot be compared. In \`${abbr}\`, replace \`infer_cfg\` and \`eval_cfg\` with:

${form}`;
  return Object.assign(error, { hint: hint.trimStart() });
}

/** The `infer_cfg` and `eval_cfg` in which the labels of a dataset are written, not measured. */
async function generationForm(offered: Offered): Promise<string | undefined> {
  const { config, dataset, model } = offered;
  const { inferencer, retriever } = dataset.inferCfg;
  if (!labelInferencers.has(inferencer.type) || abilityFor(inferencer.type) === 'generate')
    return undefined;
  if (retriever.type === 'MDLRetriever') return undefined;
  const written = dataset.source.reduce<unknown>(
    (value, key) =>
      Array.isArray(value)
        ? value[Number(key)]
        : isMapping(value)
          ? getKey(value, String(key))
          : undefined,
    config.written.value,
  );
  const infer = isMapping(written) ? getKey(written, 'infer_cfg') : undefined;
  if (!isMapping(written) || !isMapping(infer)) return undefined;
  const labels = (await labelsOf(offered, infer)).map(trimmedLabel);
  if (labels.length < 2 || labels.some((label) => /[{}\n]/.test(formatValue(label))))
    return undefined;
  const inferCfg = generatingInfer(infer, { labels, dataset });
  if (!inferCfg) return undefined;
  const type = model?.type === 'OpenAICompletions' ? 'first-option' : 'last-option';
  const evaluation = getKey(written, 'eval_cfg');
  const evalCfg = {
    evaluator: { type: 'exact' },
    ...(isMapping(evaluation) && Object.fromEntries(entriesOf(evaluation))),
    pred_postprocessor: { type, options: labels.map(formatValue) },
  };
  const form = toPlain({ infer_cfg: inferCfg, eval_cfg: evalCfg }) as Record<string, unknown>;
  return spell(form, config.file);
}

/** Spaces that a label is measured with are no part of what the model is to write. */
function trimmedLabel(label: unknown): unknown {
  return typeof label === 'string' ? label.trim() : label;
}

const labelInferencers = new Set(['PPLInferencer', 'LLInferencer', 'CLPInferencer']);

async function labelsOf({ dataset, samples }: Offered, infer: Mapping) {
  const { inferencer } = dataset.inferCfg;
  if (inferencer.labels) return inferencer.labels;
  if (inferencer.type === 'CLPInferencer') return [];
  const template = templateOf(getKey(infer, 'prompt_template') ?? getKey(infer, 'ice_template'));
  if (isLabelled(template)) return entriesOf(template).map(([label]) => label);
  try {
    return labelsInData({ test: await samples(), train: [] }, dataset.readerCfg.outputColumn);
  } catch (error) {
    // Rows that cannot be read are not what this error is about.
    if (TypecaseError.isInstance(error)) return [];
    throw error;
  }
}

function isLabelled(template: unknown): template is Mapping {
  return (
    isMapping(template) &&
    !['begin', 'round', 'end'].some((key) => getKey(template, key) !== undefined)
  );
}

function templateOf(config: unknown): unknown {
  return isMapping(config) ? getKey(config, 'template') : undefined;
}

interface Generating {
  readonly labels: readonly unknown[];
  readonly dataset: DatasetConfig;
}

function generatingInfer(infer: Mapping, { labels, dataset }: Generating): object | undefined {
  const convert = (key: 'prompt_template' | 'ice_template', lists: boolean) => {
    const config = getKey(infer, key);
    if (!isMapping(config)) return {};
    const { outputColumn } = dataset.readerCfg;
    const asked = { labels, answer: placeholderOf(config, outputColumn), lists };
    const converted = convertTemplate(config, asked);
    return converted && { [key]: converted };
  };
  const hasPrompt = isMapping(getKey(infer, 'prompt_template'));
  const prompt = convert('prompt_template', true);
  const ice = convert('ice_template', !hasPrompt);
  if (!prompt || !ice) return undefined;
  return {
    ...Object.fromEntries(entriesOf(infer)),
    ...prompt,
    ...ice,
    inferencer: { type: 'GenInferencer' },
  };
}

function convertTemplate(config: Mapping, asked: AskedLabels): object | undefined {
  const own = Object.fromEntries(entriesOf(config));
  const template = templateOf(config);
  const messages = getKey(config, 'messages');
  // An example that shows its answer by itself stays as it is.
  if (!asked.lists && typeof template === 'string') return own;
  if (messages !== undefined) {
    const converted = askInMessages(messages, asked);
    return converted === undefined ? undefined : { ...own, messages: converted };
  }
  if (wouldLeaveGap(template, asked.answer)) return undefined;
  const converted = askForLabel(template, asked);
  return converted === undefined ? undefined : { ...own, template: converted };
}

/** Whether the answer stands elsewhere than where the model is to write it, and would be left out there. */
function wouldLeaveGap(template: unknown, answer: string): boolean {
  if (answer === '') return false;
  const places = JSON.stringify(toPlain(template)).split(answer).length - 1;
  return places > (isLabelled(template) ? 0 : 1);
}

function placeholderOf(config: Mapping, column: string | undefined): string {
  const tokens = getKey(config, 'column_token_map');
  const token = isMapping(tokens) && column !== undefined ? getKey(tokens, column) : undefined;
  return typeof token === 'string' ? token : column === undefined ? '' : `{${column}}`;
}

/** As the config is written: YAML, or the members of an object. */
async function spell(form: Readonly<Record<string, unknown>>, file: string | undefined) {
  if (file !== undefined && /^\.ya?ml$/.test(extname(file))) {
    const { stringify } = await import('yaml');
    return stringify(form, { lineWidth: 0 }).trimEnd();
  }
  return Object.entries(form)
    .map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value, null, 2)}`)
    .join(',\n');
}
