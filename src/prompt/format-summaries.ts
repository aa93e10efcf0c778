/** What the named formats look like, for whom they are. */
export const formatSummaries: Readonly<Record<string, string>> = {
  chatml: 'ChatML: Qwen, Yi, Hermes, SmolLM and many others',
  llama2: 'Llama 2 Chat: [INST] … [/INST], the system text as <<SYS>> in the first turn',
  llama3: 'Llama 3 Instruct: header ids and <|eot_id|>',
  mistral: 'Mistral Instruct: [INST] … [/INST], one <s>',
  gemma: 'Gemma: <start_of_turn>user … <end_of_turn>',
  phi3: 'Phi-3: <|user|> … <|end|>',
  zephyr: 'Zephyr: <|user|> … </s>',
  vicuna: 'Vicuna 1.1: USER: … ASSISTANT: …',
  internlm: 'InternLM Chat (first version): <|User|>: … <eoh>',
  moss: 'MOSS: inner thoughts, commands and results between question and answer',
  alpaca: 'Alpaca: ### Instruction: … ### Response:',
  'alpaca-ja': 'Japanese Alpaca: ### 指示: … ### 応答:',
  rinna: 'rinna instruction models: ユーザー: … システム:, lines end in <NL>',
  'rinna-bilingual': 'rinna bilingual models: ユーザー: … システム:, lines end in a line break',
  'plain-dialogue': 'Human: … Assistant: … for base models',
};
