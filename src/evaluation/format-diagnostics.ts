import type { DatasetConfig, ModelConfig } from '../config/config.ts';
import { type ConfigPath, formatPath } from '../errors.ts';
import { type Beginning, doubledMark, missingMark } from '../model/beginning-of-text.ts';
import type { Encode } from '../model/request-body.ts';
import { namedFormats } from '../prompt/catalogue.ts';
import type { Diagnostic } from '../prompt/diagnostics.ts';
import type { ModelFormat } from '../prompt/format.ts';
import { entriesOf, getKey, isMapping } from '../prompt/mapping.ts';
import type { Prompt } from '../prompt/prompt.ts';
import { withoutOpenThought } from '../score/split-thought.ts';
import { isSpoken } from './setup-of-config.ts';

export interface FormattedModel {
  readonly model: ModelConfig;
  readonly format: ModelFormat;
  readonly encode: Encode | undefined;
}

export interface FormattedPair extends FormattedModel {
  readonly dataset: DatasetConfig;
  readonly mode: 'gen' | 'ppl';
  /** What answers begin with, if that is sent. */
  readonly prefix: string | undefined;
  /** A prompt as it is sent, where one can be made. */
  readonly prompt?: Prompt | undefined;
}

/** What may be wrong with the format of a model, as the prompts of a dataset use it. */
export function formatDiagnostics(pair: FormattedPair): Diagnostic[] {
  return [
    ...(isSpoken(pair.dataset) ? withoutGenerate(pair) : []),
    ...beginningOfText(pair, beginningOf(pair)),
    ...prefixBeforeThoughts(pair),
  ];
}

/** What may be wrong with how the format of a judge begins its prompts. */
export function judgeBeginning(judge: FormattedModel): Diagnostic[] {
  return [...beginningOfText(judge, formatBeginning(judge))];
}

