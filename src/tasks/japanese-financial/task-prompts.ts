import { stripText } from '../../score/opencompass-python-text.ts';
import { rulesOf } from './dialects.ts';
import {
  type Choice,
  type ExamDocument,
  isOpinion,
  type OpinionDocument,
  type TaskDocument,
} from './documents.ts';
import { type DrawOptions, drawTurns, type Turn } from './draw-shots.ts';
import { fillText } from './fill-text.ts';
import type { Template } from './template.ts';

/** What a model is shown for a document, and what it may go on with. */
export interface TaskPrompt extends Turn {
  readonly document: TaskDocument;
  readonly context: string;
  /** The choices as answers, without the delimiter that stands before them. */
  readonly choices: readonly string[];
  /** The choices as they follow the context. */
  readonly continuations: readonly string[];
  /** The right answer; it need not be among the choices. */
  readonly target: string;
}

/** The prompts of a task, in the order of evaluation. */
export function* taskPrompts(
  template: Template,
  documents: readonly TaskDocument[],
  options: Omit<DrawOptions, 'dialect'>,
): Generator<TaskPrompt> {
  const { description, separator, delimiter, dialect } = template;
  const examples = new Map<number, string>();
  const exampleAt = (index: number): string => {
    const known = examples.get(index);
    if (known !== undefined) return known;
    const document = documents[index] as TaskDocument;
    const example = textOf(template, document) + delimiter + targetOf(template, document);
    examples.set(index, example);
    return example;
  };
  const { keepsEmptySeparator } = rulesOf[dialect];
  const isFewshot = options.numFewshot > 0;
  for (const turn of drawTurns(documents, { ...options, dialect })) {
    const document = documents[turn.docIndex] as TaskDocument;
    let shown = description;
    for (const index of turn.shots) shown += exampleAt(index) + separator;
    if (isFewshot && turn.shots.length === 0 && keepsEmptySeparator) shown += separator;
    const choices = choicesOf(template, document).map((choice) => answerWith(template, choice));
    yield {
      ...turn,
      document,
      context: shown + textOf(template, document),
      choices,
      continuations: choices.map((choice) => delimiter + choice),
      target: targetOf(template, document),
    };
  }
}

function textOf(template: Template, document: TaskDocument): string {
  return fillText(
    template.text,
    isOpinion(document) ? opinionValues(document) : examValues(template, document),
  );
}

type Values = (name: string) => string;

function opinionValues({ sentence, target }: OpinionDocument): Values {
  return (name) => {
    if (name === 'target') return target;
    return name === 'last_sentence' ? stripText(sentence.split('[SEP]').at(-1) ?? '') : sentence;
  };
}

function examValues(template: Template, { question, context, choices }: ExamDocument): Values {
  return (name) => {
    if (name === 'question') return context ? `${question}\n${context}` : question;
    const { each, between } = template.choices as NonNullable<Template['choices']>;
    return choices
      .map((choice) => fillText(each, (part) => choiceValue(choice, part)))
      .join(between);
  };
}

function choicesOf({ labels }: Template, document: TaskDocument): readonly Choice[] {
  return isOpinion(document) ? (labels ?? []).map((text, id) => ({ id, text })) : document.choices;
}

function answerWith({ answer }: Template, choice: Choice): string {
  return fillText(answer, (name) => choiceValue(choice, name));
}

function choiceValue({ id, text }: Choice, name: string): string {
  if (name === 'letter') return String.fromCodePoint('A'.charCodeAt(0) + id);
  return name === 'index' ? String(id) : text;
}

function targetOf(template: Template, document: TaskDocument): string {
  if (isOpinion(document)) return document.polarity;
  const right = document.choices.find(({ id }) => id === document.answer) as Choice;
  return answerWith(template, right);
}
