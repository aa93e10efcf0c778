import { jsonLocation } from '../../base/display-path.ts';
import { formatPath } from '../../errors.ts';
import { toPlain } from '../../prompt/mapping.ts';
import type { Span } from '../../prompt/origin.ts';
import type { MediaPart } from '../../prompt/parts/content.ts';
import type { TracedPrompt } from '../../prompt/prompt.ts';
import { plainPromptList } from '../../prompt/prompt-list.ts';
import type {
  JudgeView,
  LabelView,
  PromptView,
  Remark,
  ViewRequest,
} from '../../study/view/prompt-view.ts';

/** A view as data, for programs. */
export function jsonView(view: PromptView) {
  const { model, dataset, row, shots, dropped, tooLong, mode, compat, inferencer } = view;
  const { templateRemarks, rowRemarks, prompts, requests, judge } = view;
  return {
    model: model ?? null,
    dataset,
    row,
    shots,
    ...(dropped > 0 && { dropped }),
    ...(tooLong && { tooLong }),
    mode,
    compat: compat ?? null,
    inferencer,
    diagnostics: [...templateRemarks, ...rowRemarks].map(jsonRemark),
    ...(view.loglikelihood && { request: unnamed(view.loglikelihood) }),
    prompts: prompts.map((prompt) => jsonPrompt(prompt, view)),
    requests,
    ...(judge && { judge: judge.map((one) => jsonJudge(one, view)) }),
  };
}

/** A request without the part of the row that it is for. */
function unnamed({ body, ...target }: ViewRequest): ViewRequest {
  return 'url' in target ? { url: target.url, body } : { to: target.to, body };
}

function jsonRemark({ at, ...remark }: Remark) {
  return { ...remark, at: at ? jsonLocation(at) : null };
}

function jsonPrompt(prompt: LabelView, { placeOf }: PromptView) {
  const { label, list, sent, request, characters, tokens, tokenIds } = prompt;
  return {
    ...('label' in prompt && { label: toPlain(label) }),
    ...(prompt.part && { [prompt.part.kind]: prompt.part.name }),
    promptList: plainPromptList(list),
    prompt: sent,
    ...jsonSpans(prompt.prompt, placeOf),
    request: request ? unnamed(request) : null,
    characters,
    tokens: tokens ?? null,
    ...(tokenIds && { tokenIds }),
  };
}

function jsonJudge({ traced, ...request }: JudgeView, { placeOf }: PromptView) {
  return { ...request, ...jsonSpans(traced, placeOf) };
}

/** The spans of a text, or of each message. */
function jsonSpans(traced: TracedPrompt, placeOf: PromptView['placeOf']) {
  const jsonSpan = ({ text, tokenIds, media, origin }: Span) => {
    const { at, ...rest } = { at: undefined, ...origin };
    const location = placeOf({ text, origin });
    return {
      text,
      ...(tokenIds && { tokenIds }),
      ...(media && { media: jsonMedia(media) }),
      origin: { ...rest, ...(at && { path: formatPath(at.path) }) },
      at: location ? jsonLocation(location) : null,
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
