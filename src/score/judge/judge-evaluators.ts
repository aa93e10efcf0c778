import * as z from 'zod';
import { ConfigError, type ConfigPath, formatPath } from '../../errors.ts';
import { getKey, isMapping, type Mapping } from '../../prompt/mapping.ts';
import type { TemplateConfig } from '../../prompt/template.ts';
import { strictMapping } from '../../schema/strict-mapping.ts';
import {
  buildComponent,
  type Component,
  componentType,
  type LocatedComponent,
  missingOption,
} from '../component/component.ts';
import { componentOf, nonEmptyText, oneOfNames, trueOrFalse } from '../component/option-kinds.ts';
import type { ScoringParts } from '../evaluators/scoring-parts.ts';
import type { Scorer } from '../scorer.ts';
import { createJudgeScorer, type JudgeSettings } from './judge-scorer.ts';
import { createPairwiseScorer } from './pairwise-scorer.ts';
import type { Verdict } from './read-verdict.ts';
import { createRubricScorer } from './rubric-scorer.ts';
import {
  choiceVerdict,
  examplesOf,
  judgedExamples,
  type PairVerdict,
  pairTypes,
  verdictTypes,
} from './verdict-options.ts';

/** A template as `prompt_template` takes it, or only what stands in it. */
export const template = z.union(
  [
    nonEmptyText.transform((text): TemplateConfig => ({ template: text })),
    z
      .array(z.unknown())
      .min(1)
      .transform((messages) => ({ messages }) as TemplateConfig),
    z
      .custom<Mapping>(isMapping)
      .meta({ type: 'object' })
      .transform((value) => {
        const isTemplate = 'template' in value || 'messages' in value;
        return (isTemplate ? value : { template: value }) as TemplateConfig;
      }),
  ],
  { error: 'a text, a dialogue with `round`, a list of messages, or a template' },
);

const model = nonEmptyText.describe('The `abbr` of a model in the config');
const questionColumn = nonEmptyText
  .optional()
  .describe('The column used as `{question}` in prompts; `question` by default');

const promptCase = strictMapping({
  turn: z
    .int({ error: 'the number of a turn' })
    .min(1, { error: 'the number of a turn' })
    .optional()
    .describe('Only this turn of a dialogue, counted from 1'),
  reference: trueOrFalse
    .optional()
    .describe('Only answers with a reference, or only those without'),
  prompt: template.describe('The prompt for these answers'),
});

const judgeOptions = {
  model: model
    .optional()
    .describe('The `abbr` of a model in the config; by default the only one with `judge: true`'),
  prompt: template.optional().describe('The prompt of the judge, instead of the default'),
  prompts: z
    .array(promptCase, { error: 'a list of prompts' })
    .min(1, { error: 'a list of prompts' })
    .optional()
    .describe('Several prompts; the first one that applies to an answer is used'),
  rubric: nonEmptyText
    .optional()
    .describe(
      'The requirements for an answer, in words, with columns in braces; `{rubric}` in a prompt',
    ),
  turns: oneOfNames(['every', 'last'])
    .optional()
    .describe(
      'Which turns of a dialogue are judged: every turn, or only the last one; `every` by default',
    ),
  by: nonEmptyText.optional().describe('The column to report separate means by'),
  verdict: componentOf({ ...verdictTypes, ...pairTypes })
    .optional()
    .describe('The possible verdicts; right or wrong by default'),
  question_column: questionColumn,
  examples: judgedExamples
    .optional()
    .describe('Examples of judged answers, for the default prompt'),
  against: nonEmptyText.optional().describe('The column with another answer to compare with'),
  disagreement: oneOfNames(['tie', 'unscored'])
    .optional()
    .describe(
      'The result of a row if the verdict depends on the order of the answers; a tie by default',
    ),
};

/** Evaluators that ask a model. */
export const judgeEvaluators = {
  judge: componentType({
    summary: 'another model judges whether the answer is right, or how good it is',
    options: judgeOptions,
    build: buildJudge,
  }),
};

type JudgeOptions = z.output<z.ZodObject<typeof judgeOptions>>;

