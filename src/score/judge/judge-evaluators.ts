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
  pairTypes,
  verdictTypes,
} from './verdict-options.ts';

/** A template as `prompt_template` takes it, or only what stands in it. */
const template = z.union(
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

const model = nonEmptyText.describe('The `abbr` of a model of the config');
const questionColumn = nonEmptyText
  .optional()
  .describe('The column that prompts call `{question}`; `question` by default');

const promptCase = strictMapping({
  turn: z
    .int({ error: 'the number of a turn' })
    .min(1, { error: 'the number of a turn' })
    .optional()
    .describe('Only this turn of dialogues, counted from 1'),
  reference: trueOrFalse
    .optional()
    .describe('Only answers with a reference, or only those without'),
  prompt: template.describe('What the judge is asked about them'),
});

const judgeOptions = {
  model: model
    .optional()
    .describe('The `abbr` of a model of the config; the only one with `judge: true` by default'),
  prompt: template.optional().describe('What the judge is asked, in place of the default prompt'),
  prompts: z
    .array(promptCase, { error: 'a list of prompts' })
    .min(1, { error: 'a list of prompts' })
    .optional()
    .describe('Several prompts, of which the first one that fits an answer is taken'),
  rubric: nonEmptyText
    .optional()
    .describe(
      'What the answer has to be, in words, with columns in braces; `{rubric}` in a prompt',
    ),
  turns: oneOfNames(['every', 'last'])
    .optional()
    .describe(
      'Which turns of a dialogue are judged: each, or the last one for all of it; `every` by default',
    ),
  by: nonEmptyText.optional().describe('The column whose values have means of their own'),
  verdict: componentOf({ ...verdictTypes, ...pairTypes })
    .optional()
    .describe('What the judge may say; right or wrong by default'),
  question_column: questionColumn,
  examples: judgedExamples.optional().describe('Judged answers, for the default prompt'),
  against: nonEmptyText.optional().describe('The column of another answer to compare with'),
  disagreement: oneOfNames(['tie', 'unscored'])
    .optional()
    .describe('What a row is if the order of two answers decides; a tie by default'),
};

/** Evaluators that ask a model. */
export const judgeEvaluators = {
  judge: componentType({
    summary: 'another model decides whether the answer is right, or how good it is',
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
    const located = options.verdict && { component: options.verdict, path: verdictPath };
    const verdict = located && buildComponent(pairTypes, located, undefined);
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
  return buildComponent<Verdict, unknown>(verdictTypes, { component, path }, undefined);
}

/** The prompt that Typecase brings asks for a reply of its own form. */
function needsPrompt(path: ConfigPath, option: string): ConfigError {
  return new ConfigError(
    'config.missing_key',
    `${formatPath(path)} has a verdict with \`${option}\`, and no \`prompt\``,
    {
      path: [...path, 'verdict'],
      hint: 'The default prompt asks for JSON. Add a `prompt` that says how the judge is to reply.',
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
          ? 'Examples go with the prompt that Typecase brings, for single answers.'
          : 'Keep one of them.',
    },
  );
}

/** What has another form here. */
const refusedOptions = {
  infer_order:
    'Use `type: judge` with `against: COLUMN`, the column of the other answers: it is asked in both orders, and a verdict that depends on the order is a tie.',
  meta_review_prompt_template: 'Take it out: verdicts are not judged by another model.',
  multi_eval: 'Use `type: judge` with `prompts`, or a dataset for each prompt.',
};

function refused(path: ConfigPath, key: string, hint: string): ConfigError {
  return new ConfigError(
    'config.type_not_available',
    `${formatPath([...path, key])} is not available here`,
    { path: [...path, key], hint },
  );
}

const openCompassJudge = componentType({
  summary: 'as `judge`',
  options: {
    model: model.optional(),
    verdict: componentOf(verdictTypes)
      .optional()
      .describe('What the judge may say, in place of `dict_postprocessor`'),
    question_column: questionColumn,
    prompt_template: template.describe('What the judge is asked; `{obj_gold}` is the reference'),
    judge_cfg: z.unknown().optional().describe('Its `abbr` names the model'),
    dict_postprocessor: z
      .unknown()
      .optional()
      .describe('`generic_llmjudge_postprocess`: A is right, B is wrong'),
    dataset_cfg: z.unknown().optional().describe('Accepted, and not used: the row has references'),
    pack_all_predictions: trueOrFalse
      .optional()
      .describe('Whether a dialogue is judged once, with its last turn, as `turns: last`'),
    infer_order: z
      .unknown()
      .optional()
      .describe('Refused: `judge` with `against` asks in both orders'),
    meta_review_prompt_template: z
      .unknown()
      .optional()
      .describe('Refused: verdicts are not judged'),
    multi_eval: z
      .unknown()
      .optional()
      .describe('Refused: `prompts` says what is asked of which answers'),
  },
  build(options, parts: ScoringParts, { path }) {
    for (const [key, hint] of Object.entries(refusedOptions)) {
      if (options[key as keyof typeof refusedOptions] !== undefined) throw refused(path, key, hint);
    }
    const verdict = options.verdict
      ? buildVerdict(options.verdict, [...path, 'verdict'])
      : verdictOfPostprocessor(path, options.dict_postprocessor);
    const named = isMapping(options.judge_cfg) ? getKey(options.judge_cfg, 'abbr') : undefined;
    const settings = judgeSettings({
      path,
      parts,
      options: {
        model: options.model ?? (typeof named === 'string' ? named : undefined),
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
      ? `${formatPath(path)} does not say how the judge's replies are read`
      : `${formatPath(path)}: replies cannot be read as \`${String(type)}\` does`,
    {
      path,
      hint: 'Add `verdict: { type: choice, correct: A, incorrect: B }`, or another verdict, such as `{ type: grade, scale: [1, 10], pattern: … }`.',
    },
  );
}

function noModel(path: ConfigPath): ConfigError {
  return new ConfigError('config.missing_key', `${formatPath(path)} has no \`model\``, {
    path,
    hint: 'Add `model`, the `abbr` of the model of this config that judges; give that one `judge: true`.',
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

function judgeSettings({ path, parts, options, promptKey }: JudgeParts): JudgeSettings {
  const { extractorsOf, cleanGold, judgeNamed, onlyJudge } = parts;
  const { model: judge = onlyJudge } = options;
  if (judge === undefined && judgeNamed) throw noModel(path);
  if (!judgeNamed || judge === undefined) {
    throw new ConfigError(
      'config.no_judge',
      `${formatPath(path)} asks a model, and here none can be asked`,
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
