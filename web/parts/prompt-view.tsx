import { useState } from 'preact/hooks';
import type { Origin } from '../../src/prompt/origin.ts';
import { formatValue } from '../../src/prompt/values.ts';
import { addressOf, source as pageSource } from '../client.ts';
import { LongText, type TextSource } from './long-text.tsx';
import { ShownText } from './shown-text.tsx';

interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly usedBy?: Place;
}

export interface JsonSpan {
  readonly text: string;
  /** Nothing where it was not kept. */
  readonly origin: (Origin & { readonly path?: string }) | null;
  readonly at: Place | null;
  readonly tokenIds?: readonly number[];
  readonly media?: {
    readonly type: string;
    readonly source: string;
    readonly mediaType?: string;
    readonly bytes?: number;
    readonly sha256?: string;
  };
}

export interface JsonPrompt {
  readonly label?: unknown;
  readonly turn?: number;
  readonly sample?: number;
  readonly order?: number;
  readonly prompt: { readonly type: 'text'; readonly text: string } | { readonly type: 'messages' };
  readonly spans:
    | readonly JsonSpan[]
    | readonly { readonly role: string; readonly spans: readonly JsonSpan[] }[];
  readonly request: { readonly url?: string; readonly to?: string; readonly body: unknown } | null;
  readonly characters: number;
  readonly tokens: number | null;
}

export interface PromptProps {
  readonly prompt: JsonPrompt;
  readonly index: number;
  readonly source: TextSource;
  readonly shots: readonly (string | number)[];
  readonly showsSpace: boolean;
  readonly showsOrigins: boolean;
  readonly onExample: (shot: number) => void;
}

const meanings: Readonly<Record<Origin['type'], string>> = {
  literal: 'template',
  function: 'function of the config',
  field: 'column',
  role: 'model format',
  default: 'default of a role',
  meta: 'model format',
  separator: 'separator',
  mask: 'hidden answer',
  label: 'label',
  'chat-template': 'chat template',
};

/** A prompt as the model gets it: turns, or one text, and where each part comes from. */
export function PromptText(props: PromptProps) {
  const { prompt, index } = props;
  const [tip, setTip] = useState<Tip>();
  const [here, setHere] = useState<readonly [turn: number, place: number]>();
  const isMessages = prompt.prompt.type === 'messages';
  const turns = isMessages
    ? (prompt.spans as readonly { role: string; spans: readonly JsonSpan[] }[])
    : [{ role: '', spans: prompt.spans as readonly JsonSpan[] }];
  const types = new Set(
    turns.flatMap(({ spans }) => spans.flatMap(({ origin }) => origin?.type ?? [])),
  );
  const showsOrigins = props.showsOrigins && types.size > 0;
  /** Arrows lead from part to part, as a pointer does. */
  const walk = (event: KeyboardEvent, turn: number, spans: readonly JsonSpan[]) => {
    if (!showsOrigins) return;
    const at = here?.[0] === turn ? here[1] : undefined;
    const span = at === undefined ? undefined : spans[at];
    if (event.key === 'Enter' && span) {
      const shot = shotOf(span);
      if (shot !== undefined) props.onExample(shot);
      event.stopPropagation();
      return;
    }
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    const next = Math.min(spans.length - 1, Math.max(0, at === undefined ? 0 : at + by));
    const element = (event.currentTarget as HTMLElement).querySelector(`[data-place="${next}"]`);
    const reached = spans[next];
    setHere([turn, next]);
    if (!element || !reached) return;
    element.scrollIntoView({ block: 'nearest' });
    const { left, bottom } = element.getBoundingClientRect();
    setTip(tipAt(originText(reached, props.shots), left, bottom));
  };
  return (
    <div class={showsOrigins ? 'origins' : ''}>
      {turns.map(({ role, spans }, turn) => (
        <div class={`turn ${role}`} key={turn}>
          {role !== '' && <p class="turn-role">{role}</p>}
          <pre
            tabIndex={0}
            onPointerLeave={() => setTip(undefined)}
            onBlur={() => {
              setHere(undefined);
              setTip(undefined);
            }}
            onKeyDown={(event) => walk(event, turn, spans)}
          >
            {spans.map((span, place) => (
              <SpanText
                key={place}
                span={span}
                path={[
                  'view',
                  'prompts',
                  index,
                  'spans',
                  ...(isMessages ? [turn, 'spans'] : []),
                  place,
                ]}
                {...props}
                place={place}
                isHere={here?.[0] === turn && here[1] === place}
                onTip={setTip}
              />
            ))}
            {turn === turns.length - 1 && prompt.label === undefined && (
              <span class="here" title="the model continues here" />
            )}
          </pre>
        </div>
      ))}
      {showsOrigins && (
        <p class="legend">
          {[...types].map((type) => (
            <span key={type} class={`sw-${type}`}>
              {meanings[type]}
            </span>
          ))}
        </p>
      )}
      {tip && showsOrigins && (
        <div
          class="tip"
          role="tooltip"
          aria-live="polite"
          style={{ left: `${tip.x}px`, top: `${tip.y}px` }}
        >
          {tip.text}
        </div>
      )}
    </div>
  );
}

