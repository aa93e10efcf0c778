import type { ConfigPath } from '../errors.ts';
import type { Row } from '../prompt/values.ts';
import { buildCodeScorer } from './code/build-code.ts';
import type { LocatedComponent } from './component-options.ts';
import { buildFunctionScorer } from './function-scorer.ts';
import { buildJudge, buildOpenCompassJudge } from './judge/build-judge.ts';
import type { JudgeModel } from './judge/judge-scorer.ts';
import type { ExtractorsOf } from './postprocessors.ts';
import type { Scorer } from './scorer.ts';

/** What scorers that wait are made with. */
export interface LaterParts {
  /** Where the answer is looked for, if `pred_postprocessor` says so. */
  readonly extractorsOf?: ExtractorsOf | undefined;
  readonly cleanGold?: ((gold: unknown, row: Row) => unknown) | undefined;
  /** Finds a model of the config that can judge; `path` is where it is named. */
  readonly judgeNamed?: ((name: string, path: ConfigPath) => JudgeModel) | undefined;
}

/** Evaluators whose scores take time: they ask a model, run code, or are the user's own. */
export const laterEvaluators: ReadonlyMap<
  string,
  (placed: LocatedComponent, parts: LaterParts) => Scorer
> = new Map([
  ['judge', buildJudge],
  ['code', buildCodeScorer],
  ['function', buildFunctionScorer],
  ['GenericLLMEvaluator', buildOpenCompassJudge],
  ['LMEvaluator', buildOpenCompassJudge],
]);
