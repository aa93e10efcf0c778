import { hideBase64In } from '../../base/hidden-text.ts';
import { contentText } from '../../prompt/parts/content.ts';
import type { Prompt, TracedPrompt } from '../../prompt/prompt.ts';
import type { PromptList } from '../../prompt/prompt-list.ts';
import type { LabelView, PromptView } from '../../study/view/prompt-view.ts';
import type { Terminal } from '../terminal.ts';
import { formatJson, shorten } from '../text/format-json.ts';
import { type Piece, renderLine } from '../text/pieces.ts';
import { type Block, renderBlocks } from '../text/render-blocks.ts';
import { showControls } from '../text/show-controls.ts';
import { wrapLine } from '../text/wrap-line.ts';
import { markedSpans, plainSpans, type ShowSpans } from './show-spans.ts';

/** A view, and how it is to be shown. */
export interface Scene {
  readonly view: PromptView;
  readonly terminal: Terminal;
  readonly origins: boolean;
  readonly full: boolean;
  /** Whether to show the tokens of prompts by their ids. */
  readonly tokens: boolean;
}

export interface Section {
  readonly title: string;
  readonly note?: string;
  readonly lines: readonly string[];
}

/** The parts of the screen for one prompt, in order. */
export function sectionsOf(prompt: LabelView, scene: Scene): Section[] {
  const { list } = prompt;
  return [
    ...(list.type === 'list' ? [listSection(list, scene)] : []),
    sentSection(prompt, scene),
    ...(scene.view.mode === 'gen' ? [requestSection({ ...scene.view, ...prompt }, scene)] : []),
    sizeSection(prompt),
    ...(scene.tokens ? [tokenSection(prompt, scene)] : []),
  ];
}

function listSection(
  { items }: Extract<PromptList, { type: 'list' }>,
  { view, terminal, origins }: Scene,
): Section {
  const { row } = view;
  const show = origins ? markedSpans(terminal, row.id) : plainSpans(terminal, { showMask: true });
  const blocks = items.map((item): Block => {
    const pieces = show(item.spans);
    return item.type === 'turn' ? { name: item.role, pieces } : { pieces };
  });
  return { title: 'Prompt list', lines: renderBlocks(blocks, terminal) };
}

function sentSection({ prompt }: LabelView, { view, terminal, origins }: Scene): Section {
  const { row, mode } = view;
  const show: ShowSpans = origins
    ? markedSpans(terminal, row.id)
    : plainSpans(terminal, { showMask: false });
  const end: Piece[] =
    mode === 'gen' ? [{ text: '▮', paint: terminal.colors.green, mark: true }] : [];
  const note = mode === 'gen' ? { note: terminal.colors.dim('the model continues at ▮') } : {};
  if (prompt.type === 'text') {
    const blocks = [{ pieces: [...show(prompt.spans), ...end] }];
    return { title: 'Sent as text', ...note, lines: renderBlocks(blocks, terminal) };
  }
  const { messages } = prompt;
  const open = prompt.isOpen ? messages.length - 1 : undefined;
  const blocks = messages.map(
    ({ role, spans }, index): Block => ({
      name: role,
      pieces: index === open ? [...show(spans), ...end] : show(spans),
    }),
  );
  if (open === undefined && end.length > 0) blocks.push({ name: 'assistant', pieces: end });
  const title = `Sent as ${messages.length} message${messages.length === 1 ? '' : 's'}`;
  return { title, ...note, lines: renderBlocks(blocks, terminal) };
}

/** What stands around the text of a message when it takes one line of the request. */
const widestMessageRest = '    { "role": "assistant", "content": "…" },'.length;
const fewestShown = 16;

type Asked = Pick<LabelView, 'request'> & Pick<PromptView, 'loglikelihood' | 'noRequest'>;

/** The request, or why there is none. */
export function requestSection(
  { request: own, loglikelihood, noRequest }: Asked,
  { terminal, full }: Scene,
): Section {
  const title = 'Request';
  const request = own ?? loglikelihood;
  if (!request) {
    const reason = showControls(noRequest ?? 'this kind of task takes several requests');
    return { title, note: `none: ${reason}`, lines: [] };
  }
  const width = terminal.width - 2;
  const room = Math.max(fewestShown, width - widestMessageRest);
  const shown = hideBase64In(request.body);
  const body = full ? shown : shorten(shown, room);
  const isCut = JSON.stringify(body) !== JSON.stringify(shown);
  const target = 'url' in request ? `POST ${request.url}` : `to ${request.to}`;
  const lines = formatJson(body, width)
    .split('\n')
    .flatMap((line) => wrapLine([{ text: line }], width));
  return {
    title,
    note: `${showControls(target)}${isCut ? terminal.colors.dim(' · … see --full') : ''}`,
    lines: lines.map((line) => `  ${renderLine(line)}`),
  };
}

/** What the judges of a row were sent, or would be, and what they said. */
export function judgeSections(scene: Scene): Section[] {
  const { view, terminal, origins } = scene;
  return (view.judge ?? []).flatMap((request) => {
    const { judge, part, prompt, traced, said, isStandIn } = request;
    const about = part ? `, ${part.kind} ${part.name}` : '';
    return [
      {
        title: `Judge ${judge}${about}`,
        ...(isStandIn && {
          note: terminal.colors.dim(showControls(`⟨answer ${part?.name ?? 1}⟩ is the answer`)),
        }),
        lines: renderBlocks(origins ? tracedBlocks(traced, scene) : promptBlocks(prompt), terminal),
      },
      { ...requestSection({ request }, scene), title: `Request to ${judge}` },
      ...(said === undefined
        ? []
        : [
            {
              title: `${judge} said`,
              lines: renderBlocks([{ pieces: [{ text: said }] }], terminal),
            },
          ]),
    ];
  });
}

function tracedBlocks(traced: TracedPrompt, { view, terminal }: Scene): Block[] {
  const show = markedSpans(terminal, view.row.id);
  if (traced.type === 'text') return [{ pieces: show(traced.spans) }];
  return traced.messages.map(({ role, spans }) => ({ name: role, pieces: show(spans) }));
}

function promptBlocks(prompt: Prompt): Block[] {
  if (prompt.type === 'text') return [{ pieces: [{ text: prompt.text }] }];
  return prompt.messages.map(({ role, content }) => ({
    name: role,
    pieces: [{ text: contentText(content) }],
  }));
}

function sizeSection({ sent, characters, tokens }: LabelView): Section {
  const where = sent.type === 'messages' ? ' in the contents' : '';
  const length = `${characters} character${characters === 1 ? '' : 's'}${where}`;
  const counted = `${tokens} token${tokens === 1 ? '' : 's'}${where}`;
  const note = `${length} · ${tokens === undefined ? 'no tokenizer given' : counted}`;
  return { title: 'Size', note, lines: [] };
}

/** What the model reads, by token ids. */
function tokenSection({ sent, tokenIds }: LabelView, { terminal }: Scene): Section {
  const title = 'Tokens';
  if (!tokenIds) {
    const why =
      sent.type === 'text' ? 'no tokenizer given' : 'the server builds them from the messages';
    return { title, note: `none: ${why}`, lines: [] };
  }
  const count = `${tokenIds.length} token${tokenIds.length === 1 ? '' : 's'}`;
  const lines = renderBlocks([{ pieces: [{ text: tokenIds.join(' ') }] }], terminal);
  return { title, note: `${count}, including special tokens at the start`, lines };
}