/** A verdict on an answer, or with `against` on two. */
function buildJudge(
  { against, disagreement, examples, rubric, ...options }: JudgeOptions,
  parts: ScoringParts,
  { path }: LocatedComponent,
): Scorer {
  if (rubric !== undefined) {
    const other = { ...options, against, examples };
    const taken = (['prompts', 'against', 'examples'] as const).find((key) => other[key]);
    if (taken) throw conflict(path, 'rubric', taken);
    const verdict = buildVerdict(options.verdict ?? passVerdict, [...path, 'verdict']);
    const settings = judgeSettings({ path, parts, options, promptKey: 'rubric' });
    // What stands in a row is text as it is; what stands in a config may name columns.
    return createRubricScorer({ ...settings, verdict }, { rubric, isFilled: path[0] !== 'checks' });
  }
  const hasPrompt = options.prompt !== undefined || options.prompts !== undefined;
  if (examples && hasPrompt)
    throw conflict(path, options.prompt ? 'prompt' : 'prompts', 'examples');
  if (options.prompt && options.prompts) throw conflict(path, 'prompt', 'prompts');
  const settings = judgeSettings({ path, parts, options, promptKey: 'prompt' });
  const verdictPath = [...path, 'verdict'];
  if (against !== undefined) {
    if (examples) throw conflict(path, 'against', 'examples');
    const verdict = options.verdict && buildAnyVerdict(options.verdict, verdictPath);
    if (verdict && 'type' in verdict) {
      throw new ConfigError(
        'config.conflicting_keys',
        `${formatPath(verdictPath)} is of the type \`${options.verdict?.type}\`, a verdict on one answer, and \`against\` names another`,
        { path: verdictPath, hint: 'Write `type: pair`, or leave out `against`.' },
      );
    }
    if (verdict?.pattern && !hasPrompt) throw needsPrompt(path, 'pattern');
    return createPairwiseScorer({ ...settings, against, disagreement, ...verdict });
  }
  if (disagreement) throw missingOption(path, 'against');
  const verdict = buildVerdict(options.verdict ?? { type: 'choice' }, verdictPath);
  if (verdict.pattern && !hasPrompt) throw needsPrompt(path, 'pattern');
  if ('dimensions' in verdict && !hasPrompt) throw needsPrompt(path, 'dimensions');
  return createJudgeScorer({
    ...settings,
    verdict,
    examples: examples && examplesOf(examples, verdict, [...path, 'examples']),
  });
}

const passVerdict: Component = { type: 'choice', correct: 'pass', incorrect: 'fail' };

function buildVerdict(component: Component, path: ConfigPath): Verdict {
  const verdict = buildAnyVerdict(component, path);
  if ('type' in verdict) return verdict;
  throw new ConfigError(
    'config.missing_key',
    `${formatPath(path)} is of the type \`pair\`, a verdict on two answers, and no \`against\` names the other one`,
    { path, hint: 'Add `against: COLUMN` beside `verdict`, the column of the other answer.' },
  );
}

function buildAnyVerdict(component: Component, path: ConfigPath): Verdict | PairVerdict {
  const types = { ...verdictTypes, ...pairTypes };
  return buildComponent<Verdict | PairVerdict, unknown>(types, { component, path }, undefined);
}

/** The prompt that Typecase brings asks for a reply of its own form. */
function needsPrompt(path: ConfigPath, option: string): ConfigError {
  return new ConfigError(
    'config.missing_key',
    `${formatPath(path)} has a verdict with \`${option}\` but no \`prompt\``,
    {
      path: [...path, 'verdict'],
      hint: 'The default prompt asks for JSON. Add a `prompt` that says how the judge should reply.',
    },
  );
}

function conflict(path: ConfigPath, one: string, other: string): ConfigError {
  return new ConfigError(
    'config.conflicting_keys',
    `${formatPath(path)} has both \`${one}\` and \`${other}\``,
    {
      path,
      hint:
        other === 'examples'
          ? 'Examples work only with the default prompt for single answers.'
          : 'Keep one of them.',
    },
  );
}

/** What has another form here. */
const refusedOptions = {
  infer_order:
    'Use `type: judge` with `against: COLUMN`, the column of the other answers: the judge is asked in both orders, and a verdict that depends on the order is a tie.',
  meta_review_prompt_template: 'Remove it: verdicts are not judged by another model.',
  multi_eval: 'Use `type: judge` with `prompts`, or a dataset for each prompt.',
};

function refused(path: ConfigPath, key: string, hint: string): ConfigError {
  return new ConfigError(
    'config.type_not_available',
    `${formatPath([...path, key])} is not available here`,
    { path: [...path, key], hint },
  );
}

/** The model that OpenCompass's evaluators are set up with, by its `abbr`. */
export function judgeNamed(config: unknown): string | undefined {
  const name = isMapping(config) ? getKey(config, 'abbr') : undefined;
  return typeof name === 'string' ? name : undefined;
}

