import { join } from 'node:path';
import { root } from '../build-cli.ts';
import type { Levels } from './factors.ts';

const tokenizer = join(root, 'models/typecase-tiny/tokenizer.json');

/** A chat template as models bring it, in a file of its own. */
export const jinjaFile = 'chat.jinja';
export const jinjaTemplate =
  "{% for m in messages %}[{{ m['role'] }}] {{ m['content'] }}\n{% endfor %}{% if add_generation_prompt %}[assistant] {% endif %}";

/** The `models` of a config. */
export function sampleModels(levels: Levels, url: string): object[] {
  const { size, judge } = levels;
  const hasSecond = size === 'two-models' || size === 'both';
  return [
    asked(levels, url),
    ...(hasSecond ? [second(levels, url)] : []),
    ...(judge === 'none' ? [] : [judgeModel(levels, url)]),
  ];
}

function asked(levels: Levels, url: string): object {
  const { compat, prefill, stop, stream, limit, kwargs, thinking, tokenizer: counted } = levels;
  const own = /^(\w+)-model$/.exec(compat)?.[1];
  return {
    abbr: 'm',
    ...endpoint(levels, url, 'asked-model'),
    ...(own !== undefined && { compat: own }),
    ...(prefill !== 'none' && { prefill: prefills[prefill] }),
    ...((stop === 'model' || stop === 'both') && { stop: ['\n\n', 'END'] }),
    ...(stream === 'on' && { stream: true }),
    ...((limit === 'model' || limit === 'both') && { max_out_len: 9 }),
    ...(kwargs !== 'none' && { generation_kwargs: generationKwargs[kwargs] }),
    ...(thinking === 'marks' && { thinking: { begin: '<r>', end: '</r>' } }),
    ...(thinking === 'keep' && { thinking: { keep: true } }),
    ...(counted === 'given' && { tokenizer }),
    ...contextLength(levels),
  };
}

const prefills = { told: 'continue_final_message', 'by-itself': 'last_message' };

const generationKwargs = {
  sampling: { temperature: 0.7, top_p: 0.9 },
  seed: { temperature: 1, seed: 11 },
  limit: { max_completion_tokens: 9 },
  stop: { stop: ['###'], min_p: 0.1 },
};

/** Tokens are bytes with the tokenizer, and three bytes without it. */
function contextLength({ fit, tokenizer: counted }: Levels): object {
  if (fit === 'free') return {};
  const bytes = { roomy: 6000, tight: 330, cramped: 90 }[fit];
  return { max_seq_len: counted === 'given' ? bytes : bytes / 3 };
}

function endpoint({ model }: Levels, url: string, name: string): object {
  const text = { type: 'OpenAICompletions', base_url: url };
  switch (model) {
    case 'chat':
      return { type: 'OpenAI', base_url: `${url}/v1`, model: name };
    case 'plain':
      return { ...text, path: name };
    case 'chatml':
    case 'gemma':
      return { ...text, model: name, meta_template: model };
    case 'jinja':
      return { ...text, model: name, chat_template: jinjaFile };
    case 'local':
      return { type: 'Local', path: 'typecase-tiny' };
  }
}

/** Without what the first one sets; beside a local model one that has an address. */
function second({ model, ...levels }: Levels, url: string): object {
  const other = { ...levels, model: model === 'local' ? 'plain' : model } as const;
  return { abbr: 'm2', ...endpoint(other, url, 'second-model'), max_out_len: 6 };
}

function judgeModel({ stream }: Levels, url: string): object {
  return {
    abbr: 'strong',
    type: 'OpenAI',
    base_url: `${url}/v1`,
    model: 'judge-model',
    judge: true,
    max_out_len: 64,
    stop: ['<end>'],
    generation_kwargs: { temperature: 0 },
    ...(stream === 'on' && { stream: true }),
  };
}
