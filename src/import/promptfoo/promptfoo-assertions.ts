import type { ConfigPath } from '../../errors.ts';
import { asPlain, type Plain } from '../plain-value.ts';
import { type Reading, refuse, refuseKeys } from './reading.ts';

/** An assertion with the place where it stands. */
export interface WrittenAssertion {
  readonly value: Plain;
  readonly path: ConfigPath;
  /** The set that it stands in, as written. */
  readonly set?: Plain | undefined;
}

interface Place {
  readonly path: ConfigPath;
  readonly config: Plain;
}

/** The assertions of a test, those of sets and those that are named elsewhere put in. */
export function assertionsOf(
  reading: Reading,
  given: unknown,
  { path, config }: Place,
): WrittenAssertion[] {
  if (given === undefined || given === null) return [];
  if (!Array.isArray(given)) {
    refuse(reading, path, { what: 'is not a list of assertions' });
    return [];
  }
  return given.flatMap((entry, index) => {
    const at = [...path, index];
    const value = referredTo(reading, entry, { path: at, config });
    if (!value) return [];
    return value.type === 'assert-set'
      ? membersOf(reading, value, { path: at, config })
      : [{ value, path: at }];
  });
}

const setKeys = ['type', 'assert', 'threshold', 'weight', 'metric', 'description'];

/** The assertions of a set. */
function membersOf(reading: Reading, set: Plain, { path, config }: Place): WrittenAssertion[] {
  refuseKeys(reading, set, { path, known: setKeys });
  const members = assertionsOf(reading, set.assert, { path: [...path, 'assert'], config });
  if (members.some((one) => one.set)) {
    refuse(reading, path, { what: 'is an assert-set with another one in it' });
  }
  return members.map((one) => ({ ...one, set }));
}

/** `$ref: '#/assertionTemplates/name'` stands for what it names. */
function referredTo(reading: Reading, entry: unknown, { path, config }: Place): Plain | undefined {
  const value = asPlain(entry);
  const named = /^#\/assertionTemplates\/(.+)$/.exec(String(value?.$ref ?? ''))?.[1];
  const found =
    value?.$ref === undefined ? value : asPlain(config.assertionTemplates)?.[named ?? ''];
  const { $ref: _, ...own } = value ?? {};
  if (asPlain(found)) return value?.$ref === undefined ? value : { ...asPlain(found), ...own };
  refuse(reading, path, {
    what:
      value?.$ref === undefined
        ? 'is not an assertion'
        : `refers to \`${value.$ref}\`, which does not exist`,
  });
  return undefined;
}

const withThreshold = ['similar', 'llm-rubric', 'latency', 'cost', 'levenshtein', 'rouge-n'];
const written =
  /^(not-)?(equals|contains-any|contains-all|icontains-any|icontains-all|contains-json|contains|icontains|starts-with|regex|is-json|is-refusal|similar|llm-rubric|latency|cost|word-count|levenshtein|rouge-n|[a-z][a-z0-9-]*)(?:\((\d+(?:\.\d+)?)\))?(?::([\s\S]*))?$/;

/** An assertion in a cell: `contains: Paris`, `similar(0.8): Hello`; other texts are the whole answer. */
export function assertionOf(text: string): Plain {
  const [, from, code] =
    /^(?:javascript|fn|eval)(?:\((\d+(?:\.\d+)?)\))?:([\s\S]*)$/.exec(text) ?? [];
  if (code !== undefined) {
    const threshold = from === undefined ? {} : { threshold: Number(from) };
    return { type: 'javascript', value: code.trim(), ...threshold };
  }
  const rubric = /^(?:grade|llm-rubric):([\s\S]*)$/.exec(text)?.[1];
  if (rubric !== undefined) return { type: 'llm-rubric', value: rubric };
  if (/^file:\/\/.*\.[cm]?[jt]s(?::\w+)?$/.test(text)) return { type: 'javascript', value: text };
  const [, not = '', type = '', threshold, value] = written.exec(text) ?? [];
  if (!knownTypes.includes(type)) return { type: 'equals', value: text };
  const wanted = value?.trim();
  const isList = /-(?:any|all)$/.test(type);
  const least = withThreshold.includes(type) ? Number(threshold ?? 0.75) : undefined;
  return {
    type: `${not}${type}`,
    ...(wanted !== undefined && { value: isList ? textsIn(wanted) : wanted }),
    ...(least !== undefined && { threshold: least }),
  };
}

/** Types that a cell may name; of these some have no counterpart, which is said of them. */
const knownTypes = [
  ...['equals', 'contains', 'icontains', 'contains-any', 'contains-all', 'icontains-any'],
  ...['icontains-all', 'contains-json', 'starts-with', 'regex', 'is-json', 'is-refusal', 'similar'],
  ...['latency', 'cost', 'word-count', 'levenshtein', 'rouge-n', 'bleu', 'webhook', 'factuality'],
  ...['is-sql', 'contains-sql', 'is-xml', 'contains-xml', 'is-html', 'contains-html', 'python'],
  ...['model-graded-closedqa', 'answer-relevance', 'classifier', 'moderation', 'perplexity'],
  ...['context-recall', 'context-relevance', 'context-faithfulness', 'g-eval', 'ruby', 'meteor'],
];

/** Texts with commas between them; quotes keep those of a text. */
export function textsIn(list: string): string[] {
  return [...list.matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,]+))\s*(?:,|$)/g)]
    .map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? (plain ?? '').trim())
    .filter((text) => text !== '');
}
