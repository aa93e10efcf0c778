import { find, type Work } from './measures.ts';
import { testShort } from './test-lines.ts';

testShort<Work>('measures.jsonl', find);