interface Tip {
  readonly text: string;
  readonly x: number;
  readonly y: number;
}

/** Beside a place of the window, and within it. */
function tipAt(text: string, x: number, y: number): Tip {
  return { text, x: Math.min(x + 12, innerWidth - 320), y: Math.min(y + 16, innerHeight - 90) };
}

function shotOf({ origin }: JsonSpan): number | undefined {
  return origin && 'shot' in origin ? origin.shot : undefined;
}

interface SpanProps extends PromptProps {
  readonly span: JsonSpan;
  readonly path: readonly (string | number)[];
  readonly place: number;
  /** Whether the keyboard has got here. */
  readonly isHere: boolean;
  readonly onTip: (tip: Tip) => void;
}

function SpanText({
  span,
  path,
  source,
  shots,
  showsSpace,
  showsOrigins,
  onExample,
  place,
  isHere,
  onTip,
}: SpanProps) {
  if (span.media) return <Medium media={span.media} source={source} />;
  const { origin } = span;
  const shot = shotOf(span);
  const text =
    span.text === '' && span.tokenIds ? `⟨tokens ${span.tokenIds.join(' ')}⟩` : span.text;
  return (
    <LongText text={text} path={[...path, 'text']} source={source}>
      {(shown) => (
        <span
          class={`span ${origin ? `o-${origin.type}` : ''} ${shot === undefined ? '' : 'in-shot'} ${isHere ? 'is-here' : ''}`}
          data-place={place}
          title={showsOrigins ? undefined : originText(span, shots)}
          onPointerEnter={(event) =>
            origin && onTip(tipAt(originText(span, shots), event.clientX, event.clientY))
          }
          onClick={() => {
            if (shot !== undefined && getSelection()?.isCollapsed !== false) onExample(shot);
          }}
        >
          <ShownText text={shown} showsSpace={showsSpace} />
        </span>
      )}
    </LongText>
  );
}

/** Where a span comes from, in words. */
export function originText({ origin, at }: JsonSpan, shots: readonly (string | number)[]): string {
  if (!origin) return '';
  const shot = 'shot' in origin && origin.shot !== undefined ? origin.shot : undefined;
  const what = {
    literal: () => 'written in the template',
    function: () => 'made by a function of the config',
    field: () => `column ${'field' in origin ? origin.field : ''}`,
    role: () => (origin.type === 'role' ? `model format, ${origin.edge} of ${origin.role}` : ''),
    default: () => (origin.type === 'default' ? `default text of ${origin.role}` : ''),
    meta: () => (origin.type === 'meta' ? `model format, ${origin.part}` : ''),
    separator: () => (origin.type === 'separator' ? `separator ${origin.name}` : ''),
    mask: () => 'the hidden answer',
    label: () => 'the label under test',
    'chat-template': () => "the model's chat template",
  }[origin.type]();
  const example = shot === undefined ? '' : ` · example ${shot + 1} (train ${shots[shot] ?? '?'})`;
  const place = at ? ` · ${at.file}:${at.line}:${at.column}` : '';
  const used = at?.usedBy ? `, used by ${at.usedBy.file}:${at.usedBy.line}` : '';
  return `${what}${example}${place}${used}`;
}

/** As pictures, in which nothing runs. */
const drawn = /^image\/(?:png|jpeg|gif|webp|bmp|avif)$/;
const vector = 'image/svg+xml';

function Medium({
  media,
  source,
}: {
  readonly media: NonNullable<JsonSpan['media']>;
  readonly source: TextSource;
}) {
  const { mediaType, sha256, bytes, type } = media;
  const name = media.source.length > 80 ? `${media.source.slice(0, 80)}…` : media.source;
  if (sha256 === undefined || mediaType === undefined) {
    return <span class="media-box">{`${type}: ${name}`}</span>;
  }
  const address =
    source.media === undefined
      ? pageSource.media(source.row, sha256)
      : addressOf(source.media, { ...source.row, sha256 });
  if (address === undefined) {
    return (
      <span class="media-box">{`${mediaType}, ${bytes} bytes, ${name}: left out of this file`}</span>
    );
  }
  // A file of a site that may hold scripts has no type under which it could be opened.
  const isDrawn = drawn.test(mediaType) || (mediaType === vector && !address.endsWith('.bin'));
  if (isDrawn)
    return <img class="media" src={address} alt={name} title={`${mediaType}, ${bytes} bytes`} />;
  if (mediaType.startsWith('audio/')) return <audio class="media" controls src={address} />;
  return (
    <span class="media-box">
      {mediaType}, {bytes} bytes, {name} ·{' '}
      <a href={address} download>
        download
      </a>
    </span>
  );
}

/** What tells a prompt of a row from its others: its turn, sample, order or label. */
export function promptName(
  { label, turn, sample, order }: Pick<JsonPrompt, 'label' | 'turn' | 'sample' | 'order'>,
  place: number,
): string {
  const part =
    turn !== undefined
      ? `turn ${turn}`
      : sample !== undefined
        ? `sample ${sample}`
        : order !== undefined
          ? `order ${order}`
          : '';
  if (label === undefined) return part || `prompt ${place + 1}`;
  return `${part} ${formatValue(label)}`.trim();
}
