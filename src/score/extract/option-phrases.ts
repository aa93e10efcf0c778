// What may stand between a phrase and the option's label, and right after the label.
const open = String.raw`(?:\\[a-z]+\{|[\s*_"'\x60“”‘’「『【《(\[{<$])*`;
const close = String.raw`[*_"'\x60“”‘’」』】》)\]}>$]*`;
const space = String.raw`[\s*_"'\x60]*`;
const link = '(?:is|was|are|would be|should be|must be|has to be|[:=→⇒–—-])';
const filler =
  '(?:the|option|choice|letter|answer|most likely|likely|probably|clearly|definitely|therefore)';

const before = [
  String.raw`\b(?:answers?|(?:correct|right|best|final|my)\s+(?:option|choice|selection))` +
    String.raw`(?:\s+(?:to|for)\s+(?:the|this|that)\s+question)?(?:\s+(?:choice|option|letter))?` +
    String.raw`${space}(?:${link}${space})+(?:${filler}\b[\s*_:]*)*`,
  String.raw`(?<!not\s|n't\s|never\s)\b(?:choose|select|pick|go with)\s+(?:${filler}\s+)*`,
  String.raw`(?:答え?|解答|回答|正解|正答)(?:の(?:番号|記号|選択肢))?(?:は|が|[\s:=→、,])*(?:選択肢)?`,
  String.raw`(?:答案|(?:正确|正確)的?(?:选项|選項))(?:选项|選項)?(?:应该?|應該?)?(?:是|为|為|选|選|[\s:=])*`,
  String.raw`(?:选择|选(?!项)|選擇|選(?![項択]))[\s:]*`,
];
const conclusion = String.raw`(?:^|[.,;:!?。、，\s])(?:so|therefore|thus|hence|よって|したがって|つまり|因此|所以|故)[\s,、]*(?:${filler}\s+)*`;
const after = [
  String.raw`\s+(?:is|would be|must be|should be)\s+(?:(?:the|most|clearly|definitely|only)\s+)*(?:correct|right|best|true|answer)\b`,
  String.raw`\s*(?:が|は|を)(?:最も)?(?:正解|正しい|適切|選)(?!では|じゃ)`,
  String.raw`\s*(?:选?项|選?項)?\s*(?:是|为|為)?(?:正确|正確|对的|對的)(?!吗)`,
];
const notBefore = String.raw`(?:\b(?:(?:not|cannot|nor|neither)(?:\s+be)?|rather than|instead of|except)|n['’]t(?:\s+be)?|不(?:可能)?是|并非)\s*(?:${filler}\s+)*`;
const notAfter = [
  String.raw`\s+(?:is|are|was)(?:n't|\s+(?:not|incorrect|wrong|false|invalid)\b)`,
  String.raw`\s*(?:は|が)?(?:では(?:な|あり)|じゃな|誤|間違|不正解|不適)`,
  String.raw`\s*(?:选?项|選?項)?\s*(?:是|为)?(?:错|錯|不(?:对|對|正确|是))`,
];

const sayingBefore = new RegExp(`(?:${before.join('|')})${open}$`, 'iu');
const concludingBefore = new RegExp(`${conclusion}${open}$`, 'iu');
const sayingAfter = new RegExp(`^${close}(?:${after.join('|')})`, 'iu');
const denyingBefore = new RegExp(`${notBefore}${open}$`, 'iu');
const denyingAfter = new RegExp(`^${close}(?:${notAfter.join('|')})`, 'iu');
const stop = new RegExp(`^${close}\\s*(?:$|[.。,，;!！\\n]|です|だ|番)`, 'iu');
const openOnly = new RegExp(`^[-•#>\\s]*${open}$`, 'iu');
const closeOnly = new RegExp(`^${close}[.。]?${close}\\s*$`, 'u');
const listMark = new RegExp(`^${close}\\s*[.)）:、]|^${close}\\s+[-–—]\\s`, 'u');
const comma = '[,，、;；|·]';
const either = new RegExp(
  `^${close}\\s*${comma}?\\s*(?:or|and|/|&|または|もしくは|と|か|或者?|和)\\s*(?:${filler}\\s+)*${open}$`,
  'iu',
);
const listed = new RegExp(
  `^${close}(?:[^\\S\\n]*${comma}[^\\S\\n]*|[^\\S\\n]+|\\.?\\s*\\n[-•\\s]*)${open}$`,
  'u',
);

/** The text around an option's label: up to 80 characters of it on each side. */
export interface Surroundings {
  readonly before: string;
  readonly after: string;
}

/** Whether the label is said to be the answer. */
export function isSaid({ before, after }: Surroundings): boolean {
  if (sayingBefore.test(before) || sayingAfter.test(after)) return true;
  return concludingBefore.test(before) && stop.test(after);
}

/** Whether the label is said not to be the answer. */
export function isDenied({ before, after }: Surroundings): boolean {
  return denyingBefore.test(before) || denyingAfter.test(after);
}

/** Whether a sentence ends after the label. */
export function endsSentence({ after }: Surroundings): boolean {
  return stop.test(after);
}

/** Whether nothing is said of the label after it, so that it may end a list. */
export function endsList({ after }: Surroundings): boolean {
  return stop.test(after) || /^[)\]}]?\s*[?？]/.test(after);
}

/** Whether the label starts its line, and what it has the line for: itself, or what the option says. */
export function lineRole({ before, after }: Surroundings): 'alone' | 'list' | undefined {
  const lead = before.slice(before.lastIndexOf('\n') + 1);
  const [rest = ''] = after.split('\n', 1);
  if (!openOnly.test(lead)) return undefined;
  if (closeOnly.test(rest)) return 'alone';
  return listMark.test(rest) ? 'list' : undefined;
}

/** Whether the text between two labels makes them items of a list. */
export function continuesList(between: string): boolean {
  return listed.test(between);
}

/** Whether the text between two labels leaves open which of them is meant. */
export function leavesOpen(between: string): boolean {
  return either.test(between);
}
