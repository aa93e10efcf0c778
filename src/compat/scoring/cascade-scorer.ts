import * as z from 'zod';
import type { ScorerConfig } from '../../score/build-scorer.ts';
import {
  type Component,
  isComponent,
  type LocatedComponent,
  optionsSchema,
  readOptions,
} from '../../score/component/component.ts';
import { trueOrFalse } from '../../score/component/option-kinds.ts';
import { isRight } from '../../score/row-score.ts';
import type { RowScore, Scorer } from '../../score/scorer.ts';

const evaluator = z.custom<Component>(isComponent, { error: 'an evaluator, with its `type`' });

export const cascadeOptions = optionsSchema({
  rule_evaluator: evaluator,
  llm_evaluator: evaluator,
  parallel: trueOrFalse.optional(),
});

/** An answer is right if a rule says so, or a judge: it is asked about what the rule finds wrong, or about all. */
export async function openCascade(
  config: ScorerConfig,
  path: LocatedComponent['path'],
  open: (config: ScorerConfig) => Promise<Scorer>,
): Promise<Scorer> {
  const located = { component: config.evaluator, path };
  const { rule_evaluator, llm_evaluator, parallel = true } = readOptions(located, cascadeOptions);
  const rule = await open(partOf(config, rule_evaluator));
  const judge = await open(partOf(config, llm_evaluator));
  return {
    ...judge,
    metric: 'accuracy',
    columns:
      judge.columns === 'any' || rule.columns === 'any'
        ? 'any'
        : [...(rule.columns ?? []), ...(judge.columns ?? [])],
    async scoreLater(input, signal, stop) {
      const byRule = rule.scoreLater
        ? await rule.scoreLater(input, signal, stop)
        : rule.score(input);
      if (isGood(byRule) && !parallel) return withMetrics(byRule, { rule_accuracy: 1 });
      const byJudge = judge.scoreLater
        ? await judge.scoreLater(input, signal, stop)
        : judge.score(input);
      if (byJudge.type === 'unscored' && !isGood(byRule)) return byJudge;
      const best = isGood(byRule) && byRule.type === 'scored' ? byRule : byJudge;
      return withMetrics(
        { ...best, verdicts: byJudge.verdicts },
        { rule_accuracy: Number(isGood(byRule)), llm_accuracy: Number(isGood(byJudge)) },
      );
    },
  };
}

/** Each may have a post-processor of its own. */
function partOf(
  whole: ScorerConfig,
  { pred_postprocessor, ...component }: Component,
): ScorerConfig {
  return {
    ...whole,
    evaluator: component as Component,
    ...(isComponent(pred_postprocessor) && { predPostprocessor: pred_postprocessor }),
  };
}

function isGood(score: RowScore): boolean {
  return score.type === 'scored' && isRight(score);
}

function withMetrics(score: RowScore, metrics: Readonly<Record<string, number>>): RowScore {
  return score.type === 'scored' ? { ...score, metrics } : score;
}
