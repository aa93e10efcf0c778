import { type Asked, promptsOf } from './prompts.ts';
import { testShort } from './test-lines.ts';

testShort<Asked>('prompts.jsonl', promptsOf);
