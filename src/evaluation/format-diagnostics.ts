import type { DatasetConfig, ModelConfig } from '../config/config.ts';
import { formatPath } from '../errors.ts';
import { doubledMark } from '../model/beginning-of-text.ts';
import type { Encode } from '../model/request-body.ts';
import { namedFormats } from '../prompt/catalogue.ts';
import type { Diagnostic } from '../prompt/diagnostics.ts';
import type { ModelFormat } from '../prompt/format.ts';
import { entriesOf, getKey, isMapping } from '../prompt/mapping.ts';
import { isSpoken } from './setup-of-config.ts';

export interface FormattedPair {
  readonly model: ModelConfig;
  readonly dataset: DatasetConfig;
  readonly format: ModelFormat;
  readonly mode: 'gen' | 'ppl';
  readonly encode: Encode | undefined;
}

/** What may be wrong with the format of a model, as the prompts of a dataset use it. */
export function formatDiagnostics(pair: FormattedPair): Diagnostic[] {
  return isSpoken(pair.dataset) ? [...withoutGenerate(pair), ...doubledBeginning(pair)] : [];
}

/** Without it nobody knows where the model takes over: what follows the answer is sent. */
function* withoutGenerate({ model, dataset, mode }: FormattedPair): Generator<Diagnostic> {
  const { metaTemplate, source } = model;
  const round = isMapping(metaTemplate) ? getKey(metaTemplate, 'round') : undefined;
  if (mode !== 'gen' || !Array.isArray(round) || round.some(generates)) return;
  if (mentionsGenerate(dataset.inferCfg.promptTemplate?.config.template)) return;
  const path = [...source, 'meta_template', 'round'];
  yield {
    code: 'meta_template.no_generate',
    message: `${formatPath(path)} has no role with \`generate: true\`, so that prompts go on after the place where the model should answer`,
    hint: 'Add `generate: true` to the role that the model speaks as, such as BOT.',
    path,
  };
}

function generates(role: unknown): boolean {
  return isMapping(role) && getKey(role, 'generate') === true;
}

function mentionsGenerate(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(mentionsGenerate);
  if (!isMapping(value)) return false;
  return generates(value) || entriesOf(value).some(([, own]) => mentionsGenerate(own));
}

/** A server that turns text into tokens puts the model's mark before it, whether it is there or not. */
function* doubledBeginning({ model, format, encode }: FormattedPair): Generator<Diagnostic> {
  if (model.type !== 'OpenAICompletions') return;
  if (model.generationKwargs?.add_special_tokens === false) return;
  const found = doubledMark(beginningOf(model, format), encode);
  if (!found) return;
  const isTemplate = format.type === 'chat-template';
  const path = [...model.source, isTemplate ? 'chat_template' : 'meta_template'];
  const { mark, isCertain } = found;
  const readTwice = isCertain
    ? 'and so does the tokenizer behind the server: the model reads it twice'
    : 'and servers for text completions put such a mark before prompts: the model may read it twice';
  const settle = isCertain ? '' : ' A `tokenizer` settles whether it does.';
  yield {
    code: 'model.doubled_bos',
    message: `${formatPath(path)} writes \`${mark}\` at the start of prompts, ${readTwice}`,
    hint: `Leave it out of the format, or write \`generation_kwargs: { add_special_tokens: false }\` for vLLM and SGLang.${settle}`,
    path,
  };
}

/** What prompts in a format begin with. */
function beginningOf({ metaTemplate }: ModelConfig, format: ModelFormat): string {
  if (format.type === 'chat-template') return renderedStart(format);
  const named = namedFormats.find(({ name }) => name === metaTemplate)?.meta;
  const meta = named ?? metaTemplate;
  if (!isMapping(meta)) return '';
  const [first] = [getKey(meta, 'round') ?? []].flat();
  return textAt(getKey(meta, 'begin')) || textAt(isMapping(first) ? getKey(first, 'begin') : first);
}

function renderedStart({
  template,
  variables,
  tools,
  now,
}: ModelFormat & { type: 'chat-template' }) {
  const messages = [{ role: 'user', content: 'Hi' }];
  try {
    return template.render({ messages, addGenerationPrompt: true, variables, tools, now });
  } catch {
    // A template that refuses this says so where it is used.
    return '';
  }
}

/** Token ids are sent as they are, and nothing is put before them. */
function textAt(value: unknown): string {
  const [first] = [value].flat();
  return typeof first === 'string' ? first : '';
}
