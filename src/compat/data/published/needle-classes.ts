import { requirePackage } from '../../../base/optional-package.ts';
import { DataError } from '../../../errors.ts';
import { Float, type Row } from '../../../prompt/values.ts';
import { CPythonRandom } from '../../../python/random/cpython-random.ts';
import {
  at,
  type ClassSettings,
  type DatasetClass,
  type DatasetClasses,
  listOf,
  rowOf,
  textOf,
} from './dataset-class.ts';
import { byName, treeText } from './prompted-classes.ts';
import type { PublishedFiles } from './published-files.ts';

/** Texts that are hidden in a long one, what is asked about them, and the right answer. */
interface Hidden {
  readonly needles: readonly string[];
  readonly question: string;
  readonly answer: string;
  /** Whom version 2 asks about, in its prompt. */
  readonly person?: string;
}

interface Haystack {
  readonly files: PublishedFiles;
  readonly settings: ClassSettings;
  readonly language: string;
}

/** What to hide in the text of a round; the random numbers of the round go on. */
type Hide = (round: number) => Hidden;

type Place = (text: readonly number[], needles: readonly (readonly number[])[]) => number[];

const shared = [
  'length',
  'tokenizer_model',
  'file_list',
  'num_repeats_per_file',
  'length_buffer',
  'language',
  'needle_file_name',
];

/** NeedleBench: facts at a depth of a long text, which is cut at a number of tokens of GPT-4. */
export const needleClasses: DatasetClasses = {
  NeedleBenchOriginDataset: needleClass(['depth', 'guide'], {
    async hide({ files, settings, language }) {
      const all = await files.rows(textOf(settings.needle_file_name));
      const rows = all.filter((row) => row.language === language);
      return (round) => {
        const row = rowOf(oneOf(rows, round, settings));
        const needle = `\n${textOf(row.needle)}\n`;
        const question = textOf(row.retrieval_question);
        return {
          needles: [needle],
          question: guided(question, settings),
          answer: `${needle}*${textOf(row.arg2)}`,
        };
      };
    },
    place: ({ depth }) => {
      const share = numberOf(depth) / 100;
      return (text, [needle = []]) => inserted(text, Math.trunc(text.length * share), needle);
    },
  }),
  NeedleBenchParallelDataset: needleClass(['depths', 'guide'], {
    async hide({ files, settings, language }) {
      const depths = listOf(settings.depths).map(textOf);
      const all = await files.rows(textOf(settings.needle_file_name));
      const facts = distinctFacts(all, { language, count: depths.length });
      const end = language === 'English' ? ['?', '.'] : ['？', '。'];
      const [before, after] = [treeText(settings, 'ask'), treeText(settings, 'form')];
      return (round) => {
        const drawn = [...facts];
        new CPythonRandom(round).shuffle(drawn);
        const asked = drawn.map((row) => textOf(row.retrieval_question));
        const questions = asked.map((text) => `${upTo(text, end[0])}${end[0]}`).join('、');
        const forms = asked.map((text) => upTo(text.split("'")[1] ?? '', end[1])).join('、');
        const question = `${questions}${before}${forms}${after}`;
        return {
          needles: drawn.map((row) => `\n${textOf(row.needle)}\n`),
          question: guided(question, settings),
          answer: `${drawn.map((row) => textOf(row.arg2)).join('*')}#${depths.join('*')}`,
        };
      };
    },
    place: ({ depths }) => {
      const shares = listOf(depths).map((depth) => numberOf(depth) / 100);
      return (text, needles) => {
        let added = 0;
        return needles.reduce<number[]>(
          (context, needle, index) => {
            const point = Math.trunc(text.length * (shares[index] ?? 0)) + added;
            added += needle.length;
            return inserted(context, Math.min(point, context.length), needle);
          },
          [...text],
        );
      };
    },
  }),
  NeedleBenchMultiDataset: needleClass(['depth', 'diff', 'num_needles', 'guide'], {
    async hide({ files, settings, language }) {
      const name = textOf(settings.needle_file_name);
      const count = numberOf(settings.num_needles);
      const value = await files.json(name);
      if (settings.terms !== undefined) {
        return family(textOf(at(value, language)).split(','), { count, settings });
      }
      const records = listOf(value).filter((record) => at(record, 'derivation_count') === count);
      return (round) => {
        const record = oneOf(records, round, settings);
        const answer = textOf(at(record, 'answer'));
        return {
          needles: listOf(at(record, 'derivations')).map((fact) => `\n${textOf(fact)}\n`),
          question: guided(textOf(at(record, 'question')), settings),
          answer: `${answer}*${answer}`,
        };
      };
    },
    place: ({ depth, diff }) => {
      const [first, step] = [numberOf(depth) / 100, numberOf(diff) / 100];
      return (text, needles) => {
        const points: number[] = [];
        let before = 0;
        for (const [index] of needles.entries()) {
          const last = points[index - 1];
          const wanted =
            last === undefined
              ? Math.trunc(text.length * first)
              : Math.trunc(last + (needles[index - 1]?.length ?? 0) + text.length * step);
          points.push(Math.min(wanted, text.length + before));
          before += needles[index]?.length ?? 0;
        }
        let moved = 0;
        return needles.reduce<number[]>(
          (context, needle, index) => {
            const next = inserted(context, (points[index] ?? 0) + moved, needle);
            moved += needle.length;
            return next;
          },
          [...text],
        );
      };
    },
  }),
};

