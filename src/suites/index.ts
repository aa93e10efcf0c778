import { gqa } from './gqa/index.ts';
import { japaneseFinancial } from './japanese-financial/index.ts';
import type { Suite } from './suite.ts';

export type { ReadResult, Suite, SuiteTasks } from './suite.ts';

/** Every suite that comes with the package: a new one is a folder and a line here. */
export const suites: readonly Suite[] = [japaneseFinancial, gqa];
