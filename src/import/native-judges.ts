import { replyReader } from '../compat/scoring/replies/read-replies.ts';
import { type EndpointOptions, nativeModel } from './native-models.ts';
import type { Note } from './note.ts';
import { asPlain, lastName, type Plain, pickKeys } from './plain-value.ts';
import type { TreeTexts } from './tree-texts.ts';

/** What is known of judges: those that were met so far, by their abbr. */
export interface JudgeContext extends EndpointOptions {
  /** The judge of all evaluators that bring none. */
  readonly judgeModel?: Plain | undefined;
  readonly judges: Map<string, Plain>;
  readonly notes: Note[];
}

interface LaterJudgeContext extends JudgeContext {
  /** The dataset that is scored. */
  readonly entry: Plain;
  /** Texts of the tree that prompts are made of. */
  readonly textsOf?: TreeTexts | undefined;
}

/** Several judges there vote; here one can be asked. */
export function nativeAtlasJudge(
  given: Plain,
  context: JudgeContext,
  entry: Plain,
): Plain | undefined {
  const judges = [asPlain(given.judge_cfg)?.judgers ?? []].flat();
  if (judges.length > 1) {
    const text = `asks ${judges.length} judges that vote, which has no counterpart: answers are not scored`;
    context.notes.push({ name: lastName(given.type), text });
    return undefined;
  }
  const judge = { ...given, type: 'GenericLLMEvaluator', judge_cfg: judges[0] ?? {} };
  return nativeJudge(judge, context, entry);
}

/**
 * A judge of AISBench, which is asked about saved answers by settings of the dataset: its evaluator
 * and post-processor read the replies.
 */
export function nativeLaterJudge(evalCfg: Plain, context: LaterJudgeContext): Plain | undefined {
  const { entry, textsOf } = context;
  const asked = asPlain(entry.judge_infer_cfg) ?? {};
  const evaluator = lastName(asPlain(evalCfg.evaluator)?.type);
  const cleaner = lastName(asPlain(evalCfg.pred_postprocessor)?.type);
  const written = JSON.stringify(asked.prompt_template ?? {});
  const text = textsOf?.(entry)?.judge_prompt;
  const template = written.replace(/"ais_bench\.[\w.]+\.[A-Z_]+"/g, (name) =>
    typeof text === 'string' ? JSON.stringify(text) : name,
  );
  const type = cleaner === '' ? evaluator : cleaner;
  const reader = replyReader({ type });
  const prompt = asPlain(JSON.parse(template.replaceAll('{model_answer}', '{prediction}')));
  if (!prompt || !reader || /"ais_bench\.[\w.]+\.[A-Z_]+"/.test(template)) {
    const lacks = reader ? 'has a prompt that is not found in the tree' : 'has no counterpart';
    context.notes.push({ name: type, text: `${lacks}: answers are not scored` });
    return undefined;
  }
  const given = {
    type: 'GenericLLMEvaluator',
    prompt_template: prompt,
    judge_cfg: asked.judge_model,
    dict_postprocessor: { type },
  };
  return nativeJudge(given, context, entry);
}

/** An evaluator that asks a judge; nothing where its replies cannot be read as there. */
export function nativeJudge(given: Plain, context: JudgeContext, entry: Plain): Plain | undefined {
  const type = lastName(given.type);
  const template = asPlain(given.prompt_template);
  const reading = template && readingOf(given, { type, entry, notes: context.notes });
  if (!template || !reading) return undefined;
  const { multi_eval: isSeveral, pack_all_predictions: isPacked } = given;
  return {
    type,
    model: judgeOf(judgeCfg(given, context), context),
    prompt_template: {
      type: lastName(template.type),
      ...pickKeys(template, ['template', 'messages']),
    },
    ...reading,
    ...(isSeveral === true && { multi_eval: true }),
    ...(isPacked === true && { pack_all_predictions: true }),
  };
}

/** The judge that an evaluator brings, or that of the whole config. */
function judgeCfg(given: Plain, { judgeModel }: JudgeContext): Plain {
  const own = asPlain(given.judge_cfg) ?? {};
  return Object.keys(own).length > 0 ? own : (judgeModel ?? {});
}

interface ReadBy {
  readonly type: string;
  readonly entry: Plain;
  readonly notes: Note[];
}

