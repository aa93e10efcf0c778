import type { Config, DatasetConfig, ModelConfig } from '../config/config.ts';
import type { RowSelection } from '../data/select/select-rows.ts';
import type { LoglikelihoodModel } from '../model/loglikelihood.ts';
import type { Model } from '../model/model.ts';
import type { Retriever } from '../retrieve/retriever.ts';
import type { JudgeOptions, Judges, Meter } from './judges.ts';
import type { RowsScorer } from './look-at-rows.ts';
import type { KnownModel, Purpose } from './open-model.ts';
import type { TaskRows } from './open-rows.ts';

export interface OpenOptions {
  /** What the evaluations are opened for; `run` by default, so that models can be asked. */
  readonly purpose?: Purpose | undefined;
  /** Only these models and datasets, by their `abbr`. */
  readonly models?: readonly string[] | undefined;
  readonly datasets?: readonly string[] | undefined;
  /** Only some rows of each dataset. Positions are those of all rows. */
  readonly limit?: number | undefined;
  /** Row numbers, of each dataset the same or by its `abbr`. */
  readonly ids?: Iterable<number> | ReadonlyMap<string, Iterable<number>> | undefined;
  readonly where?: string | undefined;
  /** Where `work_dir` is looked for; the working folder by default. */
  readonly startedIn?: string | undefined;
  /** Aborting it ends the opening; what is open by then is closed. */
  readonly signal?: AbortSignal | undefined;
  /** How judges are asked, whatever the purpose; left out where answers are not to be scored. */
  readonly askJudge?: JudgeOptions['askJudge'];
  /** What an earlier run found out about models, by their `abbr`. */
  readonly known?: ReadonlyMap<string, KnownModel> | undefined;
  /** Rows and examples in place of those that the config names, by the `abbr` of the dataset. */
  readonly given?: ((dataset: string) => GivenRows) | undefined;
  /** Stands in for models and judges that are asked, where what is asked has to be counted. */
  readonly meter?: Meter | undefined;
  /** Stands in for the model where it has to choose examples: what it said before is known. */
  readonly rememberLoglikelihoods?:
    | ((
        model: Model,
        loglikelihoodModel: LoglikelihoodModel,
        config: ModelConfig,
      ) => Promise<LoglikelihoodModel>)
    | undefined;
}

/** Rows that are known, with their examples: nothing is read, and nothing is drawn. */
export interface GivenRows extends TaskRows {
  /** The examples of a row, by their places in the pool: those that fit. */
  readonly examplesOf: Retriever;
}

/** What evaluations of one opening share. */
export interface Opening {
  readonly config: Config;
  readonly options: OpenOptions;
  readonly purpose: Purpose;
  /** Differs from one opening to the next. */
  readonly id: string;
  readonly judges: Judges;
  readonly selectionOf: (dataset: DatasetConfig) => RowSelection;
  readonly rowsOf: (
    dataset: DatasetConfig,
    model: ModelConfig | undefined,
    scorer: RowsScorer,
  ) => Promise<TaskRows>;
}
