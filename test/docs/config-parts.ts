import { Ajv2020 } from 'ajv/dist/2020.js';
import { configJsonSchema } from '../../src/config/json-schema.ts';

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

const schema = configJsonSchema() as Schema;
const ajv = new Ajv2020({ strict: false, allErrors: true });
const validate = ajv.compile(schema);

/** Where a part of a config belongs, by a key that only that part has. */
const parts: readonly [keys: readonly string[], wrap: (part: unknown) => unknown][] = [
  [['models', 'datasets', 'sweep', 'summarizer', 'compat', 'gate', 'work_dir'], (config) => config],
  [['reader_cfg', 'infer_cfg', 'eval_cfg', 'abbr'], (dataset) => ({ datasets: [dataset] })],
  [
    ['prompt_template', 'ice_template', 'retriever', 'inferencer', 'tools', 'response_format'],
    (infer) => ({ datasets: [{ infer_cfg: infer }] }),
  ],
  [
    ['evaluator', 'pred_postprocessor', 'dataset_postprocessor', 'circular'],
    (evaluation) => ({ datasets: [{ eval_cfg: evaluation }] }),
  ],
];

/** What the schema says against a config, or a part of one; what a part leaves out is no matter. */
export function schemaProblems(value: unknown): string[] {
  const written = withoutGaps(value);
  if (typeof written !== 'object' || written === null || Array.isArray(written)) return [];
  const keys = Object.keys(written);
  const isModels = keys.some((key) => /_(?:models|datasets)$/.test(key));
  const found = parts.find(([names]) => isModels || keys.some((key) => names.includes(key)));
  if (!found || validate(found[1](written))) return [];
  const errors = validate.errors ?? [];
  return errors
    .filter(({ keyword }) => ['additionalProperties', 'enum', 'type'].includes(keyword))
    .filter(({ schemaPath }) => !/anyOf|oneOf/.test(schemaPath))
    .map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
}

/** A page may write `…` where more stands. */
function withoutGaps(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((one) => one !== '…').map(withoutGaps);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withoutGaps(one)]));
}
