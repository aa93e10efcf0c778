import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { requirePackage } from '../../base/optional-package.ts';
import { ConfigError } from '../../errors.ts';
import { splitWords } from '../metrics/split-words.ts';

/** Splits a text into words and signs; white space is left out. */
export type Segmenter = (text: string) => string[];

const loaders = new Map<string, () => Promise<Segmenter>>([
  ['ja', loadJapanese],
  ['zh', loadChinese],
]);
const loading = new Map<string, Promise<Segmenter>>();
const loaded = new Map<string, Segmenter>();

/**
 * Loads the segmenter of a language: by dictionary for Japanese (`ja`) and Chinese (`zh`),
 * by the rules of Unicode for others.
 *
 * @example
 * const segment = await loadSegmenter('ja');
 * segment('猫が好きです。'); // ['猫', 'が', '好き', 'です', '。']
 */
export async function loadSegmenter(language: string): Promise<Segmenter> {
  const base = baseOf(language);
  const load = loaders.get(base);
  if (!load) return segmentByRules(language);
  const promise = loading.get(base) ?? load();
  loading.set(base, promise);
  const segmenter = await promise;
  loaded.set(base, segmenter);
  return segmenter;
}

/** The segmenter of a language. One with a dictionary must be loaded when it is used. */
export function segmenterOf(language: string): Segmenter {
  if (!hasDictionary(language)) return segmentByRules(language);
  return (text) => {
    const segment = loaded.get(baseOf(language));
    if (segment) return segment(text);
    throw new ConfigError(
      'score.segmenter_not_loaded',
      `the dictionary for \`${language}\` has not been loaded`,
      { hint: `Wait for \`loadSegmenter('${language}')\` or \`prepareScorer(config)\` first.` },
    );
  };
}

/** Whether the words of a language are looked up in a dictionary, which has to be loaded. */
export function hasDictionary(language: string): boolean {
  return loaders.has(baseOf(language));
}

/** `ja` of `ja-JP`. */
function baseOf(language: string): string {
  return language.split('-')[0]?.toLowerCase() ?? '';
}

/** Whether a segment is more than punctuation. */
export function isWord(segment: string): boolean {
  return /[\p{L}\p{N}]/u.test(segment);
}

const code = 'score.package_missing';

async function loadJapanese(): Promise<Segmenter> {
  const name = '@sglkc/kuromoji';
  requirePackage({ name, version: '1.1.0', purpose: 'The words of Japanese texts', code });
  const { default: kuromoji } = await import('@sglkc/kuromoji');
  const main = createRequire(import.meta.url).resolve(name);
  const dicPath = join(dirname(main), '..', 'dict');
  const tokenizer = await new Promise<{ tokenize(text: string): { surface_form: string }[] }>(
    (resolve, reject) => {
      kuromoji
        .builder({ dicPath })
        .build((error, built) => (built ? resolve(built) : reject(error)));
    },
  );
  const tokenize = (part: string) => tokenizer.tokenize(part).map(({ surface_form: word }) => word);
  return (text) =>
    splitWords(text.replaceAll('\0', ' '))
      .flatMap((part) => part.split(troublesome))
      .flatMap((part) => (troublesome.test(part) ? [part] : tokenize(part)));
}

// After characters outside the basic plane the library loses its place.
const troublesome = /([\u{10000}-\u{10ffff}])/u;

async function loadChinese(): Promise<Segmenter> {
  const name = '@node-rs/jieba';
  requirePackage({ name, version: '2.0.2', purpose: 'The words of Chinese texts', code });
  const [{ Jieba }, { dict }] = await Promise.all([
    import('@node-rs/jieba'),
    import('@node-rs/jieba/dict.js'),
  ]);
  const jieba = Jieba.withDict(dict);
  return (text) => jieba.cut(text, true).flatMap(splitWords);
}

function segmentByRules(language: string): Segmenter {
  const segmenter = new Intl.Segmenter(language, { granularity: 'word' });
  return (text) =>
    Array.from(segmenter.segment(text)).flatMap(({ segment }) => splitWords(segment));
}