const openCompassJudge = componentType({
  summary: 'as `judge`',
  options: {
    model: model.optional(),
    verdict: componentOf(verdictTypes)
      .optional()
      .describe('The possible verdicts, instead of `dict_postprocessor`'),
    question_column: questionColumn,
    prompt_template: template.describe('The prompt of the judge; `{obj_gold}` is the reference'),
    judge_cfg: z.unknown().optional().describe('The model, by its `abbr`'),
    dict_postprocessor: z
      .unknown()
      .optional()
      .describe('`generic_llmjudge_postprocess`: A is right, B is wrong'),
    dataset_cfg: z
      .unknown()
      .optional()
      .describe('Accepted and ignored: references come from the row'),
    pack_all_predictions: trueOrFalse
      .optional()
      .describe('Whether a dialogue is judged once, with its last turn, as `turns: last`'),
    infer_order: z
      .unknown()
      .optional()
      .describe('Rejected: `judge` with `against` asks in both orders'),
    meta_review_prompt_template: z
      .unknown()
      .optional()
      .describe('Rejected: verdicts are not judged'),
    multi_eval: z
      .unknown()
      .optional()
      .describe('Rejected: `prompts` says which answers get which prompt'),
  },
  build(options, parts: ScoringParts, { path }) {
    for (const [key, hint] of Object.entries(refusedOptions)) {
      if (options[key as keyof typeof refusedOptions] !== undefined) throw refused(path, key, hint);
    }
    const verdict = options.verdict
      ? buildVerdict(options.verdict, [...path, 'verdict'])
      : verdictOfPostprocessor(path, options.dict_postprocessor);
    const settings = judgeSettings({
      path,
      parts,
      options: {
        model: options.model ?? judgeNamed(options.judge_cfg),
        prompt: options.prompt_template,
        question_column: options.question_column,
        turns: options.pack_all_predictions ? 'last' : undefined,
      },
      promptKey: 'prompt_template',
    });
    return createJudgeScorer({ ...settings, verdict });
  },
});

/** OpenCompass's evaluators that ask a model, as far as their settings mean the same here. */
export const openCompassJudges = {
  GenericLLMEvaluator: openCompassJudge,
  LMEvaluator: openCompassJudge,
};

const letterPostprocessors = new Set([
  'generic_llmjudge_postprocess',
  'generic_llmjudge_academic_postprocess',
]);

/** As it is read there: the first of several. */
const ratingVerdict: Verdict = {
  type: 'grade',
  field: 'grade',
  scale: [1, 10],
  pattern: { pattern: /Rating:\s*\[\[([\d.]+)\]\]/u, take: 'first' },
};

function verdictOfPostprocessor(source: ConfigPath, value: unknown): Verdict {
  const type = isMapping(value) ? getKey(value, 'type') : undefined;
  const name = typeof type === 'string' ? (type.split('.').at(-1) ?? '') : '';
  if (letterPostprocessors.has(name)) return choiceVerdict('A', 'B');
  if (name === 'mtbench_postprocess') return ratingVerdict;
  const path = type === undefined ? source : [...source, 'dict_postprocessor'];
  throw new ConfigError(
    'config.type_not_available',
    type === undefined
      ? `${formatPath(path)} does not say how to read the replies of the judge`
      : `${formatPath(path)}: replies cannot be read like \`${String(type)}\` does`,
    {
      path,
      hint: 'Add `verdict: { type: choice, correct: A, incorrect: B }`, or another verdict, such as `{ type: grade, scale: [1, 10], pattern: … }`.',
    },
  );
}

function noModel(path: ConfigPath): ConfigError {
  return new ConfigError('config.missing_key', `${formatPath(path)} has no \`model\``, {
    path,
    hint: 'Add `model`, the `abbr` of a model in this config that has `judge: true`.',
  });
}

interface JudgeParts {
  readonly path: ConfigPath;
  readonly parts: ScoringParts;
  readonly options: Pick<JudgeSettings, 'turns' | 'by'> & {
    readonly model?: string | undefined;
    readonly prompt?: JudgeSettings['template'];
    readonly prompts?: readonly z.output<typeof promptCase>[] | undefined;
    readonly question_column?: string | undefined;
  };
  readonly promptKey: string;
}

export function judgeSettings({ path, parts, options, promptKey }: JudgeParts): JudgeSettings {
  const { extractorsOf, cleanGold, judgeNamed, onlyJudge } = parts;
  const { model: judge = onlyJudge } = options;
  if (judge === undefined && judgeNamed) throw noModel(path);
  if (!judgeNamed || judge === undefined) {
    throw new ConfigError(
      'config.no_judge',
      `${formatPath(path)} asks a model, but this command asks none`,
      { path, hint: 'Use `typecase run`.' },
    );
  }
  return {
    ...judgeNamed(judge, [...path, 'model']),
    template: options.prompt,
    prompts: options.prompts?.map(({ prompt, turn, reference }, index) => ({
      template: prompt,
      turn,
      reference,
      path: [...path, 'prompts', index, 'prompt'],
    })),
    turns: options.turns,
    by: options.by,
    questionColumn: options.question_column,
    extractorsOf,
    cleanGold,
    path: [...path, promptKey],
    optionsPath: path,
  };
}
