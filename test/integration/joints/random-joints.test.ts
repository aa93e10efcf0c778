import { describe } from 'vitest';
import { callCommand } from './call-command.ts';
import { randomConfigs } from './random-configs.ts';
import { testConfigs } from './test-configs.ts';

const count = Number(process.env.TYPECASE_JOINTS ?? 30);
const seed = Number(process.env.TYPECASE_SEED ?? 20_260_615);

describe(`what is shown is what is sent, for ${count} configs that are drawn`, () => {
  testConfigs({ configs: randomConfigs(count, seed), call: callCommand, chunk: 10 });
});
