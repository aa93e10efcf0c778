import { CompatError } from '../../python/compat-error.ts';
import { pySubscript } from '../../python/operators.ts';
import {
  concatTexts,
  replaceText,
  sliceText,
  type Text,
  toTraced,
} from '../../python/traced-text.ts';
import { isText, PyDict, type PyValue } from '../../python/values.ts';
import type { CompatTemplate } from './any-template.ts';
import type { TemplatePair } from './shots.ts';

export interface LabelOptions extends TemplatePair {
  /** The inferencer's own list of labels. */
  readonly labels?: readonly PyValue[] | undefined;
  /** The rows of the test split. */
  readonly entries: readonly PyDict[];
  readonly outputColumn: string | null;
}

/**
 * The labels of a label prompt. The values of the output column, when it comes to that, are in no
 * order in the original (a set); here they are in the order of the rows.
 */
export function getLabels(options: LabelOptions): readonly PyValue[] {
  const { labels, promptTemplate, iceTemplate, entries, outputColumn } = options;
  if (labels !== undefined) return labels;
  if (promptTemplate !== undefined) {
    const template = templateOf(promptTemplate);
    if (template instanceof PyDict) return template.keys();
  }
  if (iceTemplate !== undefined && iceTemplate.iceToken !== null) {
    const template = templateOf(iceTemplate);
    if (template instanceof PyDict) return template.keys();
  }
  const values = entries.map((entry) => pySubscript(entry, outputColumn));
  return new PyDict(values.map((value) => [value, null])).keys();
}

export interface NormalizedPrompt {
  readonly prompt: Text;
  readonly context: Text;
  readonly normalizingPrompt: Text;
}

/** Cuts a label prompt at its `sep_token`, for the perplexity of the answer alone. */
export function normalizePrompt(
  prompt: PyValue,
  options: TemplatePair & { readonly normalizingStr: Text },
): NormalizedPrompt {
  if (!isText(prompt)) {
    throw new CompatError({
      type: 'AssertionError',
      message: 'Prompt must be a string when normalizing_str is set.',
      what: 'normalizing_str needs a prompt that is text',
      hint: 'write the templates as strings, or leave out normalizing_str',
    });
  }
  const needle = (options.promptTemplate ?? options.iceTemplate)?.sepToken ?? null;
  if (needle === null) {
    throw new CompatError({
      type: 'TypeError',
      message: 'must be str, not NoneType',
      what: 'normalizing_str needs a template with a sep_token',
      hint: 'add a sep_token and write it between question and answer',
    });
  }
  const text = toTraced(prompt);
  const position = splitPosition(text.text, needle);
  const context = sliceText(text, { start: 0, end: position });
  const rest = sliceText(text, { start: position, end: text.text.length });
  const answer = replaceText(rest, { needle, replacement: '' });
  return {
    prompt: concatTexts([context, answer]),
    context,
    normalizingPrompt: concatTexts([options.normalizingStr, answer]),
  };
}

/** Python's `find` gives -1 when there is none, which as an index means the last character. */
function splitPosition(text: string, needle: string): number {
  const found = text.indexOf(needle);
  if (found !== -1) return found;
  const last = [...text].at(-1) ?? '';
  return text.length - last.length;
}

function templateOf(template: CompatTemplate): PyValue {
  if (template.type !== 'raw') return template.template;
  throw new CompatError({
    type: 'AttributeError',
    message: "'RawPromptTemplate' object has no attribute 'template'",
    what: 'a RawPromptTemplate has no labels of its own',
    hint: 'list the labels in the inferencer',
    path: template.path,
  });
}
