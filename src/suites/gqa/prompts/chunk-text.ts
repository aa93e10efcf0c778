import { hintForName } from '../../../base/nearest-name.ts';
import { ConfigError, type ConfigPath } from '../../../errors.ts';
import { fail } from '../../../python/compat-error.ts';
import { pyStr } from '../../../python/repr.ts';
import { collapseSpace, stripText } from '../../../python/text.ts';
import { isTruthy, type PyValue } from '../../../python/values.ts';
import {
  firstOf,
  type GqaSample,
  groupsOf,
  referenceOf,
  stepsOf,
  valueAt,
} from '../samples/sample.ts';

/** Where the text that a cache compares comes from. */
export const chunkSources = [
  'question',
  'semantic',
  'answer',
  'group',
  'image',
  'combined',
] as const;

export type ChunkSource = (typeof chunkSources)[number];

const texts: Readonly<Record<ChunkSource, (sample: GqaSample) => string>> = {
  question: (sample) => pyStr(firstOf(sample, 'question')),
  semantic: signatureOf,
  answer: (sample) => pyStr(referenceOf(sample)),
  group: (sample) => bothGroups(sample).map(pyStr).join(' '),
  image: (sample) => `image-${pyStr(valueAt(sample, 'imageId'))}`,
  combined: (sample) =>
    [signatureOf(sample), ...bothGroups(sample).filter(isTruthy).map(pyStr)]
      .filter((text) => text !== '')
      .join(' '),
};

/** The text that a cache compares; the question stands in where there is none. */
export function renderChunkText(sample: GqaSample, source: string): string {
  if (!isChunkSource(source)) fail('ValueError', `\`${source}\` is not a source of chunk text`);
  return stripText(texts[source](sample)) || texts.question(sample);
}

/** Refuses a source that there is not. */
export function checkChunkSource(source: string, path?: ConfigPath): ChunkSource {
  if (isChunkSource(source)) return source;
  throw new ConfigError('gqa.unknown_chunk_source', `\`${source}\` is not a source of chunk text`, {
    path,
    hint: hintForName(source, { names: chunkSources, kind: 'Sources' }),
  });
}

function isChunkSource(source: string): source is ChunkSource {
  return (chunkSources as readonly string[]).includes(source);
}

/** What the question does, without the numbers of the objects in the image. */
function signatureOf(sample: GqaSample): string {
  const written = firstOf(sample, 'semanticStr');
  const program = stepsOf(sample).map((step) => {
    const [operation, argument] = ['operation', 'argument'].map((key) => firstOf(step, key));
    return `${stripText(pyStr(operation ?? ''))}:${stripText(pyStr(argument ?? ''))}`;
  });
  const text = written === '' ? program.join(' | ') : pyStr(written);
  return collapseSpace(stripText(text.replaceAll(/\([^)]*\)/g, '')));
}

function bothGroups(sample: GqaSample): PyValue[] {
  const groups = groupsOf(sample);
  return [valueAt(groups, 'global'), valueAt(groups, 'local')];
}
