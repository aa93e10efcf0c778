import { Slots } from '../../base/slots.ts';
import { type MediaContent, type MediaPart, shownSource } from '../../prompt/parts/content.ts';
import { mediaMismatch, notBase64Url } from './media-errors.ts';
import { type MediaSource, readMediaSource } from './media-source.ts';
import { lookAtData, lookAtFile, type MediaSettings, nameData } from './read-media.ts';

/** More than are ever in flight; what was looked at longest ago is forgotten. */
const maxKnown = 100_000;
const lookedAtOnce = 8;

/** Media by their source: what each holds, without its bytes. */
export class MediaLibrary {
  readonly #settings: MediaSettings;
  readonly #known = new Map<string, MediaContent | Error>();

  constructor(settings: MediaSettings) {
    this.#settings = settings;
  }

  /** Looks at the files among some media, so that `settle` knows them. */
  async look(parts: Iterable<MediaPart>): Promise<void> {
    const files = new Map<string, string>();
    for (const { source, content } of parts) {
      if (content || this.#settings.isVerbatim) continue;
      const found = readMediaSource(source);
      if (found?.type === 'file' && !this.#known.has(source)) files.set(source, found.path);
    }
    await new Slots(lookedAtOnce).map(files, async ([source, path]) =>
      this.#remember(source, await this.#lookAt(source, path)),
    );
  }

  /** The medium with what it holds. Fails with what was wrong with it. */
  settle(part: MediaPart): MediaPart {
    const { type, source, form } = part;
    const found = readMediaSource(source);
    if (found.type === 'remote' || part.content) return part;
    if (this.#settings.isVerbatim) return keepVerbatim(part, found);
    if (found.type === 'unread') throw notBase64Url(source);
    const content =
      found.type === 'file' ? this.#recall(source) : lookAtData(source, found, this.#settings);
    if (!fits(type, content.mediaType)) {
      throw mediaMismatch(source, { mediaType: content.mediaType, wanted: type });
    }
    const shown = found.type === 'file' ? source : `data:${content.mediaType};base64,…`;
    return { type, source: shown, content, ...(form && { form }) };
  }

  #lookAt(source: string, path: string): Promise<MediaContent | Error> {
    return lookAtFile(source, path, this.#settings).catch((error: Error) => error);
  }

  #remember(source: string, found: MediaContent | Error): void {
    this.#known.delete(source);
    this.#known.set(source, found);
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxKnown && oldest !== undefined) this.#known.delete(oldest);
  }

  #recall(source: string): MediaContent {
    const found = this.#known.get(source);
    if (found === undefined) throw new RangeError(`${shownSource(source)} was not looked at`);
    this.#remember(source, found);
    if (found instanceof Error) throw found;
    return found;
  }
}

/** Bytes that are sent as the data have them, whatever they are, stand elsewhere by their hash. */
function keepVerbatim(part: MediaPart, found: MediaSource): MediaPart {
  if (found.type !== 'inline' && found.type !== 'unread') return part;
  const { source } = part;
  const content = nameData(source, found.type === 'inline' ? found : undefined);
  return { ...part, source: `data:${content.mediaType};base64,…`, content };
}

/** Containers of video may hold sound alone. */
function fits(wanted: MediaPart['type'], mediaType: string): boolean {
  if (mediaType.startsWith(`${wanted}/`)) return true;
  return wanted === 'audio' && /^video\/(mp4|webm|ogg|quicktime)$/.test(mediaType);
}
