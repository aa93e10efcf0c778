import { pyRepr } from '../../../python/repr.ts';
import { leadingSpace, pythonSpace, pythonWord, stripText } from '../../../python/text.ts';
import { oneOfNames } from '../../../score/component/option-kinds.ts';
import { before, type CleanerType, cleanerWith, plainCleaner } from './cleaner.ts';

const block = new RegExp(`\`\`\`[${pythonWord}]*\\n([^]*?)\`\`\``, 'gu');

function codeOf(text: string, which: 0 | -1): string {
  const found = [...text.matchAll(block)].at(which)?.[1];
  const code = found ?? text;
  return code.slice(leadingSpace(code));
}

/** The indented lines before the first that is not. */
function functionBody(written: string): string {
  const text = /^ {3}(?! )/.test(written) ? ` ${written}` : written;
  const lines = before(before(text, '\n\n\n'), '\n```').split('\n');
  const end = lines.findIndex((line) => line !== '' && !line.startsWith(' '));
  return lines.slice(0, end < 0 ? undefined : end).join('\n');
}

const space = `[${pythonSpace}]*`;
const fences = ["'([^]*)'", "'([^]*)", '([^]*)'].flatMap((code) =>
  ['\\[DONE\\]', 'DONE'].flatMap((end) =>
    ['\\[BEGIN\\]', 'BEGIN'].map((start) => `${start}${space}${code}${space}${end}`),
  ),
);

const mbppPatterns = [
  ...fences,
  `\`\`\`python${space}([^]*)${space}\`\`\``,
  `\`\`\`${space}([^]*)${space}\`\`\``,
  `\`\`\`python${space}([^]*)${space}$`,
  `\`\`\`${space}([^]*)${space}$`,
  `([^]*)${space}\`\`\`[^]*`,
  `\\[BEGIN\\]${space}'([^]*)`,
  '\\[BEGIN\\]([^]*)',
  `'([^]*)'${space}\\[DONE\\]`,
].map((pattern) => new RegExp(pattern, 'u'));

const done = new RegExp(`'?${space}\\[?DONE\\]?`, 'u');

/** The code between the marks that prompts of MBPP ask for, or in a fence. */
function mbppAnswer(text: string): string {
  const found = mbppPatterns
    .map((pattern) => pattern.exec(text)?.[1])
    .find((code) => code !== undefined);
  const code = before(found ?? text, '```').split(done, 1)[0] ?? '';
  return stripText(code.replaceAll('\\_', '_'));
}

/** Post-processors that look for the code of an answer. */
export const codeCleaners: Readonly<Record<string, CleanerType>> = {
  humaneval_postprocess_v2: plainCleaner((text) => codeOf(text, 0)),
  humaneval_postprocess_v3: plainCleaner((text) => codeOf(text, -1)),
  humaneval_internal_v2_postprocess: plainCleaner(functionBody),
  mbpp_answer: plainCleaner(mbppAnswer),
  lcb_program: cleanerWith(
    { block: oneOfNames(['first', 'last']) },
    ({ block: which }) =>
      (text) => {
        const lines = text.split('\n');
        const marks = lines.flatMap((line, index) => (line.includes('```') ? [index] : []));
        const [start, end] = which === 'first' ? marks : marks.slice(-2);
        const code = end === undefined ? '' : lines.slice((start ?? 0) + 1, end).join('\n');
        return `PROGRAM = ${pyRepr(code)}`;
      },
  ),
};
