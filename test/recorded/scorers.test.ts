import { find, type Scoring } from './scorers.ts';
import { testShort } from './test-lines.ts';

testShort<Scoring>('scorers.jsonl', find);
