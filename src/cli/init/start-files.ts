/** What a new config is about. */
export interface Start {
  readonly format: 'yaml' | 'ts';
  readonly model: string;
  readonly modelName: string;
}

export const defaultStart: Start = {
  format: 'yaml',
  model: 'http://127.0.0.1:8000/v1',
  modelName: 'my-model',
};

interface StartFile {
  readonly name: string;
  readonly text: string;
}

const dataName = 'data/questions.jsonl';

const rows = [
  { question: 'Ken reads 12 pages a day. How many pages does he read in 5 days?', answer: '60' },
  { question: 'A rope of 30 metres is cut into 6 equal parts. How long is each?', answer: '5' },
  { question: 'Ada had 50 stamps and gave away 18. How many has she left?', answer: '32' },
  { question: 'Three tickets cost 24 euros. What does one ticket cost?', answer: '8' },
];

/** A config and its rows. `schema` is where editors find the keys of a YAML config. */
export function startFiles({ schema, ...given }: Partial<Start> & { readonly schema?: string }): {
  readonly config: StartFile;
  readonly data: StartFile;
} {
  const start = { ...defaultStart, ...given };
  const text = start.format === 'ts' ? moduleText(start) : yamlText(start, schema);
  return {
    config: { name: `typecase.config.${start.format}`, text },
    data: { name: dataName, text: rows.map((row) => `${JSON.stringify(row)}\n`).join('') },
  };
}

function yamlText({ model, modelName }: Start, schema: string | undefined): string {
  const editors = schema === undefined ? '' : `# yaml-language-server: $schema=${schema}\n`;
  return `${editors}models:
  - type: OpenAI
    base_url: ${JSON.stringify(model)}
    model: ${JSON.stringify(modelName)}
    # api_key_env: MY_API_KEY
    max_out_len: 256
    generation_kwargs: { temperature: 0 }

datasets:
  - path: ${dataName}
    reader_cfg: { input_columns: [question], output_column: answer }
    infer_cfg:
      prompt_template:
        type: PromptTemplate
        template:
          begin:
            - { role: SYSTEM, fallback_role: HUMAN, prompt: "End with the answer as a number." }
          round:
            - { role: HUMAN, prompt: "{question}" }
            - { role: BOT, prompt: "{answer}" }
    eval_cfg: { evaluator: { type: number } }
`;
}

// A type-only import: the config also runs where the package is not installed.
function moduleText({ model, modelName }: Start): string {
  return `import type { ConfigInput } from 'typecase';

export default {
  models: [
    {
      type: 'OpenAI',
      base_url: ${JSON.stringify(model)},
      model: ${JSON.stringify(modelName)},
      // api_key_env: 'MY_API_KEY',
      max_out_len: 256,
      generation_kwargs: { temperature: 0 },
    },
  ],
  datasets: [
    {
      path: '${dataName}',
      reader_cfg: { input_columns: ['question'], output_column: 'answer' },
      infer_cfg: {
        prompt_template: {
          type: 'PromptTemplate',
          template: {
            begin: [
              { role: 'SYSTEM', fallback_role: 'HUMAN', prompt: 'End with the answer as a number.' },
            ],
            round: [
              { role: 'HUMAN', prompt: '{question}' },
              { role: 'BOT', prompt: '{answer}' },
            ],
          },
        },
      },
      eval_cfg: { evaluator: { type: 'number' } },
    },
  ],
} satisfies ConfigInput;
`;
}
