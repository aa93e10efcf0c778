import type { SuiteDatasets } from '../evaluation/suite-datasets.ts';
import type { ReadResult } from '../study/leaderboard/find-results.ts';
import type { TaskSource } from '../tasks/sources.ts';
import type { CommandEntry, RunCommand } from '../terminal/command.ts';
import type { ListedPart } from '../terminal/list/render-parts.ts';

/** Tasks of another project, with what it takes to run them as that project does. */
export interface Suite {
  readonly commands: readonly CommandEntry[];
  /** Loaded when somebody lists or looks at tasks. */
  readonly tasks?: () => Promise<SuiteTasks>;
  /** What runs and sweeps need to ask the tasks, loaded when a config names one. */
  readonly datasets?: SuiteLoaders;
  /** Loaded when a leaderboard meets a file that is no run of ours. */
  readonly readResult?: () => Promise<ReadResult>;
}

export interface SuiteLoaders {
  /** The `type` of their datasets. */
  readonly type: string;
  readonly tasks: () => Promise<TaskSource>;
  readonly open: () => Promise<SuiteDatasets>;
}

export interface SuiteTasks {
  listTasks(options: { readonly dialect: string }): Promise<ListedPart>;
  listTemplates(options: { readonly dialect: string }): Promise<ListedPart>;
  /** `typecase view --task`. */
  readonly view: RunCommand;
}
