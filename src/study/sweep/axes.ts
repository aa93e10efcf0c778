import type { ShotsAs } from '../../prompt/template.ts';

/** What is to be swept, in the spelling of configs. An axis that is left out is not varied. */
export interface SweepAxes {
  /** Versions of the task, task files, or templates themselves; `all` is every version. */
  readonly templates?: 'all' | readonly (string | InlineTemplate)[] | undefined;
  readonly shots?: readonly number[] | undefined;
  /** Types, or retrievers with their settings. */
  readonly retrievers?: readonly (string | RetrieverChoice)[] | undefined;
  readonly seeds?: readonly number[] | undefined;
  /** Names of model formats; `own` for that of the model. */
  readonly meta_templates?: readonly string[] | undefined;
  readonly shots_as?: readonly ShotsAs[] | undefined;
  /** How far options move up: `original`, a number of places, or `rotations` for all of them. */
  readonly option_orders?: readonly (string | number)[] | undefined;
}

export interface InlineTemplate {
  readonly name: string;
  readonly prompt_template?: unknown;
  readonly ice_template?: unknown;
}

export interface RetrieverChoice {
  readonly type: string;
  readonly [setting: string]: unknown;
}
