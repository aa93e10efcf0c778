import { joinSpans, type Span } from '../../../prompt/origin.ts';
import { inShot } from '../../../prompt/trace.ts';
import { answerColumn, type TaskDocument } from '../data/documents.ts';
import { rulesOf } from './dialects.ts';
import {
  choicesOf,
  literal,
  locationIn,
  type PositionedDocument,
  targetOf,
  traceExample,
  traceText,
} from './document-text.ts';
import { type DrawOptions, drawTurns, type Turn } from './draw-shots.ts';
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
    const example =
      examples.get(index) ?? joinSpans(traceExample(template, placedAt(documents, index)));
    examples.set(index, example);
    return example;
  };
  const textOf = (part: ContextPart): string => {
    if (part.type === 'description') return description;
    if (part.type === 'separator') return separator;
    if (part.type === 'example') return exampleAt(part.index);
    return joinSpans(traceText(template, placedAt(documents, part.index)));
  };
  for (const turn of drawTurns(documents, { ...options, dialect })) {
    const document = documents[turn.docIndex] as TaskDocument;
    let context = '';
    for (const part of contextParts(template, turn)) context += textOf(part);
    const choices = choicesOf(template, document);
    yield {
      ...turn,
      document,
      context,
      choices,
      continuations: choices.map((choice) => delimiter + choice),
      target: targetOf(template, document),
    };
  }
}

/** What a context is made of. */
type ContextPart =
  | { readonly type: 'description' }
  | { readonly type: 'example'; readonly index: number; readonly shot: number }
  | { readonly type: 'separator'; readonly shot?: number }
  | { readonly type: 'question'; readonly index: number };

function* contextParts(
  { dialect }: Template,
  { docIndex, sampled, shots }: Turn,
): Generator<ContextPart> {
  yield { type: 'description' };
  for (const [shot, index] of shots.entries()) {
    yield { type: 'example', index, shot };
    yield { type: 'separator', shot };
  }
  const lostAll = sampled.length > 0 && shots.length === 0;
  if (lostAll && rulesOf[dialect].keepsEmptySeparator) yield { type: 'separator' };
  yield { type: 'question', index: docIndex };
}

/** The texts of a prompt with the origin of every character. */
export interface TracedTaskPrompt {
  readonly context: readonly Span[];
  /** One for each choice. */
  readonly continuations: readonly (readonly Span[])[];
}

/** Where the texts of a prompt come from: places in the template's file, and columns of documents. */
export function traceTaskPrompt(
  template: Template,
  documents: readonly TaskDocument[],
  prompt: TaskPrompt,
): TracedTaskPrompt {
  const spansOf = (part: ContextPart): readonly Span[] => {
    if (part.type === 'description') {
      return literal(template.description, locationIn(template, 'description'));
    }
    if (part.type === 'separator') {
      const shot = part.shot === undefined ? {} : { shot: part.shot };
      const origin = { type: 'separator', name: 'ice_separator', ...shot } as const;
      return [{ text: template.separator, origin }];
    }
    const placed = placedAt(documents, part.index);
    if (part.type === 'question') return traceText(template, placed);
    return inShot(traceExample(template, placed), part.shot);
  };
  const at = locationIn(template, 'answer');
  const field = answerColumn(prompt.document);
  return {
    context: [...contextParts(template, prompt)].flatMap(spansOf),
    continuations: prompt.choices.map((text) => [
      ...literal(template.delimiter, locationIn(template, 'target_delimiter')),
      { text, origin: { type: 'label', field, at } },
    ]),
  };
}

function placedAt(documents: readonly TaskDocument[], docIndex: number): PositionedDocument {
  return { docIndex, document: documents[docIndex] as TaskDocument };
}
