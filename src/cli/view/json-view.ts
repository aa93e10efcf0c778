import { toPlain } from '../../config/plain-value.ts';
import { formatPath, type SourceLocation } from '../../errors.ts';
import {
  type MediaPart,
  plainPromptList,
  type Span,
  type TracedPrompt,
} from '../../prompt/index.ts';
import { displayPath } from '../display-path.ts';
import type { LabelView, PromptView, Remark } from './prompt-view.ts';

/** A view as data, for programs. */
export function jsonView(view: PromptView) {
  const { model, dataset, row, shots, mode, compat, templateRemarks, rowRemarks, prompts } = view;
  return {
    model: model?.abbr ?? null,
    dataset: dataset.abbr,
    row,
    shots,
    mode,
    compat: compat ?? null,
    inferencer: dataset.inferCfg.inferencer.type,
    diagnostics: [...templateRemarks, ...rowRemarks].map(jsonRemark),
    ...(view.weighing && { request: view.weighing }),
    prompts: prompts.map((prompt) => jsonPrompt(prompt, view)),
  };
}

function jsonRemark({ at, ...remark }: Remark) {
  return { ...remark, at: jsonPlace(at) };
}

function jsonPrompt(prompt: LabelView, { placeOf }: PromptView) {
  const { label, list, sent, request, characters, tokens } = prompt;
  return {
    ...('label' in prompt && { label: toPlain(label) }),
    ...(prompt.turn !== undefined && { turn: prompt.turn }),
    promptList: plainPromptList(list),
    prompt: sent,
    ...jsonSpans(prompt.prompt, placeOf),
    request: request ?? null,
    characters,
    tokens: tokens ?? null,
  };
}

/** The spans of a text, or of each message. */
function jsonSpans(traced: TracedPrompt, placeOf: PromptView['placeOf']) {
  const jsonSpan = ({ text, tokenIds, media, origin }: Span) => {
    const { at, ...rest } = { at: undefined, ...origin };
    const place = placeOf({ text, origin });
    return {
      text,
      ...(tokenIds && { tokenIds }),
      ...(media && { media: jsonMedia(media) }),
      origin: { ...rest, ...(at && { path: formatPath(at.path) }) },
      at: place ? jsonPlace(place) : null,
    };
  };
  return traced.type === 'text'
    ? { spans: traced.spans.map(jsonSpan) }
    : { spans: traced.messages.map(({ role, spans }) => ({ role, spans: spans.map(jsonSpan) })) };
}

function jsonMedia({ type, source, content }: MediaPart) {
  if (!content) return { type, source };
  const { mediaType, bytes, sha256 } = content;
  return { type, source, mediaType, bytes, sha256 };
}

export function jsonPlace({ file, line, column }: SourceLocation) {
  return { file: displayPath(file), line, column };
}
