import type { Factor, Levels } from '../factors.ts';
import { isChat, isDialogue, isWritten, type Rule, refuse } from './refuse.ts';

const holdsMessages = (data: Levels['data']) => data === 'share-gpt' || data === 'wire-messages';

/** A local model takes long to load: it is asked in few ways. */
function localOnly<Name extends Factor>(name: Name, levels: readonly Levels[Name][]): Rule[] {
  const isMissing = (all: Levels) => all.model === 'local' && !levels.includes(all[name]);
  return [{ factors: ['model', name], refuses: isMissing, because: `a local model with ${name}` }];
}

/** What media, data, examples and models need. */
export const settingRules: readonly Rule[] = [
  refuse(
    'compat modes have no column_token_map',
    ['compat', 'template'],
    ({ compat, template }) => compat !== 'none' && template === 'column-tokens',
  ),
  refuse(
    'of compat modes only OpenCompass has raw messages, for chat models',
    ['compat', 'template', 'model'],
    ({ compat, template, model }) =>
      template === 'messages' &&
      (compat.startsWith('aisbench') || (compat !== 'none' && model !== 'chat')),
  ),

  refuse('media need a template that shows them', ['media', 'template'], ({ media, template }) =>
    media === 'none' ? template === 'media' : !['media', 'messages', 'turns'].includes(template),
  ),
  refuse(
    'media need a chat model',
    ['media', 'model'],
    ({ media, model }) => media !== 'none' && model !== 'chat',
  ),
  refuse(
    'each turn shows one medium; tags are of MMPromptTemplate',
    ['media', 'template'],
    ({ media, template }) =>
      (media === 'tags' && template !== 'media') || (media === 'list' && template === 'turns'),
  ),
  refuse(
    'in compat modes media are AISBench’s tags, without examples',
    ['media', 'compat', 'examples'],
    ({ media, compat, examples }) =>
      media !== 'none' &&
      compat !== 'none' &&
      (media !== 'tags' || compat.startsWith('opencompass') || examples !== 'none'),
  ),

  refuse(
    'CSV has no lists',
    ['data', 'template', 'labels', 'media'],
    ({ data, template, labels, media }) =>
      data === 'csv' && (template === 'turns' || labels === 'row' || media === 'list'),
  ),
  refuse(
    'dialogues in other forms are dialogues',
    ['data', 'template'],
    ({ data, template }) => holdsMessages(data) && template !== 'turns',
  ),
  refuse(
    'ChatInferencer takes columns of one kind',
    ['ask', 'rowLimit'],
    ({ ask, rowLimit }) => isChat(ask) && rowLimit === 'used',
  ),

  refuse(
    'examples need a template',
    ['retriever', 'examples'],
    ({ retriever, examples }) => retriever !== 'zero' && examples === 'none',
  ),
  refuse(
    'raw messages show no examples',
    ['template', 'examples'],
    ({ template, examples }) => template === 'messages' && examples !== 'none',
  ),
  refuse(
    'compat modes have no BalancedRetriever',
    ['compat', 'retriever'],
    ({ compat, retriever }) => compat !== 'none' && retriever === 'balanced',
  ),
  refuse(
    'the window of OpenCompass runs past a smaller pool',
    ['compat', 'retriever', 'trainRange'],
    ({ compat, retriever, trainRange }) =>
      compat !== 'none' && retriever === 'window' && trainRange !== 'all',
  ),
  refuse(
    'sep_token is of templates of text and dialogues',
    ['separator', 'template'],
    ({ separator, template }) =>
      separator === 'sep-token' && ['messages', 'turns', 'media'].includes(template),
  ),

  refuse(
    'answers are begun for chat servers in a way of their own',
    ['prefill', 'model'],
    ({ prefill, model }) => prefill !== 'none' && model !== 'chat',
  ),
  refuse(
    'compat modes and dialogues have examples in one form',
    ['shotsAs', 'compat', 'ask'],
    ({ shotsAs, compat, ask }) => shotsAs !== 'own' && (compat !== 'none' || isDialogue(ask)),
  ),
  refuse(
    'media are shown in turns',
    ['shotsAs', 'media'],
    ({ shotsAs, media }) => (shotsAs === 'text' || shotsAs === 'system') && media !== 'none',
  ),
  refuse(
    'a text becomes turns where it ends in the answer',
    ['shotsAs', 'template', 'examples'],
    ({ shotsAs, template, examples }) =>
      (shotsAs === 'turns' || shotsAs === 'system') &&
      (template === 'label-texts' || (template === 'open-end' && examples !== 'both')),
  ),

  refuse(
    'a local model does not know these settings',
    ['model', 'kwargs'],
    ({ model, kwargs }) => model === 'local' && (kwargs === 'limit' || kwargs === 'stop'),
  ),
  refuse(
    'a local model would write very long answers',
    ['ask', 'model', 'limit'],
    ({ ask, model, limit }) => isWritten(ask) && model === 'local' && limit === 'none',
  ),
  ...localOnly('ask', ['gen', 'ppl', 'clp', 'turns-every', 'chat-gt']),
  ...localOnly('data', ['jsonl', 'split-files', 'inline', 'csv', 'share-gpt']),
  ...localOnly('judge', ['none', 'choice', 'pair']),
  ...localOnly('testRange', ['slice', 'count', 'negative']),
  ...localOnly('template', ['text', 'prefix', 'system', 'messages', 'label-texts', 'turns']),
  ...localOnly('retriever', ['zero', 'fixed', 'random', 'bm25']),
  refuse(
    'options in other orders are of the choice evaluator',
    ['judge', 'repeats'],
    ({ judge, repeats }) => judge !== 'none' && repeats === 'rotations',
  ),
];
