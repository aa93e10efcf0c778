import type { ConfigPath } from '../errors.ts';
import type { MediaPart } from './parts/content.ts';

/** A string in the config, and the character in it at which a span starts. */
export interface TemplatePosition {
  readonly path: ConfigPath;
  readonly start: number;
}

export type RowId = string | number;

/** Where a stretch of a prompt came from. `shot` is the number of the example it belongs to. */
export type Origin =
  /** text written in a data-side template */
  | { readonly type: 'literal'; readonly at: TemplatePosition; readonly shot?: number }
  /** the value of a column */
  | {
      readonly type: 'field';
      readonly field: string;
      readonly row: RowId;
      readonly at: TemplatePosition;
      readonly shot?: number;
    }
  /** what stands in place of the hidden answer; its text is empty unless a mask token is set */
  | {
      readonly type: 'mask';
      readonly field: string;
      readonly at: TemplatePosition;
      /** Spaces that the template has before it and that are left to the model. */
      readonly dropped?: string;
    }
  /** the candidate answer of a label prompt, in place of the output column */
  | { readonly type: 'label'; readonly field: string; readonly at: TemplatePosition }
  /** text that the model's format puts before or after what a role says */
  | {
      readonly type: 'role';
      readonly role: string;
      readonly edge: 'begin' | 'end';
      readonly at: TemplatePosition;
      readonly shot?: number;
    }
  /** what a role says when the dataset leaves it out */
  | {
      readonly type: 'default';
      readonly role: string;
      readonly at: TemplatePosition;
      readonly shot?: number;
    }
  /** text of the meta template that belongs to no role */
  | {
      readonly type: 'meta';
      readonly part: 'begin' | 'round' | 'end';
      readonly at: TemplatePosition;
      readonly shot?: number;
    }
  /** text between examples, after the last one, between joined lines or parts; or a `sep_token` mark */
  | {
      readonly type: 'separator';
      readonly name: 'ice_separator' | 'ice_eos_token' | 'line' | 'part' | 'sep_token';
      readonly shot?: number;
    }
  /** text that a model's own chat template added */
  | { readonly type: 'chat-template'; readonly name: string }
  /** what a function made that stands in place of a template */
  | { readonly type: 'function'; readonly at: TemplatePosition };

/** A stretch of text with one origin. A span may be a list of token ids, or a medium, with no text. */
export interface Span {
  readonly text: string;
  readonly origin: Origin;
  readonly tokenIds?: readonly number[];
  readonly media?: MediaPart;
  /** It begins a content part of its own. */
  readonly opensPart?: boolean;
}

/**
 * The text of spans.
 *
 * @example
 * const program = compilePrompt({ promptTemplate: { template: 'Q: {q}' } });
 * const traced = tracePrompt(program, { id: 0, row: { q: '1+1?' } });
 * traced.type === 'text' && joinSpans(traced.spans); // 'Q: 1+1?'
 */
export function joinSpans(spans: readonly Span[]): string {
  let text = '';
  for (const span of spans) text += span.text;
  return text;
}

/**
 * The spans of a text from a character on.
 *
 * @example
 * const origin = { type: 'separator', name: 'line' } as const;
 * const spans = spansFrom([{ text: 'ab', origin }, { text: 'cd', origin }], 1);
 * joinSpans(spans); // 'bcd'
 */
export function spansFrom(spans: readonly Span[], start: number): Span[] {
  let position = 0;
  return spans.flatMap((span) => {
    const cut = Math.max(0, start - position);
    position += span.text.length;
    return cut >= span.text.length ? [] : [{ ...span, text: span.text.slice(cut) }];
  });
}
