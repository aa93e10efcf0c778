import { CompatError } from '../python/compat-error.ts';

/** A system whose prompts, draws and scores are reproduced. */
export type Compat = 'opencompass' | 'aisbench';

export interface CompatFailures {
  readonly what: string;
  readonly hint?: string;
  readonly opencompass: readonly [type: string, message: string];
  readonly aisbench: readonly [type: string, code: string, message: string];
}

const codeTitles: Readonly<Record<string, string>> = {
  'ICLI-PARAM-002': 'multiturn mode out of range',
  'ICLR-IMPL-002': 'ice token not provided',
  'ICLR-PARAM-001': 'ice token not in value of template',
  'ICLR-PARAM-002': 'ice template not set',
  'ICLR-PARAM-004': 'fix-k retriever index out of range',
  'ICLR-TYPE-001': 'template type error',
  'ICLR-UNK-001': 'unknown error of icl retriever',
  'MODEL-DATA-002': 'invalid prompt content',
  'MODEL-PARAM-002': 'invalid role in prompt template',
  'MODEL-PARAM-004': 'miss required param in meta template',
  'MODEL-TYPE-003': 'invalid mode in prompt template',
  'UTILS-TYPE-001': 'invalid object type',
};

/** The error of a rule that both systems have but report in their own way. */
export function failAs(compat: Compat, failure: CompatFailures): CompatError {
  if (compat === 'aisbench') return failAsAisbench(failure);
  const [type, message] = failure.opencompass;
  return new CompatError({ type, message, what: failure.what, hint: failure.hint });
}

/** The error of a rule that only AISBench has. */
export function failAsAisbench(failure: Omit<CompatFailures, 'opencompass'>): CompatError {
  const [type, code, detail] = failure.aisbench;
  const title = codeTitles[code];
  const message = `[${code}]${title === undefined ? '' : `${title}. `}${detail}`;
  return new CompatError({ type, message, code, what: failure.what, hint: failure.hint });
}
