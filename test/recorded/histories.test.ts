import { type History, runHistory } from './histories.ts';
import { inFolder } from './lines.ts';
import { testLines } from './test-lines.ts';

testLines<History>('histories.jsonl', (history) =>
  inFolder((folder) => runHistory(history, folder)),
);
