import { type Reading, read } from './readings.ts';
import { testLines } from './test-lines.ts';

testLines<Reading>('readings.jsonl', read);
