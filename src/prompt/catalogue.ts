/** A model-side format that users can name instead of writing it. */
export interface NamedFormat {
  readonly name: string;
  readonly summary: string;
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
    summary: 'ChatML: Qwen, Yi, Hermes, SmolLM and many others',
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
    summary: 'Llama 2 Chat: [INST] … [/INST], the system text as <<SYS>> in the first turn',
    meta: {
      round: [turn('HUMAN', '<s>[INST] ', ' [/INST]'), { ...answer(' ', ' </s>'), opening: '' }],
      reserved_roles: [{ ...turn('SYSTEM', '<<SYS>>\n', '\n<</SYS>>\n\n'), into: 'HUMAN' }],
    },
  },
  {
    name: 'llama3',
    summary: 'Llama 3 Instruct: header ids and <|eot_id|>',
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
    summary: 'Mistral Instruct: [INST] … [/INST], one <s>',
    meta: {
      begin: '<s>',
      round: [turn('HUMAN', '[INST] ', ' [/INST]'), answer('', '</s>')],
      reserved_roles: [systemInside],
    },
  },
  {
    name: 'gemma',
    summary: 'Gemma: <start_of_turn>user … <end_of_turn>',
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
    summary: 'Phi-3: <|user|> … <|end|>',
    meta: {
      round: [turn('HUMAN', '<|user|>\n', '<|end|>\n'), answer('<|assistant|>\n', '<|end|>\n')],
      reserved_roles: [turn('SYSTEM', '<|system|>\n', '<|end|>\n')],
    },
  },
  {
    name: 'zephyr',
    summary: 'Zephyr: <|user|> … </s>',
    meta: {
      round: [turn('HUMAN', '<|user|>\n', '</s>\n'), answer('<|assistant|>\n', '</s>\n')],
      reserved_roles: [turn('SYSTEM', '<|system|>\n', '</s>\n')],
    },
  },
  {
    name: 'vicuna',
    summary: 'Vicuna 1.1: USER: … ASSISTANT: …',
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
    summary: 'InternLM Chat (first version): <|User|>: … <eoh>',
    meta: {
      round: [turn('HUMAN', '<|User|>:', '<eoh>\n'), answer('<|Bot|>:', '<eoa>\n')],
      reserved_roles: [systemInside],
    },
  },
  {
    name: 'moss',
    summary: 'MOSS: inner thoughts, commands and results between question and answer',
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
    summary: 'Alpaca: ### Instruction: … ### Response:',
    meta: {
      round: [turn('HUMAN', '### Instruction:\n', '\n\n'), answer('### Response:\n', '\n\n')],
      stop: ['### Instruction:'],
      reserved_roles: [turn('SYSTEM', '', '\n\n')],
    },
  },
  {
    name: 'alpaca-ja',
    summary: 'Japanese Alpaca: ### 指示: … ### 応答:',
    meta: {
      round: [turn('HUMAN', '### 指示:\n', '\n\n'), answer('### 応答:\n', '\n\n')],
      stop: ['### 指示:'],
      reserved_roles: [turn('SYSTEM', '', '\n\n')],
    },
  },
  {
    name: 'rinna',
    summary: 'rinna instruction models: ユーザー: … システム:, lines end in <NL>',
    meta: {
      round: [turn('HUMAN', 'ユーザー: ', '<NL>'), answer('システム: ', '<NL>')],
      reserved_roles: [{ ...systemInside, end: '<NL>' }],
      stop: ['</s>', 'ユーザー:'],
    },
  },
  {
    name: 'rinna-bilingual',
    summary: 'rinna bilingual models: ユーザー: … システム:, lines end in a line break',
    meta: {
      round: [turn('HUMAN', 'ユーザー: ', '\n'), answer('システム: ', '\n')],
      reserved_roles: [systemInside],
      stop: ['</s>', 'ユーザー:'],
    },
  },
  {
    name: 'plain-dialogue',
    summary: 'Human: … Assistant: … for base models',
    meta: {
      round: [turn('HUMAN', 'Human: ', '\n'), answer('Assistant: ', '\n')],
      stop: ['\nHuman:'],
      reserved_roles: [turn('SYSTEM', '', '\n')],
    },
  },
];
