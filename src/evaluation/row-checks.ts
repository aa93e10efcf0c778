import type { DatasetConfig } from '../config/config.ts';
import { ConfigError, DataError, TypecaseError } from '../errors.ts';
import { isMapping } from '../prompt/mapping.ts';
import type { PositionedRow } from '../prompt/trace.ts';
import { writtenChecks } from '../score/checks/checks-evaluator.ts';
import { readCheck } from '../score/checks/read-check.ts';
import {
  asChecks,
  checkKeys,
  isComponent,
  type LocatedComponent,
  readOptions,
  unknownType,
} from '../score/component/component.ts';
import { evaluatorTypes } from '../score/evaluators/evaluator-types.ts';

/** Refuses checks of the first rows that nobody would make, or that cannot be made. */
export function requireRowChecks(
  { abbr, source, evalCfg, readerCfg }: DatasetConfig,
  head: readonly PositionedRow[],
): void {
  if (!evalCfg) return;
  const path = [...source, 'eval_cfg', 'evaluator'];
  if (asChecks(evalCfg.evaluator).type === 'checks') {
    for (const { id, row } of head) requireKnown(row, `Row ${id} of \`${abbr}\``);
    return;
  }
  const { inputColumns, outputColumn } = readerCfg;
  if ([...inputColumns, outputColumn].includes('checks')) return;
  const bringing = head.find(({ row }) => bringsChecks(row));
  if (!bringing) return;
  throw new ConfigError(
    'config.unused_checks',
    `Row ${bringing.id} of \`${abbr}\` has its own checks, but the evaluator is not a list that they could be added to`,
    {
      path,
      hint: 'Write it as a list, `evaluator: [{ type: … }]`, or rename the column `checks`.',
    },
  );
}

function bringsChecks(row: PositionedRow['row']): boolean {
  try {
    const checks = writtenChecks(row);
    return checks.length > 0 && checks.every((check) => isMapping(check) && isComponent(check));
  } catch (error) {
    // Another column of that name.
    if (TypecaseError.isInstance(error)) return false;
    throw error;
  }
}

function requireKnown(row: PositionedRow['row'], place: string): void {
  try {
    for (const [index, check] of writtenChecks(row).entries()) {
      const read = readCheck(check, ['checks', index]);
      requireOptions({ ...read, otherKeys: checkKeys });
    }
  } catch (error) {
    if (!TypecaseError.isInstance(error)) throw error;
    throw new DataError('data.bad_checks', `${place}: ${error.message}`, {
      hint: error.hint,
      cause: error,
    });
  }
}

function requireOptions(located: LocatedComponent): void {
  const { type } = located.component;
  const known = Object.entries(evaluatorTypes).find(([name]) => name === type)?.[1];
  if (!known) throw unknownType(located, Object.keys(evaluatorTypes));
  readOptions(located, known.options);
}
