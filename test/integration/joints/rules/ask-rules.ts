import { factors, type Levels } from '../factors.ts';
import { isChat, isDialogue, isTurns, isWritten, type Rule, refuse } from './refuse.ts';

type Ask = Levels['ask'];

const comparesLabels = (ask: Ask) => ask === 'ppl' || ask === 'll';
const isLabelled = (template: Levels['template']) => template.startsWith('label-');

const labelsFor: Readonly<Record<Ask, readonly Levels['labels'][]>> = {
  ...(Object.fromEntries(factors.ask.map((ask) => [ask, ['none']])) as Record<Ask, ['none']>),
  ppl: ['given', 'data', 'template'],
  ll: ['given', 'data', 'template'],
  clp: ['given', 'row'],
};

/** What inferencers and their templates need. */
export const askRules: readonly Rule[] = [
  refuse(
    'likelihoods come from text models',
    ['ask', 'model'],
    ({ ask, model }) => !isWritten(ask) && model === 'chat',
  ),
  refuse(
    'dialogues have a template of turns',
    ['ask', 'template'],
    ({ ask, template }) => isDialogue(ask) !== (template === 'turns'),
  ),
  refuse(
    'ChatInferencer is of OpenCompass',
    ['ask', 'compat'],
    ({ ask, compat }) => isChat(ask) && !compat.startsWith('opencompass'),
  ),
  refuse(
    'a second model has no compat mode of its own',
    ['ask', 'compat', 'size'],
    ({ ask, compat, size }) =>
      isChat(ask) && compat.endsWith('-model') && (size === 'two-models' || size === 'both'),
  ),
  refuse(
    'OpenCompass has no MultiTurnGenInferencer',
    ['ask', 'compat'],
    ({ ask, compat }) => isTurns(ask) && compat.startsWith('opencompass'),
  ),
  refuse(
    'AISBench crashes with infer_mode last',
    ['ask', 'compat'],
    ({ ask, compat }) => ask === 'turns-last' && compat.startsWith('aisbench'),
  ),
  refuse(
    'dialogues show no examples',
    ['ask', 'retriever', 'examples'],
    ({ ask, retriever, examples }) =>
      isDialogue(ask) && (retriever !== 'zero' || examples !== 'none'),
  ),
  refuse(
    'rows are repeated in one way',
    ['ask', 'repeats'],
    ({ ask, repeats }) => (isDialogue(ask) || ask === 'sc') && repeats !== 'none',
  ),
  refuse(
    'what is only measured has no evaluator',
    ['ask', 'judge', 'repeats'],
    ({ ask, judge, repeats }) =>
      ask === 'ppl-only' && (judge !== 'none' || repeats === 'rotations'),
  ),
  refuse(
    'labels are those of the inferencer',
    ['ask', 'labels'],
    ({ ask, labels }) => !labelsFor[ask].includes(labels),
  ),
  refuse(
    'labels of the template need one for each',
    ['labels', 'template'],
    ({ labels, template }) => labels === 'template' && !isLabelled(template),
  ),
  refuse(
    'one template for each label needs labels, but where compat holds for all models',
    ['ask', 'template', 'compat'],
    ({ ask, template, compat }) =>
      isLabelled(template) &&
      !comparesLabels(ask) &&
      (ask !== 'gen' || (compat !== 'opencompass' && compat !== 'aisbench')),
  ),
  refuse(
    'labels that are compared have to be shown',
    ['ask', 'template'],
    ({ ask, template }) => comparesLabels(ask) && template === 'open-end',
  ),
  refuse(
    'only a PPLInferencer normalizes',
    ['ask', 'normalizing'],
    ({ ask, normalizing }) => normalizing === 'on' && ask !== 'ppl',
  ),
  refuse(
    'compat modes normalize texts, of which each label has its own',
    ['normalizing', 'compat', 'template'],
    ({ normalizing, compat, template }) =>
      normalizing === 'on' && compat !== 'none' && template !== 'label-texts',
  ),
  refuse(
    'compat modes normalize from the mark between question and answer',
    ['normalizing', 'compat', 'separator'],
    ({ normalizing, compat, separator }) =>
      normalizing === 'on' && compat !== 'none' && separator === 'none',
  ),
  refuse(
    'only dialogues have a limit for each turn',
    ['ask', 'limit'],
    ({ ask, limit }) => limit === 'turns' && !isDialogue(ask),
  ),
];
