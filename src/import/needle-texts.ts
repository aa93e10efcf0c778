import { literalEval } from '../python/literal.ts';
import type { Plain } from './plain-value.ts';
import { asList } from './python/operations.ts';

interface NeedleSource {
  /** The module of the class. */
  readonly source: string;
  /** That with the sentences about relatives. */
  readonly relatives: string;
  readonly settings: Plain;
}

/** The texts that a class of NeedleBench writes around its rows, read from its code. */
export function needleTexts({ source, relatives, settings }: NeedleSource): Plain | undefined {
  const isEnglish = settings.language === 'English';
  const own = (texts: readonly unknown[]) => texts[isEnglish ? texts.length - 1 : 0];
  const all = (pattern: RegExp) =>
    [...source.matchAll(pattern)].map(([, text = '']) => literalOf(text));
  const place = settings.quesiton_position ?? settings.position ?? 'End';
  const first = `_position == '${place}':|position == '${place}':`;
  const prompts = all(
    new RegExp(`(?:${first})\\s*prompt = (f'''[\\s\\S]*?'''|\\([\\s\\S]*?\\)\\n(?=\\s*el))`, 'g'),
  );
  const hints = all(/parts\[0\] \+ ([^+]*?)\s*\+ parts\[1\]/g).slice(0, 2);
  const ends = all(/retrieval_question \+\s*((?:'[^']*'\s*)+)\)/g);
  const marks = all(/parts = retrieval_question\.split\(('[^']*')\)/g).slice(0, 2);
  const asks = all(/retrieval_question = \(questions \+\s*("[^"]*")/g);
  const forms = all(/answers_format \+\s*("[^"]*")\)/g);
  const questions = all(/retrieval_question = (f"[^"]*")/g);
  const list = (name: string) => {
    const text = new RegExp(`^${name}_${isEnglish ? 'en' : 'zh_CN'} = (\\[[^\\]]*\\])`, 'm').exec(
      relatives,
    );
    return text?.[1] === undefined ? undefined : literalOf(text[1]);
  };
  const isFamily = questions.length > 0;
  const texts: Plain = {
    prompt: own(prompts),
    hint: own(hints) ?? own(ends),
    mark: own(marks),
    ask: own(asks),
    form: own(forms),
    ...(isFamily && {
      question: own(questions),
      terms: list('relationship_terms'),
      sentences: list('relationship_templates'),
    }),
  };
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined));
}

/** What a literal of Python says; the fields of a text stay in braces. */
function literalOf(text: string): unknown {
  const value = literalEval(text.replace(/(^|[\s(])f(?=['"])/g, '$1'))?.value;
  return value !== undefined && value !== null && typeof value === 'object' ? asList(value) : value;
}
