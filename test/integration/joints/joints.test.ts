import { describe } from 'vitest';
import { coverPairs } from './all-pairs.ts';
import { callCommand } from './call-command.ts';
import { testConfigs } from './test-configs.ts';

describe('what is shown is what is sent, for every pair of settings', () => {
  testConfigs({ configs: coverPairs().configs, call: callCommand, chunk: 10, isRecorded: true });
});