interface NeedleKind {
  readonly hide: (haystack: Haystack) => Promise<Hide>;
  readonly place: (settings: ClassSettings) => Place;
}

function needleClass(own: readonly string[], { hide, place }: NeedleKind): DatasetClass {
  return {
    at: 'needlebench',
    settings: [...shared, ...own],
    async read(files, settings) {
      const language = textOf(settings.language);
      const prompt = treeText(settings, 'prompt');
      const draw = await hide({ files, settings, language });
      const put = place(settings);
      const { encode, decode } = await gptTokenizer(textOf(settings.tokenizer_model));
      const room = numberOf(settings.length) - numberOf(settings.length_buffer);
      const rows: Row[] = [];
      for (const name of corpora.filter((one) => listOf(settings.file_list).includes(one))) {
        const lines = (await files.rows(name)).map(({ text }) => textOf(text));
        for (let round = 0; round < numberOf(settings.num_repeats_per_file); round += 1) {
          new CPythonRandom(round).shuffle(lines);
          const { needles, question, answer, person = '' } = draw(round);
          const hidden = needles.map(encode);
          const most = Math.max(0, room - hidden.reduce((sum, { length }) => sum + length, 0));
          const context = decode(put(firstTokens(lines, most, encode), hidden));
          const values = { context, retrieval_question: question, last_person: person };
          rows.push({ prompt: byName(prompt, values), answer });
        }
      }
      return rows;
    },
  };
}

function oneOf<Item>(items: readonly Item[], round: number, settings: ClassSettings): Item {
  const found = items.length > 0 ? items[new CPythonRandom(round).below(items.length)] : undefined;
  if (found !== undefined) return found;
  throw new DataError(
    'data.no_rows',
    `${textOf(settings.needle_file_name)} has nothing to hide in texts of the language ${textOf(settings.language)}`,
    { hint: 'The file differs from the published one: download it again.' },
  );
}

/** Texts to hide facts in, in the order in which they are read. */
const corpora = [
  'en_un_asr.jsonl',
  'zh_all.jsonl',
  'PaulGrahamEssays.jsonl',
  'multi_needle_reasoning_en.json',
  'multi_needle_reasoning_zh.json',
  'zh_finance.jsonl',
  'zh_game.jsonl',
  'zh_general.jsonl',
  'zh_government.jsonl',
  'zh_movie.jsonl',
  'zh_tech.jsonl',
];

function firstTokens(
  lines: readonly string[],
  most: number,
  encode: (text: string) => readonly number[],
): number[] {
  const tokens: number[] = [];
  for (const line of lines) {
    for (const token of encode(line)) tokens.push(token);
    if (tokens.length >= most) break;
  }
  return tokens.slice(0, most);
}

function inserted(text: readonly number[], point: number, needle: readonly number[]): number[] {
  return [...text.slice(0, point), ...needle, ...text.slice(point)];
}

