import type { LoglikelihoodResult } from '../model/loglikelihood.ts';
import type { GenerateResult } from '../model/model.ts';
import type { RowRecord } from './store/row-log.ts';

/** An answer, and where it comes from if it was not asked for. */
export interface FoundAnswer {
  readonly result: GenerateResult | LoglikelihoodResult;
  readonly from?: RowRecord['from'];
}
