import { beforeAll, describe } from 'vitest';
import { buildCli } from '../build-cli.ts';
import { runCli } from '../run-cli.ts';
import { type Levels, plainLevels } from './factors.ts';
import { testConfigs } from './test-configs.ts';

const chosen: readonly Partial<Levels>[] = [
  {},
  { ask: 'ppl', model: 'plain', labels: 'data', normalizing: 'on', data: 'split-files' },
  { ask: 'turns-every', template: 'turns', judge: 'choice', limit: 'turns', file: 'yaml' },
  { template: 'media', media: 'file', stream: 'on', retriever: 'random', examples: 'both' },
  {
    model: 'chatml',
    compat: 'opencompass',
    retriever: 'random',
    examples: 'both',
    testRange: 'slice',
    data: 'inline-splits',
  },
  { ask: 'sc', model: 'plain', compat: 'aisbench-model', testRange: 'count', size: 'both' },
  { repeats: 'rotations', retriever: 'topk', examples: 'ice-only', data: 'csv', fit: 'tight' },
  { model: 'local', limit: 'both', stop: 'both', testRange: 'count', judge: 'pair' },
  { ask: 'chat-every', compat: 'opencompass', template: 'turns', rowLimit: 'unused' },
  { rowLimit: 'used', repeats: 'samples', kwargs: 'seed', judge: 'grade', rows: 'doubled' },
];

/** Each takes six processes: `npm run joints` takes all. */
const tested = process.env.TYPECASE_JOINTS === undefined ? chosen.slice(0, 4) : chosen;

describe('what is shown is what is sent, through the real command line', () => {
  beforeAll(buildCli);
  testConfigs({
    configs: tested.map((levels) => ({ ...plainLevels, ...levels })),
    call: runCli,
    chunk: 1,
  });
});
