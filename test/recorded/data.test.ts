import { dataOf, type Given } from './data.ts';
import { testShort } from './test-lines.ts';

testShort<Given>('data.jsonl', dataOf);
