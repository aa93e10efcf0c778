import { defaultImageTokens } from '../../../api/study-prefix-cache.ts';
import type { TokenFacts } from '../../../report/prefix-cache/describe-prefixes.ts';
import { comparePartOrders, type PartOrders } from '../../../study/prefix-cache/part-orders.ts';
import type { PrefixCacheSettings } from '../../../study/prefix-cache/prefix-cache.ts';
import { type PrefixCurves, prefixCurves } from '../../../study/prefix-cache/prefix-curves.ts';
import { type TokenCounting, TokenWriter } from '../../../study/prefix-cache/request-tokens.ts';

/** What a server's prefix cache would save on samples, and whether their images should stand first. */
export interface SamplePrefixes extends PrefixCurves, TokenFacts {
  readonly partOrders: PartOrders | undefined;
}

interface PicturedPrompts {
  readonly prompts: readonly string[];
  /** Empty where a sample has no image. */
  readonly imageIds: readonly string[];
}

const none = new Uint32Array();

/** Takes each image to stand before its prompt. */
export function samplePrefixes(
  { prompts, imageIds }: PicturedPrompts,
  settings: PrefixCacheSettings & TokenCounting,
): SamplePrefixes {
  const { tokenize, imageTokens = defaultImageTokens, ...cache } = settings;
  const writer = new TokenWriter({ tokenize, imageTokens });
  const written = (write: () => void) => {
    writer.clear();
    write();
    writer.fill();
    return writer.view(0).slice();
  };
  const parted = prompts.map((prompt, index) => {
    const source = imageIds[index] ?? '';
    const image = source === '' ? none : written(() => writer.media({ source }));
    const text = written(() => writer.text(prompt));
    return {
      parts: [
        { name: 'image', tokens: image },
        { name: 'text', tokens: text },
      ],
      end: none,
    };
  });
  const cases = parted.map(({ parts }, place) => {
    const [image = none, text = none] = parts.map(({ tokens }) => tokens);
    const tokens = new Uint32Array(image.length + text.length);
    tokens.set(image);
    tokens.set(text, image.length);
    const group = imageIds[place] || undefined;
    return { requests: [{ tokens }], place, group };
  });
  const media = imageIds.filter((id) => id !== '').length;
  return {
    ...prefixCurves(cases, cache),
    exactTokens: tokenize !== undefined,
    media,
    imageTokens,
    partOrders: media === 0 ? undefined : comparePartOrders(parted, cache),
  };
}
