import { literalEval } from '../../../python/literal.ts';
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

/** The first fenced block without the name of its language; all of a text without a fence. */
function firstBlock(text: string): string {
  if (!text.includes('```')) return text;
  const found = /```([\s\S]*?)```/.exec(text)?.[1];
  if (found === undefined) return text.split('```')[1] ?? '';
  return found.startsWith('\n') ? found : found.slice(found.indexOf('\n') + 1);
}

/** What follows the line of the first function, where a text begins with imports. */
function withoutImports(text: string): string {
  const start = /^(?:from|import)/.test(stripText(text)) ? text.indexOf('def') : -1;
  return start < 0 ? text : text.slice(text.indexOf('\n', start) + 1);
}

function withoutHead(text: string): string {
  return stripText(text).startsWith('def') ? text.slice(`${text}\n`.indexOf('\n') + 1) : text;
}

const indent = (text: string) =>
  text
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');

const withoutLineBreaks = (text: string) => text.replace(/^\n+/, '');

/** A function's body as far as its first empty line: what OpenCompass made of answers until June 2024. */
function oldBody(text: string): string {
  const code = before(withoutImports(firstBlock(text)), '\n\n');
  const body = withoutHead(withoutLineBreaks(code));
  if (body.startsWith('    ')) return body;
  return body.startsWith(' ') ? `    ${body.slice(leadingSpace(body))}` : indent(body);
}

/** A function's body up to the line that is indented less than those before it. */
function bodyByIndent(text: string): string {
  const { value } = literalEval(text) ?? {};
  const written = withoutLineBreaks(typeof value === 'string' ? value : text);
  const lines = withoutImports(firstBlock(written))
    .split('\n')
    .filter((line) => line !== '');
  const body = withoutHead(lines.join('\n'));
  const code = body.startsWith(' ') ? `    ${body.slice(leadingSpace(body))}` : indent(body);
  return linesOfBlock(code.split('\n')).join('\n');
}

function linesOfBlock(lines: readonly string[]): readonly string[] {
  let least: number | undefined;
  for (const [index, line] of lines.entries()) {
    const content = stripText(line);
    if (content === '' || /^["'#]/.test(content)) continue;
    const depth = leadingSpace(line);
    if (least !== undefined && depth < least) return lines.slice(0, index);
    least ??= depth;
  }
  return lines;
}

/** All programs of an answer, as LCBench looks for them: any of them may pass. */
function programsIn(text: string): string[] {
  const { value } = literalEval(text) ?? {};
  const answer = typeof value === 'string' ? value : text;
  const blocks = fencedIn(answer);
  return (blocks.length > 0 ? blocks : [answer]).map((code) => {
    let program = stripText(code);
    const end = marks.end.exec(program);
    if (end) program = program.slice(0, end.index);
    const start = marks.start.exec(program);
    if (start) program = program.slice(start.index + start[0].length);
    return stripText(program).replace(/^'/, '').replace(/'$/, '').replaceAll('\\', '');
  });
}

const marks = {
  end: new RegExp(`(?:'${space}|)(?:\\[DONE\\]|DONE)`, 'u'),
  start: new RegExp(`(?:\\[BEGIN\\]|BEGIN)(?:'${space}|)`, 'u'),
};

function fencedIn(text: string): string[] {
  const named = [...text.matchAll(/```python([\s\S]*?)```/g)].map(([, code = '']) =>
    stripText(code),
  );
  if (named.length > 0 || !text.includes('```')) return named;
  const blocks = [...text.matchAll(/```([\s\S]*?)```/g)].map(([, code = '']) =>
    stripText(
      !code.startsWith('\n') && code.includes('\n') ? code.slice(code.indexOf('\n') + 1) : code,
    ),
  );
  return blocks.length > 0 ? blocks : text.split('```').slice(1, 2);
}

/** The first line before the mark that prompts of CRUXEval ask for. */
function outputValue(text: string): string {
  return stripText(before(stripText(before(text, '# done')), '\n'));
}

/** Post-processors that look for the code of an answer. */
export const codeCleaners: Readonly<Record<string, CleanerType>> = {
  humaneval_postprocess: plainCleaner(oldBody),
  humaneval_internal_v1_postprocess: plainCleaner(bodyByIndent),
  cruxeval_o_postprocess: plainCleaner(outputValue),
  cruxeval_value: plainCleaner((text) => `VALUE = ${pyRepr(outputValue(text))}`),
  first_code_block: plainCleaner((text) => [...text.matchAll(block)][0]?.[1] ?? text),
  lc_programs: plainCleaner(
    (text) =>
      `PROGRAMS = [${programsIn(text)
        .map((code) => pyRepr(code))
        .join(', ')}]`,
  ),
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
