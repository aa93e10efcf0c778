import ts from 'typescript';

/** A phrase that we do not use, and the word of docs/glossary.md to use instead. */
interface Phrase {
  readonly pattern: RegExp;
  readonly use: string;
}

const phrases: readonly Phrase[] = [
  { pattern: /\bdata[ -]sets?\b/i, use: '`dataset`' },
  { pattern: /\bunder way\b/i, use: '`in flight`, or `during the run`' },
  { pattern: /\b(?:answers?|rows?|\d+) from before\b/i, use: '`reused`' },
  { pattern: /\brows that chose\b/i, use: '`selection rows` (the rest are `held-out rows`)' },
  {
    pattern: /\bweigh(?:s|ed|ing|er)?\b(?! (?:against|as|less|more))/i,
    use: '`loglikelihood`: it is computed, and chosen by',
  },
  { pattern: /\blog[ -]likelihoods?\b/i, use: '`loglikelihood`' },
  { pattern: /\b(?:the|its|their|by) usual(?=\s*(?:[.,;:)]|$))/i, use: '`the default`' },
  { pattern: /\b(?:shared|common) (?:beginning|start)s?\b/i, use: '`shared prefix`' },
  { pattern: /\b(?:built|asked) tasks?\b/i, use: '`evaluation`: one task on one model' },
  { pattern: /\bin-context (?:demonstration|sample)s?\b/i, use: '`examples`, or `shots`' },
];

/** Phrases that only strings of the program are kept free of: what a technical editor strikes out. */
const stringPhrases: readonly Phrase[] = [
  { pattern: /\bat most so many\b/i, use: '`maximum`' },
  { pattern: /\bfor machines\b/i, use: '`print JSON`' },
  { pattern: /\bmay be given again\b/i, use: '`repeatable`' },
  { pattern: /\bthe same command goes on\b/i, use: '`run the same command to resume`' },
  { pattern: /\bfolders? of (?:a|the) run\b/i, use: '`run folder`' },
  { pattern: /\bwith commas between\b/i, use: '`comma-separated`' },
  { pattern: /\bTo be found \d+ times in \d+\b/i, use: '`with 80% power`' },
  { pattern: /\bHalf of the rows choose\b/i, use: '`Stability over random half-splits`' },
  { pattern: /\bintervals? -?[\d.]+%? to -?[\d.]+/i, use: '`[low, high]`' },
  { pattern: /(?:\d|\}) % (?:of|interval|under|to)\b/i, use: '`95%`, without a space' },
  { pattern: /\btold to wait\b/i, use: '`waiting`, with the reason' },
  { pattern: /\bwrites? it anew\b/i, use: '`rewrite`' },
  { pattern: /\bis there already\b/i, use: '`already exists`' },
  { pattern: /\bof the unknown type\b/i, use: '`has the unknown type`' },
  {
    pattern:
      /(?<!\bthere )\b(?:is|are) no (?:JSON|HTML|list|mapping|path|pattern|regular expression|text|assertion|count|score|rates?|share|p value|cell|format|character|interaction|random sample|discordant)\b/i,
    use: '`is not a …`',
  },
  { pattern: /\bthe most (?:tokens|requests|texts|bytes|seconds|attempts)\b/i, use: '`maximum`' },
  { pattern: /\bin place of\b/i, use: '`instead of`' },
  { pattern: /\bsmall and capital letters\b/i, use: '`case`' },
  { pattern: /\bits log says more\b/i, use: '`see its log`' },
];

/** Phrases that only pages are kept free of; in code a space before `%` is a remainder. */
const pagePhrases: readonly Phrase[] = [
  { pattern: /\d %(?=[\s|,.;:)]|$)/, use: '`95%`, without a space' },
  { pattern: /(?<![\w.`])-\d+(?:\.\d+)?(?= (?:to|and)\b)/, use: '`−`, the minus sign' },
];

export interface Found {
  readonly line: number;
  readonly phrase: string;
  readonly use: string;
}

/** The phrases in the strings of a source file that people may read: those with a space in them. */
export function phrasesInSource(text: string, kind = ts.ScriptKind.TS): Found[] {
  const all = [...phrases, ...stringPhrases];
  if (phrasesIn(text, 1, all).length === 0) return [];
  const source = ts.createSourceFile('source.tsx', text, ts.ScriptTarget.Latest, true, kind);
  const found: Found[] = [];
  const visit = (node: ts.Node): void => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) || ts.isJsxText(node)) {
      const literal = node.getText();
      if (/\s/.test(literal)) found.push(...phrasesIn(literal, line + 1, all));
    }
    if (!ts.isImportDeclaration(node)) ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The phrases in a page; names in backticks are what they are. */
export function phrasesInPage(text: string): Found[] {
  return phrasesIn(
    text.replaceAll(/(?<!`)`[^`\n]+`(?!`)/g, (code) => '`'.repeat(code.length)),
    1,
    [...phrases, ...pagePhrases],
  );
}

/** Every phrase, also one that a line break divides. */
function phrasesIn(text: string, firstLine: number, list = phrases): Found[] {
  const joined = text.replaceAll('\n', ' ');
  return list.flatMap(({ pattern, use }) =>
    [...joined.matchAll(new RegExp(pattern, 'gi'))].map((match) => ({
      line: firstLine + text.slice(0, match.index).split('\n').length - 1,
      phrase: match[0],
      use,
    })),
  );
}
