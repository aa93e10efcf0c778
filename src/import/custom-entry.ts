import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { asPlain, type Plain } from './plain-value.ts';

const alphabet = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/**
 * An entry without a class stands for rows of one's own: how they are asked is told by their columns,
 * by the file `….meta.json` beside them, and by the entry. Without rows their usual columns are taken.
 */
export function customEntry(entry: Plain, file: string | undefined): Plain {
  if (entry.type !== undefined || typeof entry.path !== 'string') return entry;
  if (entry.infer_cfg !== undefined) return entry;
  const kind = String(entry.data_type ?? '');
  const columns = (file && columnsIn(file)) || usualColumns(kind);
  const options = alphabet.slice(
    0,
    alphabet.findIndex((letter) => !columns.includes(letter)),
  );
  const meta: Plain = {
    abbr: entry.path.split('/').at(-1)?.split('.')[0],
    input_columns: columns.filter((column) => column !== 'answer'),
    output_column: columns.includes('answer') ? 'answer' : null,
    options,
    data_type: options.length > 1 ? 'mcq' : 'qa',
    infer_method: 'gen',
    ...(file && metaBeside(file)),
    ...entry,
  };
  return filledEntry(meta);
}

function usualColumns(kind: string): readonly string[] {
  return kind.endsWith('mcq') ? ['question', 'A', 'B', 'C', 'D', 'answer'] : ['question', 'answer'];
}

const firstBytes = 1 << 20;

function headOf(file: string): string {
  const handle = openSync(file, 'r');
  try {
    const buffer = Buffer.alloc(firstBytes);
    return buffer.toString('utf8', 0, readSync(handle, buffer, 0, firstBytes, 0));
  } finally {
    closeSync(handle);
  }
}

/** The columns of the first row of a file; nothing where they cannot be told. */
function columnsIn(file: string): readonly string[] | undefined {
  if (!existsSync(file)) return undefined;
  const text = headOf(file).replace(/^\ufeff/, '');
  try {
    if (file.endsWith('.jsonl'))
      return Object.keys(JSON.parse(text.split('\n')[0] ?? '') as object);
    if (file.endsWith('.csv')) return (parse(text, { to: 1 }) as string[][])[0];
  } catch {
    return undefined;
  }
  return undefined;
}

function metaBeside(file: string): Plain | undefined {
  const path = `${file}.meta.json`;
  if (!existsSync(path)) return undefined;
  try {
    return asPlain(JSON.parse(headOf(path)));
  } catch {
    return undefined;
  }
}

function filledEntry(meta: Plain): Plain {
  const kind = String(meta.data_type);
  const isChoice = kind.endsWith('mcq');
  const isCircular = kind.startsWith('circular-');
  const isMeasured = meta.infer_method === 'ppl';
  const [options, output] = [meta.options as string[], meta.output_column as string | null];
  const evaluator = isChoice && !isMeasured ? 'OptionSimAccEvaluator' : 'AccEvaluator';
  const circular = isMeasured ? 'CircularEvaluator' : `Circular${evaluator}`;
  return {
    abbr: meta.abbr,
    type: isCircular ? 'CircularCustomDataset' : 'CustomDataset',
    path: meta.path,
    ...(isCircular && { option_keys: options, answer_key: output }),
    reader_cfg: {
      input_columns: meta.input_columns,
      output_column: output,
      ...(meta.test_range !== undefined && { test_range: meta.test_range }),
    },
    infer_cfg: {
      prompt_template: { type: 'PromptTemplate', template: templateOf(meta, isChoice, isMeasured) },
      retriever: { type: 'ZeroRetriever' },
      inferencer: { type: isMeasured ? 'PPLInferencer' : 'GenInferencer' },
    },
    eval_cfg: {
      evaluator: {
        type: meta.evaluator ?? (isCircular ? circular : evaluator),
        ...(asPlain(meta.evaluator_kwargs) ?? (isChoice && !isMeasured ? { options } : {})),
      },
    },
  };
}

function templateOf(meta: Plain, isChoice: boolean, isMeasured: boolean): unknown {
  if (meta.template != null) return meta.template;
  const output = meta.output_column as string | null;
  const options = isChoice ? (meta.options as string[]) : [];
  const lines = options.map((option) => `\n${option}. {${option}}`).join('');
  const human = meta.human_prompt ?? (isChoice ? `Question: {question}${lines}` : '{question}');
  const bot = meta.bot_prompt ?? (isChoice ? `Answer: {${output}}` : `{${output}}`);
  const round = (answer: unknown) => ({
    round: [
      { role: 'HUMAN', prompt: human },
      ...(output === null ? [] : [{ role: 'BOT', prompt: answer }]),
    ],
  });
  if (!isMeasured) return round(bot);
  const withAnswer = (option: string) => String(bot).replaceAll(`{${output}}`, option);
  return Object.fromEntries(options.map((option) => [option, round(withAnswer(option))]));
}
