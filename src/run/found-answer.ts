import type { GenerateResult } from '../model/model.ts';
import type { WeighResult } from '../model/weigh.ts';
import type { RowRecord } from './store/row-log.ts';

/** An answer, and where it comes from if it was not asked for. */
export interface FoundAnswer {
  readonly result: GenerateResult | WeighResult;
  readonly from?: RowRecord['from'];
}
