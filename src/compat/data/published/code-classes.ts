import { gunzipSync } from 'node:zlib';
import { readJson } from '../../../data/json-reader.ts';
import type { Row } from '../../../prompt/values.ts';
import {
  type DatasetClass,
  type DatasetClasses,
  linesOf,
  listOf,
  repeated,
  rowOf,
  textOf,
  without,
} from './dataset-class.ts';
import { PublishedFiles } from './published-files.ts';

/** Rows with their tests as one text, for prompts and for scoring. */
function withTests(row: Row): Row {
  const tests = listOf(row.test_list).map(textOf).join('\n');
  return {
    ...row,
    test_case: row.test_list,
    test_list: tests,
    test_list_2: tests,
    test_column: { test_list_2: tests, task_id: row.task_id },
  };
}

/** The first rows are examples; some of the others are asked. */
const mbpp = (
  path: string,
  [first, last]: readonly [number, number],
  change: (row: Row) => Row = withTests,
): DatasetClass => ({
  at: path,
  settings: ['num_repeats'],
  async read(files, { num_repeats: times }) {
    const rows = (await files.rows()).map(change);
    return { train: rows.slice(0, first), test: repeated(rows.slice(first, last), times) };
  },
});

/** Tests that EvalPlus adds, by the task: as texts of their own, which Python reads. */
async function evalplusRows(
  files: PublishedFiles,
  path: string,
): Promise<ReadonlyMap<unknown, string>> {
  const own = await PublishedFiles.open(path);
  const bytes = await own.bytes();
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  for (const [name, file] of own.read) files.read.set(name, file);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return new Map(lines.map((line) => [rowOf(readJson(line).value).task_id, line]));
}

/** Classes of programming tasks, by their names. */
export const codeClasses: DatasetClasses = {
  HumanevalDataset: {
    at: 'humaneval/human-eval-v2-20210705.jsonl',
    settings: ['num_repeats'],
    async read(files, { num_repeats: times, evalplus }) {
      const more = typeof evalplus === 'string' ? await evalplusRows(files, evalplus) : undefined;
      return (await files.rows()).flatMap((row) =>
        repeated([more ? { ...row, evalplus: more.get(row.task_id) ?? null } : row], times),
      );
    },
  },
  LCDataset: {
    at: 'LCBench2023/LCBench2023.jsonl',
    settings: ['num_repeats', 'difficulty'],
    async read(files, { num_repeats: times, difficulty = 'ALL' }) {
      const rows = (await files.rows()).map((row) => {
        const tests = listOf(row.test_list).map(textOf).join('\n');
        return {
          ...row,
          test_case: row.test_list,
          test_list: tests,
          test_column: { test_list_2: tests, task_id: row['Contest id'] },
        };
      });
      const isMeant = (row: Row) => difficulty === 'ALL' || row.Difficulty === difficulty;
      return {
        train: rows.slice(0, 5).filter(isMeant),
        test: repeated(rows.slice(5).filter(isMeant), times),
      };
    },
  },
  HumanevalevalProDataset: linesOf('humaneval_pro/humaneval_pro.json'),
  MBPPProDataset: linesOf('mbpp_pro/mbpp_pro.jsonl'),
  MBPPDataset: mbpp('mbpp/mbpp.jsonl', [10, 510]),
  MBPPDatasetV2: mbpp('mbpp/mbpp.jsonl', [10, 510]),
  SanitizedMBPPDataset: mbpp('mbpp/sanitized-mbpp.jsonl', [7, 264], (row) => ({
    ...withTests(without(row, 'prompt')),
    text: row.prompt,
  })),
  BigCodeBenchDataset: {
    at: 'bigcodebench',
    settings: ['release_version', 'dataset_version'],
    async read(files, { release_version: release = 'v0.1.2', dataset_version: version = 'full' }) {
      const name = version === 'full' ? 'BigCodeBench' : 'BigCodeBench-Hard';
      const rows = await files.rows(`${name}-${textOf(release)}.jsonl`);
      return { train: rows, test: rows };
    },
  },
  HumanevalXDataset: {
    at: 'humanevalx',
    settings: ['language'],
    async read(files, { language }) {
      const bytes = await files.bytes(`humanevalx_${textOf(language)}.jsonl.gz`);
      return gunzipSync(bytes)
        .toString('utf8')
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => rowOf(readJson(line).value));
    },
  },
  MBPPPlusDataset: {
    at: 'mbpp_plus/mbpp_plus.jsonl',
    settings: ['num_repeats'],
    async read(files, { num_repeats: times }) {
      return (await files.rows()).flatMap((row) => repeated([withTests(row)], times));
    },
  },
};
