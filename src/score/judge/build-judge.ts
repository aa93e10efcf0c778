import { ConfigError, formatPath } from '../../errors.ts';
import { getKey, isMapping } from '../../prompt/mapping.ts';
import {
  anyValue,
  type LocatedComponent,
  missingOption,
  nonEmptyText,
  oneOfNames,
  readOptions,
} from '../component-options.ts';
import type { LaterParts } from '../later-evaluators.ts';
import type { Scorer } from '../scorer.ts';
import { createJudgeScorer, type JudgeSettings } from './judge-scorer.ts';
import { createPairwiseScorer } from './pairwise-scorer.ts';
import {
  choiceVerdict,
  exampleList,
  examplesOf,
  readPairNames,
  readVerdictOption,
  template,
} from './read-judge-options.ts';
import type { Verdict } from './verdict.ts';

const judgeOptions = {
  model: nonEmptyText,
  prompt: template,
  verdict: anyValue,
  question_column: nonEmptyText,
  examples: exampleList,
  against: nonEmptyText,
  disagreement: oneOfNames('tie', 'unscored'),
};

/** `type: judge`: a verdict on an answer, or with `against` on two. */
export function buildJudge(placed: LocatedComponent, parts: LaterParts): Scorer {
  const options = readOptions(placed, judgeOptions);
  const { against, disagreement, examples } = options;
  const path = [...placed.path, 'verdict'];
  if (examples && options.prompt) throw conflict(placed, 'prompt', 'examples');
  const settings = judgeSettings({ placed, parts, options, promptKey: 'prompt' });
  if (against !== undefined) {
    if (examples) throw conflict(placed, 'against', 'examples');
    const names = readPairNames(options.verdict, path);
    return createPairwiseScorer({ ...settings, against, disagreement, names });
  }
  if (disagreement) throw missingOption(placed, 'against');
  const verdict = readVerdictOption(options.verdict, path);
  return createJudgeScorer({
    ...settings,
    verdict,
    examples: examples && examplesOf(examples, verdict, [...placed.path, 'examples']),
  });
}

function conflict({ path }: LocatedComponent, one: string, other: string): ConfigError {
  return new ConfigError(
    'config.conflicting_keys',
    `${formatPath(path)} has both \`${one}\` and \`${other}\``,
    { path, hint: 'Examples go with the prompt that Typecase brings, for single answers.' },
  );
}

/** OpenCompass's evaluators that ask a model, as far as their settings mean the same here. */
export function buildOpenCompassJudge(placed: LocatedComponent, parts: LaterParts): Scorer {
  const options = readOptions(placed, {
    model: nonEmptyText,
    verdict: anyValue,
    question_column: nonEmptyText,
    prompt_template: template,
    judge_cfg: anyValue,
    dict_postprocessor: anyValue,
    // It says where the references are; they are in the row.
    dataset_cfg: anyValue,
  });
  if (!options.prompt_template) throw missingOption(placed, 'prompt_template');
  const verdict =
    options.verdict === undefined
      ? verdictOfPostprocessor(placed, options.dict_postprocessor)
      : readVerdictOption(options.verdict, [...placed.path, 'verdict']);
  const named = isMapping(options.judge_cfg) ? getKey(options.judge_cfg, 'abbr') : undefined;
  const model = options.model ?? (typeof named === 'string' ? named : undefined);
  const settings = judgeSettings({
    placed,
    parts,
    options: {
      ...(model !== undefined && { model }),
      prompt: options.prompt_template,
      ...(options.question_column !== undefined && { question_column: options.question_column }),
    },
    promptKey: 'prompt_template',
  });
  return createJudgeScorer({ ...settings, verdict });
}

const letterPostprocessors = new Set([
  'generic_llmjudge_postprocess',
  'generic_llmjudge_academic_postprocess',
]);

function verdictOfPostprocessor(placed: LocatedComponent, value: unknown): Verdict {
  const type = isMapping(value) ? getKey(value, 'type') : undefined;
  if (typeof type === 'string' && letterPostprocessors.has(type.split('.').at(-1) ?? '')) {
    return choiceVerdict('A', 'B');
  }
  const path = type === undefined ? placed.path : [...placed.path, 'dict_postprocessor'];
  throw new ConfigError(
    'config.type_not_available',
    type === undefined
      ? `${formatPath(path)} does not say how the judge's replies are read`
      : `${formatPath(path)}: replies cannot be read as \`${String(type)}\` does`,
    {
      path,
      hint: 'Add `verdict: { type: choice, correct: A, incorrect: B }`, or another verdict.',
    },
  );
}

interface JudgeParts {
  readonly placed: LocatedComponent;
  readonly parts: LaterParts;
  readonly options: {
    readonly model?: string;
    readonly prompt?: JudgeSettings['template'];
    readonly question_column?: string;
  };
  readonly promptKey: string;
}

function judgeSettings({ placed, parts, options, promptKey }: JudgeParts): JudgeSettings {
  const { model, prompt, question_column: questionColumn } = options;
  if (model === undefined) throw missingOption(placed, 'model');
  const path = [...placed.path, 'model'];
  if (!parts.judgeNamed) {
    throw new ConfigError(
      'config.no_judge',
      `${formatPath(placed.path)} asks a model, and here none can be asked`,
      { path: placed.path, hint: 'Use `typecase run`.' },
    );
  }
  const judge = parts.judgeNamed(model, path);
  const { extractorsOf, cleanGold } = parts;
  return {
    ...judge,
    template: prompt,
    questionColumn,
    extractorsOf,
    cleanGold,
    path: [...placed.path, promptKey],
  };
}
