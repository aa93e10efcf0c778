import { aisbenchHandlers } from './aisbench.ts';
import { aisbenchFixtureHandlers } from './aisbench-fixtures.ts';
import { behaviourHandlers } from './behaviour.ts';
import { gqaHandlers } from './gqa.ts';
import { gqaCacheHandlers } from './gqa-cache.ts';
import type { Handlers } from './handler.ts';
import { importedConfigHandlers } from './imported-configs.ts';
import { japaneseFinancialHandlers } from './japanese-financial.ts';
import { lmEvalHandlers } from './lm-eval.ts';
import { opencompassChatHandlers } from './opencompass-chat.ts';
import { opencompassDataHandlers } from './opencompass-data.ts';
import { opencompassPromptHandlers } from './opencompass-prompts.ts';
import { opencompassUnitHandlers } from './opencompass-units.ts';
import { pythonConfigHandlers } from './python-configs.ts';

/** What runs each kind of vector. A kind that is not here is skipped. */
export const handlers: Handlers = {
  ...opencompassPromptHandlers,
  ...opencompassUnitHandlers,
  ...opencompassChatHandlers,
  ...opencompassDataHandlers,
  ...behaviourHandlers,
  ...aisbenchHandlers,
  ...aisbenchFixtureHandlers,
  ...gqaHandlers,
  ...gqaCacheHandlers,
  ...japaneseFinancialHandlers,
  ...pythonConfigHandlers,
  ...importedConfigHandlers,
  ...lmEvalHandlers,
};
