import { expect, test } from 'vitest';
import { askForLabel } from './ask-for-label.ts';

const asked = { labels: ['yes', 'no'], answer: '{a}', lists: true };
const human = (prompt: string) => ({ role: 'HUMAN', prompt });
const bot = (prompt: string) => ({ role: 'BOT', prompt });
const said = (label: string) => ({ round: [human('{q}'), bot(label)] });

test('a text asks for one of the labels before its answer', () => {
  expect(askForLabel('{q}\nAnswer: {a}', asked)).toContain('Answer with one of: yes, no.');
  expect(askForLabel({ yes: '{q}: yes', no: '{q}: no' }, asked)).toContain('yes, no');
});

test('a text keeps the lines before the one with the answer', () => {
  const made = askForLabel('First.\nSecond.\nAnswer: {a}', asked);
  expect(made).toBe('First.\nSecond.\nAnswer with one of: yes, no.\nAnswer: {a}');
});

test('dialogues that differ in their last turn ask for the label there', () => {
  const made = JSON.stringify(askForLabel({ yes: said('yes'), no: said('no') }, asked));
  expect(made).toContain('Answer with one of: yes, no.');
  expect(JSON.stringify(askForLabel(said('{a}'), asked))).toContain('yes, no');
});

test.each<[string, unknown]>([
  ['no template', undefined],
  ['a list', ['x']],
  ['a dialogue without a round', { begin: 'x' }],
  ['a round that is no list', { round: 'x' }],
  ['rounds that are no lists', { yes: { round: 'x' }, no: { round: 'y' } }],
  ['other beginnings', { yes: { ...said('yes'), begin: 'x' }, no: said('no') }],
  ['other ends', { yes: { ...said('yes'), end: 'x' }, no: said('no') }],
  ['other questions', { yes: said('yes'), no: { round: [human('{r}'), bot('no')] } }],
  ['other speakers', { yes: said('yes'), no: { round: [human('{q}'), human('no')] } }],
  ['texts and dialogues', { yes: 'x', no: said('no') }],
])('nothing is made of %s', (_, template) => {
  expect(askForLabel(template, asked)).toBeUndefined();
});
