import { type Work, workOut } from './numbers.ts';
import { testLines } from './test-lines.ts';

testLines<Work>('numbers.jsonl', workOut);
