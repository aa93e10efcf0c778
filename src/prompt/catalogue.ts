/** A model-side format that users can name instead of writing it. */
export interface NamedFormat {
  readonly name: string;
  readonly meta: Readonly<Record<string, unknown>>;
}

const turn = (role: string, begin: string, end: string) => ({ role, begin, end });
/** A system text inside the user's next turn, for models without that role. */
const systemInside = { ...turn('SYSTEM', '', '\n\n'), into: 'HUMAN' };
const answer = (begin: string, end: string) => ({ role: 'BOT', begin, end, generate: true });

/** Dialogue formats of well-known text models, by name. */
export const namedFormats: readonly NamedFormat[] = [
  {
    name: 'chatml',
    meta: {
      round: [
        turn('HUMAN', '<|im_start|>user\n', '<|im_end|>\n'),
        answer('<|im_start|>assistant\n', '<|im_end|>\n'),
      ],
      reserved_roles: [turn('SYSTEM', '<|im_start|>system\n', '<|im_end|>\n')],
    },
  },
  {
    name: 'llama2',
    meta: {
      round: [turn('HUMAN', '<s>[INST] ', ' [/INST]'), { ...answer(' ', ' </s>'), opening: '' }],
      reserved_roles: [{ ...turn('SYSTEM', '<<SYS>>\n', '\n<</SYS>>\n\n'), into: 'HUMAN' }],
    },
  },
  {
    name: 'llama3',
    meta: {
      begin: '<|begin_of_text|>',
      round: [
        turn('HUMAN', '<|start_header_id|>user<|end_header_id|>\n\n', '<|eot_id|>'),
        answer('<|start_header_id|>assistant<|end_header_id|>\n\n', '<|eot_id|>'),
      ],
      reserved_roles: [
        turn('SYSTEM', '<|start_header_id|>system<|end_header_id|>\n\n', '<|eot_id|>'),
      ],
    },
  },
  {
    name: 'mistral',
    meta: {
      begin: '<s>',
      round: [turn('HUMAN', '[INST] ', ' [/INST]'), answer('', '</s>')],
      reserved_roles: [systemInside],
    },
  },
  {
    name: 'gemma',
    meta: {
      begin: '<bos>',
      round: [
        turn('HUMAN', '<start_of_turn>user\n', '<end_of_turn>\n'),
        answer('<start_of_turn>model\n', '<end_of_turn>\n'),
      ],
      reserved_roles: [systemInside],
    },
  },
  {
    name: 'phi3',
    meta: {
      round: [turn('HUMAN', '<|user|>\n', '<|end|>\n'), answer('<|assistant|>\n', '<|end|>\n')],
      reserved_roles: [turn('SYSTEM', '<|system|>\n', '<|end|>\n')],
    },
  },
  {
    name: 'zephyr',
    meta: {
      round: [turn('HUMAN', '<|user|>\n', '</s>\n'), answer('<|assistant|>\n', '</s>\n')],
      reserved_roles: [turn('SYSTEM', '<|system|>\n', '</s>\n')],
    },
  },
  {
    name: 'vicuna',
    meta: {
      round: [
        turn('HUMAN', 'USER: ', ' '),
        { ...answer('ASSISTANT: ', '</s>'), opening: 'ASSISTANT:' },
      ],
      stop: ['</s>', 'USER:'],
      reserved_roles: [turn('SYSTEM', '', ' ')],
    },
  },
  {
    name: 'internlm',
    meta: {
      round: [turn('HUMAN', '<|User|>:', '<eoh>\n'), answer('<|Bot|>:', '<eoa>\n')],
      reserved_roles: [systemInside],
    },
  },
  {
    name: 'moss',
    meta: {
      round: [
        turn('HUMAN', '<|Human|>: ', '<eoh>\n'),
        { ...turn('THOUGHTS', '<|Inner Thoughts|>: ', '<eot>\n'), prompt: 'None' },
        { ...turn('COMMANDS', '<|Commands|>: ', '<eoc>\n'), prompt: 'None' },
        { ...turn('RESULTS', '<|Results|>: ', '<eor>\n'), prompt: 'None' },
        { ...answer('<|MOSS|>: ', '<eom>\n'), opening: '<|MOSS|>:' },
      ],
      reserved_roles: [turn('SYSTEM', '', '\n')],
    },
  },
  {
    name: 'alpaca',
    meta: {
      round: [turn('HUMAN', '### Instruction:\n', '\n\n'), answer('### Response:\n', '\n\n')],
      stop: ['### Instruction:'],
      reserved_roles: [turn('SYSTEM', '', '\n\n')],
    },
  },
  {
    name: 'alpaca-ja',
    meta: {
      round: [turn('HUMAN', '### 指示:\n', '\n\n'), answer('### 応答:\n', '\n\n')],
      stop: ['### 指示:'],
      reserved_roles: [turn('SYSTEM', '', '\n\n')],
    },
  },
  {
    name: 'rinna',
    meta: {
      round: [turn('HUMAN', 'ユーザー: ', '<NL>'), answer('システム: ', '<NL>')],
      reserved_roles: [{ ...systemInside, end: '<NL>' }],
      stop: ['</s>', 'ユーザー:'],
    },
  },
  {
    name: 'rinna-bilingual',
    meta: {
      round: [turn('HUMAN', 'ユーザー: ', '\n'), answer('システム: ', '\n')],
      reserved_roles: [systemInside],
      stop: ['</s>', 'ユーザー:'],
    },
  },
  {
    name: 'plain-dialogue',
    meta: {
      round: [turn('HUMAN', 'Human: ', '\n'), answer('Assistant: ', '\n')],
      stop: ['\nHuman:'],
      reserved_roles: [turn('SYSTEM', '', '\n')],
    },
  },
];
