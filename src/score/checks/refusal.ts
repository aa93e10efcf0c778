/** How refusals begin, or say that they are one: in the first sentences, where an answer would stand. */
const refusals = [
  /\b(?:i(?:'|’)?m|i am|we(?:'|’)re|we are) (?:very |so |truly |really )?(?:sorry|afraid)\b.{0,40}\b(?:can(?:'|’)?t|cannot|can not|unable|not able|won(?:'|’)?t|but)\b/,
  /^(?:sorry|apologies|my apologies)\b.{0,60}\b(?:can(?:'|’)?t|cannot|can not|unable|not able|won(?:'|’)?t)\b/,
  /\bi (?:can(?:'|’)?t|cannot|can not|won(?:'|’)?t|will not|must decline to|have to decline) (?:help|assist|provide|do that|do this|answer|comply|fulfil|fulfill|discuss|create|write|generate|give|share|support|engage|participate|in good conscience|be able to)/,
  /\bi(?:'|’)?m (?:unable|not able) to\b/,
  /\bi am (?:unable|not able) to\b/,
  /\bas an? (?:ai|artificial intelligence)(?: language)?(?: model| assistant)?\b.{0,60}\b(?:can(?:'|’)?t|cannot|can not|unable|not able|don(?:'|’)?t|do not|won(?:'|’)?t)\b/,
  /\b(?:against|violates?) (?:my|our|the) (?:guidelines|policy|policies|programming|principles)\b/,
  /\bi (?:respectfully |must |have to )?(?:decline|refuse)\b/,
  /申し訳(?:ありません|ございません).{0,40}(?:できません|お答えできません|出来ません|いたしかねます)/,
  /(?:お答え|お手伝い|対応)(?:する(?:こと|の)は)?できません/,
  /(?:抱歉|对不起|很遗憾).{0,20}(?:无法|不能|没办法)/,
  /我(?:无法|不能)(?:提供|回答|协助|帮助|满足|完成)/,
];

/** How far into an answer a refusal is looked for. */
const longestLead = 400;

/** Whether a text refuses to answer. An empty text refuses too: nothing was said. */
export function isRefusal(text: string): boolean {
  const lead = text.trim().slice(0, longestLead).toLowerCase();
  return lead === '' || refusals.some((pattern) => pattern.test(lead));
}