/** How replies become a score: by a function of the evaluator, or by the summarizer of the dataset. */
function readingOf(given: Plain, { type, entry, notes }: ReadBy): Plain | undefined {
  const refuse = (text: string) => {
    notes.push({ name: type, text: `${text}: answers are not scored` });
    return undefined;
  };
  if (given.meta_review_prompt_template) {
    return refuse('`meta_review_prompt_template` has no counterpart');
  }
  const written =
    asPlain(given.dict_postprocessor) ?? asPlain(entry.summarizer) ?? usualReader(entry, notes);
  const name = lastName(written?.type);
  const verdict = written && verdictOf(written);
  if (verdict) return { verdict };
  const reader = written && { ...pickKeys(written, ['summary_type']), type: name };
  const found = reader && replyReader(reader);
  if (!found) {
    return refuse(
      name === ''
        ? 'the config does not say how its replies are read'
        : `its replies are read by \`${name}\`, which has no counterpart`,
    );
  }
  if (!found.isPair) return { dict_postprocessor: reader };
  const rivals = [entry.base_models ?? []].flat().map((model) => String(asPlain(model)?.abbr));
  if (rivals.length === 0) return refuse('the config names no `base_models` to compare with');
  if (name.includes('bradleyterry')) {
    const text =
      'is the share of games that are won, ties as half: ratings of several models are not worked out';
    notes.push({ name, text, isMinor: true });
  }
  const order = entry.infer_order === 'double' ? 'double' : 'random';
  return { dict_postprocessor: reader, base_models: rivals, infer_order: order };
}

/** Summarizers of datasets whose configs name none: which one reads their replies, examples say there. */
const usualSummarizers: Readonly<Record<string, string>> = {
  CharmDataset: 'CharmMemSummarizer',
  CompassBenchCheklistDataset: 'CompassBenchSummarizer',
  FlamesDataset: 'FlamesSummarizer',
};

function usualReader(entry: Plain, notes: Note[]): Plain | undefined {
  const name = lastName(entry.type);
  const type = usualSummarizers[name];
  if (type === undefined) return undefined;
  const text = `names no function that reads the judge's replies; they are read as \`${type}\` reads them`;
  notes.push({ name, text, isMinor: true });
  return { type };
}

const letters = (correct: string, ...others: readonly string[]): Plain => ({
  type: 'json',
  values: Object.fromEntries([[correct, 1], ...others.map((letter) => [letter, 0])]),
  pattern: [correct, ...others]
    .map((tag) => tag.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
    .join('|'),
  take: 'first',
});

const verdicts: Readonly<Record<string, (given: Plain) => Plain>> = {
  generic_llmjudge_postprocess: ({ true_tag: right = 'A', false_tag: wrong = 'B' }) =>
    letters(String(right), String(wrong)),
  generic_llmjudge_academic_postprocess: () => letters('A', 'B'),
  medmcqa_llmjudge_postprocess: () => letters('A', 'B'),
  medbullets_llmjudge_postprocess: () => letters('A', 'B'),
  MedXpertQA_llmjudge_postprocess: () => letters('A', 'B'),
  supergpqa_llmjudge_postprocess: () => letters('A', 'B'),
};

/** How the replies of a judge are read. */
function verdictOf(reader: Plain): Plain | undefined {
  const name = lastName(reader.type);
  return Object.hasOwn(verdicts, name) ? verdicts[name]?.(reader) : undefined;
}

/** The abbr of a judge, which is added to those of the config. */
function judgeOf(given: Plain, { judges, notes, ...options }: JudgeContext): string {
  const isNamed = Object.keys(given).length > 0;
  const entry = isNamed ? given : defaultJudge(options);
  const baseUrl = options.judgeUrl ?? options.baseUrl;
  const model = nativeModel(entry, { ...options, baseUrl }, notes);
  const abbr = String(model.abbr);
  judges.set(abbr, { ...model, judge: true });
  return abbr;
}

/** The judge of configs that leave it to the environment, as there. */
function defaultJudge({ judgeUrl }: EndpointOptions): Plain {
  const { OC_JUDGE_MODEL: path, OC_JUDGE_API_BASE: address } = process.env;
  const base = judgeUrl ?? address;
  return {
    type: 'OpenAISDK',
    abbr: 'judge',
    ...(path !== undefined && { path }),
    ...(base !== undefined && { openai_api_base: base }),
    ...(process.env.OC_JUDGE_API_KEY !== undefined && { api_key_env: 'OC_JUDGE_API_KEY' }),
    meta_template: {
      round: [
        { role: 'HUMAN', api_role: 'HUMAN' },
        { role: 'BOT', api_role: 'BOT', generate: true },
      ],
    },
    temperature: 0.001,
    max_out_len: 16384,
  };
}
