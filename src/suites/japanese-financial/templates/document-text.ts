import type { Span, TemplatePosition } from '../../../prompt/origin.ts';
import { stripText } from '../../../python/text.ts';
import {
  answerColumn,
  type Choice,
  type ExamDocument,
  isOpinion,
  type OpinionDocument,
  type TaskDocument,
} from '../data/documents.ts';
import { fillText, type TextPattern } from './fill-text.ts';
import type { Template } from './template.ts';

/** A document with its position in the data. */
export interface PositionedDocument {
  readonly docIndex: number;
  readonly document: TaskDocument;
}

/** What a template says of a document, without the answer, with the origin of every character. */
export function traceText(template: Template, { docIndex, document }: PositionedDocument): Span[] {
  const fieldAt: FieldAt = (field, text, at) => ({
    text,
    origin: { type: 'field', field, row: docIndex, at },
  });
  const valuesAt = isOpinion(document)
    ? opinionValues(document, fieldAt)
    : examValues(template, { document, fieldAt });
  return fillSpans(template.text, locationIn(template, 'text'), valuesAt);
}

/** An example: its text, and the right answer to it. */
export function traceExample(template: Template, placed: PositionedDocument): Span[] {
  const { document, docIndex: row } = placed;
  const at = locationIn(template, 'answer');
  const origin = { type: 'field', field: answerColumn(document), row, at } as const;
  return [
    ...traceText(template, placed),
    ...literal(template.delimiter, locationIn(template, 'target_delimiter')),
    { text: targetOf(template, document), origin },
  ];
}

/** Where a text stands in the file of a template. */
export function locationIn({ name }: Template, ...keys: readonly string[]): TemplatePosition {
  return { path: [name, ...keys], start: 0 };
}

export function literal(text: string, at: TemplatePosition): Span[] {
  return text === '' ? [] : [{ text, origin: { type: 'literal', at } }];
}

type FieldAt = (field: string, text: string, at: TemplatePosition) => Span;
type ValuesAt = (name: string, at: TemplatePosition) => readonly Span[];

function fillSpans(pattern: TextPattern, { path }: TemplatePosition, valuesAt: ValuesAt): Span[] {
  const spans: Span[] = [];
  let start = 0;
  for (const [index, part] of pattern.entries()) {
    const at = { path, start };
    const isName = index % 2 === 1;
    spans.push(...(isName ? valuesAt(part, at) : literal(part, at)));
    start += part.length + (isName ? '{}'.length : 0);
  }
  return spans;
}

function opinionValues({ sentence, target }: OpinionDocument, fieldAt: FieldAt): ValuesAt {
  const last = () => stripText(sentence.split('[SEP]').at(-1) ?? '');
  return (name, at) => {
    if (name === 'target') return [fieldAt(name, target, at)];
    return [fieldAt('sentence', name === 'last_sentence' ? last() : sentence, at)];
  };
}

const lineBreak: Span = { text: '\n', origin: { type: 'separator', name: 'line' } };

function examValues(
  template: Template,
  { document, fieldAt }: { readonly document: ExamDocument; readonly fieldAt: FieldAt },
): ValuesAt {
  const { question, context, choices } = document;
  return (name, at) => {
    if (name === 'question') {
      const asked = fieldAt('question', question, at);
      return context ? [asked, lineBreak, fieldAt('context', context, at)] : [asked];
    }
    const { each, between } = template.choices as NonNullable<Template['choices']>;
    return choices.flatMap((choice, index) => [
      ...literal(index === 0 ? '' : between, locationIn(template, 'choices', 'between')),
      ...fillSpans(each, locationIn(template, 'choices', 'each'), (part, at) => [
        fieldAt('choices', choiceValue(choice, part), at),
      ]),
    ]);
  };
}

/** The choices of a document as answers, without the delimiter that stands before them. */
export function choicesOf(template: Template, document: TaskDocument): string[] {
  const choices = isOpinion(document)
    ? (template.labels ?? []).map((text, id) => ({ id, text }))
    : document.choices;
  return choices.map((choice) => answerWith(template, choice));
}

function answerWith({ answer }: Template, choice: Choice): string {
  return fillText(answer, (name) => choiceValue(choice, name));
}

function choiceValue({ id, text }: Choice, name: string): string {
  if (name === 'letter') return String.fromCodePoint('A'.charCodeAt(0) + id);
  return name === 'index' ? String(id) : text;
}

/** The right answer; it need not be among the choices. */
export function targetOf(template: Template, document: TaskDocument): string {
  if (isOpinion(document)) return document.polarity;
  const right = document.choices.find(({ id }) => id === document.answer) as Choice;
  return answerWith(template, right);
}
