/** OpenCompass' count of tokens for models without a tokenizer: words, and Chinese characters. */
export function countTokens(text: string): number {
  const words = text.match(/[A-Za-z0-9]+/g)?.length ?? 0;
  const characters = text.match(/[\u4e00-\u9fff]/g)?.length ?? 0;
  return words + characters;
}