/** Without it nobody knows where the model takes over: what follows the answer is sent. */
function* withoutGenerate({ model, dataset, mode }: FormattedPair): Generator<Diagnostic> {
  const { metaTemplate, source } = model;
  if (mode !== 'gen' || !isMapping(metaTemplate)) return;
  const round = getKey(metaTemplate, 'round');
  if (round === undefined && [getKey(metaTemplate, 'end') ?? ''].flat().join('') !== '') {
    const path = [...source, 'meta_template', 'end'];
    yield {
      code: 'meta_template.no_generate',
      message: `${formatPath(path)} is sent before the model answers, because without \`round\` no role has \`generate: true\``,
      hint: 'Write the roles in `round`, with `generate: true` for the role of the model, or leave out `end`.',
      path,
    };
  }
  if (!Array.isArray(round) || round.some(generates)) return;
  if (mentionsGenerate(dataset.inferCfg.promptTemplate?.config.template)) return;
  const path = [...source, 'meta_template', 'round'];
  yield {
    code: 'meta_template.no_generate',
    message: `${formatPath(path)} has no role with \`generate: true\`, so prompts continue past the point where the model should answer`,
    hint: 'Add `generate: true` to the role of the model, such as BOT.',
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
function* beginningOfText(
  { model, format, encode }: FormattedModel,
  { beginning, path }: WrittenBeginning,
): Generator<Diagnostic> {
  if (model.type !== 'OpenAICompletions') return;
  const isText = !holdsTokenIds(metaOf(model, format));
  const isAdded = isText && model.generationKwargs?.add_special_tokens !== false;
  const missing = isAdded ? undefined : missingMark(beginning, encode);
  if (missing !== undefined) {
    yield {
      code: 'model.missing_bos',
      message: `${formatPath(path)} does not write \`${missing}\` at the start of prompts, although the tokenizer puts it before texts, and the server is ${isText ? 'told to add none' : 'sent token ids, to which it adds nothing'}`,
      hint: isText
        ? 'Remove `add_special_tokens: false`, or write the token in the format.'
        : 'Start the format with the token or its id.',
      path,
    };
  }
  const doubled =
    isAdded && typeof beginning === 'string' ? doubledMark(beginning, encode) : undefined;
  if (!doubled) return;
  const { mark, isCertain } = doubled;
  const readTwice = isCertain
    ? 'and so does the tokenizer of the server: the model sees it twice'
    : 'and text completion servers put such a token before prompts: the model may see it twice';
  const settle = isCertain ? '' : ' With a `tokenizer` this can be checked.';
  yield {
    code: 'model.doubled_bos',
    message: `${formatPath(path)} writes \`${mark}\` at the start of prompts, ${readTwice}`,
    hint: `Remove it from the format, or set \`generation_kwargs: { add_special_tokens: false }\` for vLLM and SGLang.${settle}`,
    path,
  };
}

interface WrittenBeginning {
  readonly beginning: Beginning;
  readonly path: ConfigPath;
}

/** What prompts begin with, and where that is written: the format need not be what comes first. */
function beginningOf(pair: FormattedPair): WrittenBeginning {
  const written = writtenBeginning(pair);
  const { prompt, dataset } = pair;
  if (prompt?.type !== 'text') return written;
  const beginning = prompt.pieces ? (prompt.pieces[0] ?? '') : prompt.text;
  const isWritten =
    typeof beginning !== 'string' ||
    (typeof written.beginning === 'string' && beginning.startsWith(written.beginning));
  return { beginning, path: isWritten ? written.path : templatePath(dataset) };
}

function templatePath({ inferCfg: { promptTemplate, iceTemplate } }: DatasetConfig): ConfigPath {
  return [...((promptTemplate ?? iceTemplate)?.source ?? []), 'template'];
}

function writtenBeginning(pair: FormattedPair): WrittenBeginning {
  const { dataset } = pair;
  if (isSpoken(dataset)) return formatBeginning(pair);
  const template = dataset.inferCfg.promptTemplate ?? dataset.inferCfg.iceTemplate;
  const text = template?.config.template;
  return { beginning: typeof text === 'string' ? text : '', path: templatePath(dataset) };
}

function formatBeginning({ model, format }: FormattedModel): WrittenBeginning {
  if (format.type === 'chat-template') {
    return { beginning: renderedStart(format), path: [...model.source, 'chat_template'] };
  }
  const path = [...model.source, 'meta_template'];
  const meta = metaOf(model, format);
  if (!isMapping(meta)) return { beginning: '', path };
  const [first] = [getKey(meta, 'round') ?? []].flat();
  const begin = startOf(getKey(meta, 'begin'));
  const own = startOf(isMapping(first) ? getKey(first, 'begin') : first);
  return { beginning: begin.length > 0 ? begin : own, path };
}

function metaOf({ metaTemplate }: ModelConfig, format: ModelFormat): unknown {
  if (format.type === 'chat-template') return undefined;
  return namedFormats.find(({ name }) => name === metaTemplate)?.meta ?? metaTemplate;
}

/** Prompts in such a format are sent as token ids. */
function holdsTokenIds(meta: unknown): boolean {
  if (!isMapping(meta)) return false;
  const roles = [getKey(meta, 'round'), getKey(meta, 'reserved_roles')].flat().filter(isMapping);
  return [meta, ...roles].some((part) =>
    ['begin', 'end'].some((key) =>
      [getKey(part, key)].flat().some((one) => typeof one === 'number'),
    ),
  );
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

/** The text at the start of an affix, or the token ids. */
function startOf(value: unknown): Beginning {
  const parts = [value].flat();
  if (typeof parts[0] === 'string') return parts[0];
  const end = parts.findIndex((part) => typeof part !== 'number');
  return (end < 0 ? parts : parts.slice(0, end)) as number[];
}

const thoughtMark = /<think(ing)?>|\[THINK\]|enable_thinking/i;

/** An answer that is begun leaves no room for the thoughts that a model would write before it. */
function* prefixBeforeThoughts({ model, format, prefix }: FormattedPair): Generator<Diagnostic> {
  if (prefix === undefined) return;
  const thinks =
    format.type === 'chat-template'
      ? thoughtMark.test(format.template.source)
      : format.type === 'text'
        ? opensThought(format) || model.thinking !== undefined
        : format.type === 'chat' && format.prefill === true && asksForThoughts(model);
  if (!thinks) return;
  yield {
    code: 'model.prefix_before_thoughts',
    message: `the answers of \`${model.abbr}\` begin with ${JSON.stringify(prefix)}, so it does not think before it answers`,
    hint: 'If the model should think first, remove the text before the hidden answer from the template.',
    path: model.source,
  };
}

/** Whether a meta template opens a thought where the model answers. */
function opensThought({ meta }: ModelFormat & { type: 'text' }): boolean {
  const answering = [...meta.roles.values()].filter(({ generate }) => generate);
  return answering.some(({ begin, opening }) =>
    [begin, opening ?? []].some((nodes) => withoutOpenThought(nodes) !== nodes),
  );
}

function asksForThoughts({ generationKwargs: kwargs = {} }: ModelConfig): boolean {
  const template = kwargs.chat_template_kwargs;
  const isOn = (name: string) => isMapping(template) && getKey(template, name) === true;
  return isOn('enable_thinking') || isOn('thinking') || kwargs.reasoning_effort !== undefined;
}
