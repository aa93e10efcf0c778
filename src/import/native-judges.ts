import { type EndpointOptions, nativeModel } from './native-models.ts';
import type { Note } from './note.ts';
import { asPlain, lastName, type Plain, pickKeys } from './plain-value.ts';

/** What is known of judges: those that were met so far, by their abbr. */
export interface JudgeContext extends EndpointOptions {
  readonly judges: Map<string, Plain>;
  readonly notes: Note[];
}

/** An evaluator that asks a judge; nothing where its replies cannot be read as there. */
export function nativeJudge(given: Plain, context: JudgeContext): Plain | undefined {
  const type = lastName(given.type);
  const verdict = verdictOf(asPlain(given.dict_postprocessor));
  const template = asPlain(given.prompt_template);
  if (!verdict || !template) {
    const reader = lastName(asPlain(given.dict_postprocessor)?.type);
    const text = reader
      ? `its replies are read by \`${reader}\`, which has no counterpart here: answers are not scored`
      : 'the config does not say how to read its replies: answers are not scored';
    context.notes.push({ name: type, text });
    return undefined;
  }
  const refused = ['infer_order', 'meta_review_prompt_template', 'multi_eval'].find(
    (key) => given[key] !== undefined && given[key] !== null && given[key] !== false,
  );
  if (refused !== undefined) {
    context.notes.push({
      name: type,
      text: `\`${refused}\` has no counterpart here: answers are not scored`,
    });
    return undefined;
  }
  return {
    type,
    model: judgeOf(asPlain(given.judge_cfg) ?? {}, context),
    prompt_template: {
      type: lastName(template.type),
      ...pickKeys(template, ['template', 'messages']),
    },
    verdict,
    ...(given.pack_all_predictions === true && { pack_all_predictions: true }),
  };
}

const letters = (correct: string, ...others: readonly string[]): Plain => ({
  type: 'json',
  values: Object.fromEntries([[correct, 1], ...others.map((letter) => [letter, 0])]),
  pattern: [correct, ...others]
    .map((tag) => tag.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
    .join('|'),
  take: 'first',
});

const rating = {
  type: 'grade',
  scale: [1, 10],
  pattern: 'Rating:\\s*\\[\\[([\\d.]+)\\]\\]',
  take: 'first',
};

const verdicts: Readonly<Record<string, (given: Plain) => Plain>> = {
  generic_llmjudge_postprocess: ({ true_tag: right = 'A', false_tag: wrong = 'B' }) =>
    letters(String(right), String(wrong)),
  generic_llmjudge_academic_postprocess: () => letters('A', 'B'),
  medmcqa_llmjudge_postprocess: () => letters('A', 'B'),
  medbullets_llmjudge_postprocess: () => letters('A', 'B'),
  MedXpertQA_llmjudge_postprocess: () => letters('A', 'B'),
  supergpqa_llmjudge_postprocess: () => letters('A', 'B'),
  simpleqa_postprocess: () => letters('A', 'B', 'C'),
  csimpleqa_postprocess: () => letters('A', 'B', 'C'),
  mtbench_postprocess: () => rating,
  mtbench101_postprocess: () => rating,
};

/** How the replies of a judge are read. */
function verdictOf(reader: Plain | undefined): Plain | undefined {
  const name = lastName(reader?.type);
  return Object.hasOwn(verdicts, name) ? verdicts[name]?.(reader as Plain) : undefined;
}

/** The abbr of a judge, which is added to those of the config. */
function judgeOf(given: Plain, { judges, notes, ...options }: JudgeContext): string {
  const isNamed = Object.keys(given).length > 0;
  const entry = isNamed ? given : defaultJudge(options);
  const model = nativeModel(entry, options, notes);
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
