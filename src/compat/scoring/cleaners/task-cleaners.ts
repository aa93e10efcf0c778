import { Float } from '../../../prompt/values.ts';
import { readFloatText } from '../../../python/parse-number.ts';
import { pyStr } from '../../../python/repr.ts';
import { collapseSpace, stripText } from '../../../python/text.ts';
import type { PyValue } from '../../../python/values.ts';
import { nonEmptyText, texts } from '../../../score/component/option-kinds.ts';
import { segmenterOf } from '../../../score/segment/segmenter.ts';
import { theoremAnswer } from '../theorem-numbers.ts';
import { before, type CleanerType, cleanerWith, plainCleaner, stripCharacters } from './cleaner.ts';

/** Post-processors of single benchmarks, by the names of their functions. */
export const taskCleaners: Readonly<Record<string, CleanerType>> = {
  arxivrollbench_selection_postprocess: plainCleaner((written) => {
    const text = stripText(written);
    const number = /\bselection\s*([1-4])\b/i.exec(text)?.[1] ?? /\b([1-4])\b/.exec(text)?.[1];
    return number === undefined ? text : `Selection ${number}`;
  }),
  arxivrollbench_choice_postprocess: plainCleaner((written) => {
    const text = stripText(written);
    return /\b([ABCD])\b/i.exec(text)?.[1]?.toUpperCase() ?? text;
  }),
  'flores-chinese': plainCleaner((text) =>
    segmenterOf('zh')(collapseSpace(before(stripText(text), '\n'))).join(' '),
  ),
  GUE_postprocessor: plainCleaner(saidSign),
  LLM4Mat_postprocessor: cleanerWith({ property: nonEmptyText }, ({ property }) => (text) => {
    const plain = withoutThoughts(stripText(text));
    return plain === '' ? '' : propertyOf(plain, property);
  }),
  atlas_pred_postprocess: cleanerWith({ think_tags: texts.optional() }, ({ think_tags: tags }) => {
    const end = tags?.[1] ?? '</think>';
    return (text) => answersOf(text.split(end).at(-1) ?? '');
  }),
  opi_postprocess: cleanerWith(
    { task: nonEmptyText.optional() },
    () => (text) => stripText(text).replace(/<\|(?:endoftext|im_end)\|>/g, ''),
  ),
  math_intern_postprocess: plainCleaner(internAnswer),
  TheoremQA_postprocess_v3: plainCleaner(theoremAnswer),
  TheoremQA_postprocess_v4: plainCleaner((text) =>
    stripText(stripCharacters(stripCharacters(theoremAnswer(text), '\\('), '\\)')),
  ),
};

/** The JSON of an answer with its list of answers. */
function answersOf(text: string): string {
  const fenced = /```json\n([\s\S]*?)\n```/.exec(text)?.[1] ?? /```([\s\S]*?)```/.exec(text)?.[1];
  if (fenced === undefined && !text.includes('"answers":')) return '{"answers": []}';
  const json =
    fenced === undefined
      ? `{\n"answers"${text.split('"answers"').at(-1) ?? ''}`
      : stripText(fenced);
  return json.replace(/(?<!\\)\\(?![\\/"bfnrtu])/g, '\\\\');
}

function withoutThoughts(text: string): string {
  if (!text.includes('<think>')) return text;
  return text.includes('</think>') ? text.replace(/<think>[\s\S]*?<\/think>/g, '') : '';
}

const negative = /\b(?:negative|no|absence|not|cannot|fails|absent|lacks)\b/i;
const positive =
  /\b(?:positive|positively|presence|detected|identified|identifiable|found|yes|located|detectable|observable|evident|absolutely|affirmative|can|affirm|confirm|confirms|reveals|existence|certainly|consistent|recognizable|shows (?:core|promoter|characteristic|sequences|clear)|evidenced by|seeing characteristic patterns|includes|contains (?:sequences|transcription|regulatory|a|sites)|exhibits (?:clear|sequences|features|patterns)|clearly contains|recognized|displays|definitely has|clear evidence|yep)\b/i;

/** Whether something is there, as the words of an answer say it. */
function saidSign(written: string): string {
  const text = withoutThoughts(stripText(written));
  const named = /\bThe prediction result is\s+(positive|negative)\b/i.exec(text)?.[1];
  if (named !== undefined) return named.toLowerCase();
  if (negative.test(text)) return 'negative';
  return positive.test(text) ? 'positive' : '';
}

/** Properties of materials that are no numbers, and their values. */
export const classProperties: Readonly<Record<string, readonly string[]>> = {
  Direct_or_indirect: ['Indirect', 'Direct'],
  Direct_or_indirect_HSE: ['Indirect', 'Direct'],
  SOC: ['True', 'False'],
  is_gap_direct: ['True', 'False'],
  is_stable: ['True', 'False'],
};

/** The value of a property, in JSON or in braces. */
function propertyOf(written: string, property: string): PyValue {
  const text = written.replace(/^```(?:json)?\s*|\s*```$/gim, '');
  const json = memberIn(text, property);
  if (typeof json === 'number') return new Float(json);
  if (typeof json === 'boolean') return new Float(Number(json));
  if (json !== undefined) {
    const value = json === null ? 'None' : pyStr(json as PyValue);
    return classProperties[property] ? classOf(value, property) : value;
  }
  const name = property.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  const pattern = new RegExp(`\\{[^{}]*["']?${name}["']?\\s*:\\s*["']?([^]*?)["']?\\s*\\}`, 'i');
  const found = pattern.exec(text)?.[1];
  if (found === undefined) return '';
  const value = stripCharacters(stripText(found), '"');
  if (classProperties[property]) return classOf(value, property);
  const number = readFloatText(value);
  return number === undefined ? '' : new Float(number);
}

function memberIn(text: string, name: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
      ? (value as Readonly<Record<string, unknown>>)[name]
      : undefined;
  } catch {
    return undefined;
  }
}

function classOf(written: string, property: string): string {
  const value = { yes: 'true', no: 'false' }[written.toLowerCase()] ?? written.toLowerCase();
  return classProperties[property]?.find((option) => option.toLowerCase() === value) ?? '';
}

const boxed = '\\boxed{';

/** The answer behind the first mark that a text has; nothing where it has none. */
function internAnswer(written: string): string | null {
  const final = written.indexOf('The final answer is ');
  if (final >= 0) {
    const rest = written.slice(final + 'The final answer is '.length);
    return tidy(rest.slice(1, rest.indexOf('$.')));
  }
  const next = written.indexOf('\n\nQuestion:');
  const text = next < 0 ? written : written.slice(0, next);
  const said = text.indexOf('The answer is');
  if (next >= 0 && said !== 0) return tidy(text.slice(said + 'The answer is'.length));
  for (const mark of ['# Answer', 'The answer is:', '####']) {
    const at = text.indexOf(mark);
    if (at >= 0) return tidy(text.slice(at + mark.length));
  }
  const at = text.indexOf(boxed);
  return at < 0 ? null : tidy(untilClosed(text.slice(at + boxed.length)));
}

/** Up to the brace that closes; without the last letter where none does. */
function untilClosed(text: string): string {
  let depth = 1;
  for (const [index, letter] of [...text].entries()) {
    if (letter === '{') depth++;
    if (letter === '}' && --depth === 0) return [...text].slice(0, index).join('');
  }
  return [...text].slice(0, -1).join('');
}

function tidy(written: string): string {
  return stripText(written)
    .replaceAll('{{', '{')
    .replaceAll('}}', '}')
    .replace(/[.。]$/u, '');
}
