import { availableParallelism } from 'node:os';
import { basename, dirname } from 'node:path';
import { AutoModelForCausalLM, AutoTokenizer, env } from '@huggingface/transformers';

// Started by `local-peer.bench.ts`: answers and weighs texts with Transformers.js, one job at a time.

const folder = process.argv[2];
env.allowRemoteModels = false;
env.localModelPath = dirname(folder);
const name = basename(folder);
const tokenizer = await AutoTokenizer.from_pretrained(name);
const model = await AutoModelForCausalLM.from_pretrained(name, {
  dtype: 'fp32',
  device: 'cpu',
  session_options: { intraOpNumThreads: availableParallelism(), logSeverityLevel: 4 },
});
const end = BigInt(model.config.eos_token_id);

/** All prompts together, as many tokens as asked for unless all end before. */
async function generate({ prompts, length }) {
  const inputs = tokenizer(prompts, { padding: true });
  const output = await model.generate({ ...inputs, max_new_tokens: length, do_sample: false });
  const [rows, width] = output.dims;
  const start = inputs.input_ids.dims[1];
  let tokens = 0;
  for (let row = 0; row < rows; row++) {
    const answer = output.data.slice(row * width + start, (row + 1) * width);
    const ended = answer.indexOf(end);
    tokens += ended === -1 ? answer.length : ended + 1;
  }
  return tokens;
}

/** The loglikelihood of each text but its first token; the texts of a row are weighed together. */
async function weigh({ rows }) {
  const sums = [];
  for (const texts of rows) {
    const inputs = tokenizer(texts, { padding: true });
    const { logits } = await model(inputs);
    const [count, length, width] = logits.dims;
    for (let row = 0; row < count; row++) {
      let sum = 0;
      let isFirst = true;
      for (let place = 0; place < length; place++) {
        if (inputs.attention_mask.data[row * length + place] === 0n) continue;
        if (!isFirst) {
          const at = (row * length + place - 1) * width;
          const token = Number(inputs.input_ids.data[row * length + place]);
          sum += logits.data[at + token] - logSumExp(logits.data, at, width);
        }
        isFirst = false;
      }
      sums.push(sum);
    }
  }
  return sums;
}

function logSumExp(data, start, width) {
  let largest = Number.NEGATIVE_INFINITY;
  for (let index = start; index < start + width; index++) {
    if (data[index] > largest) largest = data[index];
  }
  let sum = 0;
  for (let index = start; index < start + width; index++) sum += Math.exp(data[index] - largest);
  return largest + Math.log(sum);
}

process.on('message', async ({ job, ...given }) => {
  const startedAt = performance.now();
  const result = await (job === 'generate' ? generate(given) : weigh(given));
  process.send({ result, ms: performance.now() - startedAt });
});
process.on('disconnect', () => process.exit());
process.send('ready');
