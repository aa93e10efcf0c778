import { DataError } from '../errors.ts';
import { type Diagnostic, requiredFieldNames } from '../prompt/diagnostics.ts';
import type { PromptProgram } from '../prompt/program.ts';
import type { Row } from '../prompt/values.ts';
import { columnsOf, type PromptData, type PromptSetup } from './prompt-setup.ts';

/** Refuses rows and examples that lack a column which the templates fill in and others have. */
export interface ColumnCheck {
  readonly row: (row: Row) => void;
  /** The same as a remark. */
  readonly remarks: (row: Row) => Diagnostic[];
  readonly shots: (ids: readonly number[]) => void;
}

export function requireColumns(
  programs: readonly Pick<PromptProgram, 'body' | 'template' | 'iceTemplate'>[],
  {
    inputColumns,
    outputColumn,
    promptTemplate,
  }: Pick<PromptSetup, 'inputColumns' | 'outputColumn' | 'promptTemplate'>,
  data: PromptData,
): ColumnCheck {
  // What no row has is text in braces.
  const known = new Set(
    [...inputColumns, outputColumn, ...columnsOf(data)].filter((name) => name !== undefined),
  );
  const used = (bodies: readonly Parameters<typeof requiredFieldNames>[0][]) =>
    [...new Set(bodies.flatMap(requiredFieldNames))].filter((name) => known.has(name));
  const asked = used(programs.map(({ body }) => body));
  const shown = used(programs.map(({ iceTemplate, template }) => (iceTemplate ?? template).body));
  const complete = new Set<number>();
  return {
    row: (row) => {
      const missing = missingColumn(row, asked);
      if (missing !== undefined) throw refuse(`the row has no column \`${missing}\``);
    },
    remarks: (row) => {
      const missing = missingColumn(row, asked);
      if (missing === undefined) return [];
      const message = `the row has no column \`${missing}\`: a run does not ask it`;
      return [{ code: 'data.missing_column', message, path: promptTemplate?.source ?? [] }];
    },
    shots: (ids) => {
      for (const id of ids) {
        if (complete.has(id)) continue;
        const example = data.train[id];
        const missing = example && missingColumn(example.row, shown);
        if (missing !== undefined) {
          throw refuse(`its example, row ${example?.id}, has no column \`${missing}\``);
        }
        complete.add(id);
      }
    },
  };
}

function missingColumn(row: Row, columns: readonly string[]): string | undefined {
  for (const column of columns) {
    if (row[column] === undefined || !Object.hasOwn(row, column)) return column;
  }
  return undefined;
}

function refuse(problem: string): DataError {
  return new DataError('data.missing_column', problem, {
    hint: 'Add the column (it may be empty text), or exclude the row with `--where`.',
  });
}
