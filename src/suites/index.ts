import { addResultReader } from '../api/result-readers.ts';
import { addSuiteDatasets } from '../evaluation/suite-datasets.ts';
import { addTaskSource } from '../tasks/sources.ts';
import { gqa } from './gqa/index.ts';
import { japaneseFinancial } from './japanese-financial/index.ts';
import { lmEval } from './lm-eval/index.ts';
import type { Suite } from './suite.ts';

export type { Suite, SuiteTasks } from './suite.ts';

/** Every suite that comes with the package: a new one is a folder and a line here. */
export const suites: readonly Suite[] = [lmEval, japaneseFinancial, gqa];

/** Makes suites known to the rooms below: their tasks by name, and their result files. */
export function registerSuites(): void {
  for (const { datasets, readResult } of suites) {
    if (readResult) addResultReader(readResult);
    if (!datasets) continue;
    addTaskSource(datasets.tasks);
    addSuiteDatasets(datasets.type, datasets.open);
  }
}
