import { type Call, call } from './calls.ts';
import { testShort } from './test-lines.ts';

testShort<Call>('calls.jsonl', call);