/** Facts about people and things that occur once. There they are drawn without a seed; here it is 0. */
function distinctFacts(
  rows: readonly Row[],
  { language, count }: { readonly language: string; readonly count: number },
): Row[] {
  const drawn = [...rows];
  new CPythonRandom(0).shuffle(drawn);
  const [people, things] = [new Set<string>(), new Set<string>()];
  const facts: Row[] = [];
  for (const row of drawn) {
    const [person, thing] = [textOf(row.arg1), textOf(row.arg2)];
    if (row.language !== language || people.has(person) || things.has(thing)) continue;
    people.add(person);
    things.add(thing);
    facts.push(row);
    if (facts.length === count) break;
  }
  return facts;
}

/** A chain of relatives in sentences of the tree, told out of order. */
function family(
  people: readonly string[],
  { count, settings }: { readonly count: number; readonly settings: ClassSettings },
): Hide {
  const [terms, sentences] = [listOf(settings.terms), listOf(settings.sentences)].map((list) =>
    list.map(textOf),
  ) as [string[], string[]];
  const question = treeText(settings, 'question');
  return (round) => {
    const random = new CPythonRandom(round);
    const names = random.sample(people.length, count + 1).map((index) => people[index] ?? '');
    const facts = names.slice(1).map((younger, index) => {
      const sentence = sentences[random.below(sentences.length)] ?? '';
      const relationship = terms[random.below(terms.length)] ?? '';
      return byName(sentence, { A: names[index] ?? '', B: younger, relationship });
    });
    random.shuffle(facts);
    const person = names.at(-1) ?? '';
    return {
      needles: facts.map((fact) => `\n${fact}\n`),
      question: byName(question, { last_person: person }),
      answer: names[0] ?? '',
      person,
    };
  };
}

/** What version 1 puts before the form of the answer, or leaves of it for base models. */
function guided(question: string, { hint, mark, guide }: ClassSettings): string {
  if (hint === undefined) return question;
  if (mark === undefined) return guide === true ? `${question}${textOf(hint)}` : question;
  const [before = '', after = ''] = question.split(textOf(mark));
  const whole = `${before}${textOf(hint)}${after}`;
  if (guide === true) return whole;
  const isChinese = /\p{Script=Han}/u.test(textOf(mark));
  const cut = [...whole.replaceAll(`${textOf(mark)}${isChinese ? "'" : " '"}`, '')];
  return cut.slice(0, isChinese ? -16 : -10).join('');
}

function upTo(text: string, mark = ''): string {
  return text.split(mark)[0] ?? '';
}

function numberOf(value: unknown): number {
  return value instanceof Float ? value.value : Number(value);
}

interface Tokenizer {
  readonly encode: (text: string) => readonly number[];
  readonly decode: (tokens: number[]) => string;
}

const known = new Map<string, Promise<Tokenizer>>();

async function gptTokenizer(model: string): Promise<Tokenizer> {
  if (!/^gpt-(?:4|3\.5)(?!o|\.1|\.5)/.test(model)) {
    throw new DataError('data.unknown_tokenizer', `the tokenizer of \`${model}\` is not known`, {
      hint: 'NeedleBench is cut with that of gpt-4; provide rows of your own with --data.',
    });
  }
  const found = known.get('cl100k') ?? loadTokenizer();
  known.set('cl100k', found);
  return found;
}

async function loadTokenizer(): Promise<Tokenizer> {
  const name = 'js-tiktoken';
  const purpose = 'The texts of NeedleBench, which are cut with the tokenizer of GPT-4,';
  requirePackage({ name, version: '1.0.21', purpose, code: 'data.package_missing' });
  const [{ Tiktoken }, { default: ranks }] = await Promise.all([
    import('js-tiktoken/lite'),
    import('js-tiktoken/ranks/cl100k_base'),
  ]);
  const tokenizer = new Tiktoken(ranks);
  // Lines of a corpus are met again in every round, depth and length.
  const kept = new Map<string, readonly number[]>();
  return {
    encode(text) {
      const tokens = kept.get(text) ?? tokenizer.encode(text);
      kept.set(text, tokens);
      return tokens;
    },
    decode: (tokens) => tokenizer.decode(tokens),
  };
}
