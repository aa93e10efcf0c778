import { describeType, getKey, isMapping, toPlain } from '../../src/prompt/mapping.ts';
import { parseTemplate } from '../../src/prompt/parse-template.ts';
import {
  type Content,
  describeMedia,
  isBase64Like,
  isPathLike,
  joinContents,
  type MediaPart,
  shownSource,
} from '../../src/prompt/parts/content.ts';
import { hideTags, showPromptTags, untag } from '../../src/prompt/parts/hidden-tags.ts';
import { mediumIn } from '../../src/prompt/parts/part-form.ts';
import { splitTagged } from '../../src/prompt/parts/tagged-content.ts';
import type { Prompt } from '../../src/prompt/prompt.ts';
import type { TemplateConfig } from '../../src/prompt/template.ts';
import { Float, formatValue } from '../../src/prompt/values.ts';

/** Parts of prompts: what comes of them for what they are given. */
export const promptCalls = {
  medium: (part: MediaPart) => [
    shownSource(part.source),
    isPathLike(part.source),
    isBase64Like(part.source),
    describeMedia(part),
  ],
  /** The same for a text that is repeated. */
  source: (text: string, times: number, end: string) =>
    promptCalls.medium({ type: 'image', source: `${text.repeat(times)}${end}` }),
  joined: (first: Content, second: Content, glue: '' | '\n') => joinContents(first, second, glue),
  tagged: (text: string) => [untag(text) ?? null, splitTagged(text, 'q')],
  hidden: (prompt: Prompt) =>
    showPromptTags(JSON.parse(hideTags(JSON.stringify(prompt).replaceAll('\\u003c', '<')))),
  partMedium: (part: unknown) => mediumIn(part) ?? null,
  scanned: (config: TemplateConfig) => parseTemplate(config, ['prompt_template']).body,
  /** Values that JSON has no form for. */
  values: () =>
    [
      null,
      undefined,
      true,
      12n,
      2 ** 60,
      -0,
      new Float(1),
      new Float(1e21),
      new Float(-0.5),
      new Map([['a', new Float(2)]]),
      new Map<unknown, unknown>([[1, 'b']]),
      Object.create(null),
      new Date(0),
      [12n, new Float(3)],
      { a: [new Map([['k', 5n]])] },
      'text',
    ].map((value) => [
      attempt(() => describeType(value)),
      attempt(() => formatValue(value)),
      isMapping(value),
      isMapping(value) ? (getKey(value, 'a') ?? null) : null,
      attempt(() => toPlain(value)),
    ]),
};

function attempt(step: () => unknown): unknown {
  try {
    return step() ?? null;
  } catch (error) {
    return (error as Error).message;
  }
}
