import * as z from 'zod';
import { toPlain } from '../prompt/mapping.ts';
import { editorRecord, editorText, forEditors } from './editor-schema.ts';
import {
  type FailUnder,
  failUnderForm,
  type RowLimit,
  readFailUnder,
  readRowLimit,
  rowLimitForm,
  type WrittenRowLimit,
  type WrittenScore,
} from './gate.ts';
import { mapping } from './schema-parts.ts';

const numberOrPercentage = { anyOf: [{ type: 'number' }, editorText] };

const rowLimit = readBy<RowLimit, WrittenRowLimit>(readRowLimit, {
  expected: rowLimitForm,
  editor: numberOrPercentage,
});

const failUnder = readBy<FailUnder, WrittenScore | Readonly<Record<string, WrittenScore>>>(
  readFailUnder,
  {
    expected: failUnderForm,
    editor: { anyOf: [...numberOrPercentage.anyOf, editorRecord(numberOrPercentage)] },
  },
);

/** A value that a function reads; what it gives nothing for is refused. */
function readBy<Output, Input>(
  read: (value: unknown) => Output | undefined,
  { expected, editor }: { readonly expected: string; readonly editor: object },
): z.ZodType<Output, Input> {
  const checked = z.custom<Input>((value) => read(toPlain(value)) !== undefined, {
    error: expected,
  });
  return forEditors(checked, { ...editor }).transform((value) => read(toPlain(value)) as Output);
}

const keys = {
  fail_under: failUnder
    .optional()
    .describe('The lowest passing score; rows without a score count as wrong'),
  max_unscored: rowLimit
    .optional()
    .describe('How many rows, or samples of scored rows, may have no score: 3, or 5%'),
  allow_failed: rowLimit.optional().describe('How many rows may fail: 3, or 5%; 0 by default'),
};

export const gateSchema = mapping(keys);

export const datasetGateSchema = mapping({
  ...keys,
  models: z
    .record(z.string(), gateSchema, { error: 'a mapping of model to gate' })
    .optional()
    .describe('Different gates for some models, by abbr'),
});
