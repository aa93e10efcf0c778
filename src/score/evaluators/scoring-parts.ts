import type { ConfigPath } from '../../errors.ts';
import type { Row } from '../../prompt/values.ts';
import type { ComponentTypes, LocatedComponent } from '../component/component.ts';
import type { ExtractorsOf } from '../extract/postprocessors.ts';
import type { JudgeModel } from '../judge/judge-scorer.ts';
import type { Evaluator, Scorer } from '../scorer.ts';

/** What `eval_cfg` says beside its evaluator, for those that make all of the scorer themselves. */
export interface ScoringParts {
  /** Where the answer is looked for, if `pred_postprocessor` says so. */
  readonly extractorsOf?: ExtractorsOf | undefined;
  readonly cleanGold?: ((gold: unknown, row: Row) => unknown) | undefined;
  /** Finds a model of the config that can judge; `path` is where it is named. */
  readonly judgeNamed?: ((name: string, path: ConfigPath) => JudgeModel) | undefined;
  /** The model that judges where none is named: the only one of the config that is there for it. */
  readonly onlyJudge?: string | undefined;
  /** Makes vectors with the embedder that is described; `path` is where it is. */
  readonly embedWith?: EmbedWith | undefined;
  /** Metrics are exactly those of the packages that other systems use. */
  readonly asOriginal?: boolean | undefined;
  /** Builds another evaluator with the same parts. */
  readonly buildInner?: ((located: LocatedComponent) => Scorer) | undefined;
}

export type EmbedWith = (
  embedder: Readonly<Record<string, unknown>> | undefined,
  path: ConfigPath,
) => EmbedTexts | undefined;

/** One vector for each text. */
export type EmbedTexts = (
  texts: readonly string[],
  options: { readonly signal: AbortSignal },
) => Promise<readonly Float32Array[]>;

/** Evaluators by name: how answers are compared, or a scorer that asks a model or runs code. */
export type EvaluatorTypes = ComponentTypes<Evaluator | Scorer, ScoringParts>;
