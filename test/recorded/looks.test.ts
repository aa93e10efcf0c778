import { type Look, lookAt } from './looks.ts';
import { testShort } from './test-lines.ts';

testShort<Look>('looks.jsonl', lookAt);
