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
  String.raw`(?<!\p{L})(?:antwort|lösung|réponse|respuesta|risposta|resposta|antwoord|odpowiedź|cevap|svaret)` +
    String.raw`(?:\s+(?:corr\p{L}+|exacte|finale?|definitiva))?${space}` +
    `(?:(?:ist|lautet|wäre|est|serait|es|sería|è|sarebbe|é|seria|is|to|är|[:=–—-])${space})+` +
    String.raw`(?:(?:die|der|das|la|le|el|il|a|o|de|option|opción|opzione|opção|alternativa|letra|lettre|lettera|buchstabe)\s+|l['’])*`,
  String.raw`(?<!\p{L})ответ(?:ом)?(?:\s+(?:является|будет))?[\s*_:=–—-]*(?:(?:это|под|буквой|буква|вариант)\s+)*`,
  String.raw`(?:정답|답)(?:은|는|이|[\s*_:=])*`,
  String.raw`(?<!\p{L})đáp án(?:\s+(?:đúng|chính xác|cuối cùng))?(?:\s+là)?[\s*_:]*`,
  String.raw`(?<!\p{L})jawaban(?:nya)?(?:\s+yang\s+\p{L}+)?(?:\s+adalah)?[\s*_:]*`,
  String.raw`(?:الإجابة|الجواب)(?:\s+الصحيحة?)?(?:\s+(?:هي|هو))?[\s*_:]*`,
  String.raw`คำตอบ(?:ที่ถูกต้อง)?(?:คือ)?[\s*_:]*`,
  String.raw`उत्तर(?:\s+है)?[\s*_:]*`,
];
const instead = '(?:(?:应该?|應該?)(?:是|为|為|选|選)?|[是为為选選])';
const turned = String.raw`(?:(?:其实|其實|实际上|實際上|事实上|更正|订正|訂正|纠正|糾正|修正|改为|改為|改成|正[确確]的?)[\s:,]*${instead}?|(?:不|不[对對]|[错錯]了?|抱歉|等等)[\s,.。!…]+${instead})[\s:]*`;
before.push(turned);
const conclusion = String.raw`(?:^|[.,;:!?。、，\s])(?:so|therefore|thus|hence|よって|したがって|つまり|因此|所以|故)[\s,、]*(?:${filler}\s+)*`;
const after = [
  String.raw`\s+(?:is|would be|must be|should be)\s+(?:(?:the|most|clearly|definitely|only)\s+)*(?:correct|right|best|true|answer)\b`,
  String.raw`\s*(?:が|は|を)(?:最も)?(?:正解|正しい|適切|選)(?!では|じゃ)`,
  String.raw`\s*(?:选?项|選?項)?\s*(?:是|为|為)?(?:正确|正確|对的|對的)(?!吗)`,
  String.raw`\s+(?:ist|est|es|è|é)\s+(?:(?:die|la|a)\s+)?(?:richtig|korrekt|bonne|corr[eé]\p{L}+)`,
  String.raw`\s+(?:верн|правильн)`,
  String.raw`\s*(?:이|가|은|는)?\s*(?:정답|맞|옳)`,
];
const notBefore = String.raw`(?:\b(?:(?:not|cannot|nor|neither)(?:\s+be)?|rather than|instead of|except)|n['’]t(?:\s+be)?|不(?:可能)?是|并非|(?<!\p{L})(?:nicht|pas|non|não|no\s+es|(?:а\s+)?не)(?:\s+(?:die|la|el|a))?)\s*(?:${filler}\s+)*`;
const superior = String.raw`(?:better|stronger|closer|clearer|more\s+\p{L}+|more\s+sense)(?:\s+(?!than)\p{L}+){0,2}\s+than|besser(?:\s+\p{L}+)?\s+als|(?:mejor|meilleure?s?|melhor)(?:\s+do)?\s+qu?e|migliore\s+di`;
const unlike = String.raw`(?<!\p{L})(?:(?:as\s+opposed|in\s+contrast)\s+to|unlike|doubt(?:\s+(?:that\s+)?it(?:['’]s|\s+is))?)`;
const others = String.raw`(?<!\p{L})(?:(?:many|some|most)(?:\s+(?:people|students?|others))?(?:\s+(?:would|might|may|could|will))?|(?:you|one|someone)\s+(?:might|may|could))\s+(?:be\s+tempted\s+to\s+)?(?:choose|select|pick|think|say|guess|expect)`;
const rejecting =
  String.raw`(?:(?:\b(?:not|never|cannot)|n['’]t)\s+(?:(?:be\s+)?able\s+to\s+)?(?:choose|select|pick|go\s+with|take|see|say|think|believe)` +
  String.raw`(?:\s+(?:that|it|is|it['’]s|would\s+be))*\s+(?:${filler}\s+)*|(?:不(?:会|會|能|可以?|应该?|應該?|要|该)?|[别別勿莫误誤错錯])(?:选择?|選擇?)[成了]?[\s:]*|排除(?:了|掉)?(?:选项|選項)?[\s:]*|除了?[\s:]*|不是[^,.。!?\n]{1,6}就是[\s:]*` +
  String.raw`|(?<!\p{L})(?:never|(?:any|every)(?:thing|one)\s+(?:but|except|other\s+than)|eliminat(?:e|ed|ing)|rul(?:e|ed|ing)\s+out|exclud(?:e|ed|ing)|reject(?:ed|ing)?|avoid|discard(?:ed|ing)?)\s+(?:${filler}\s+)*` +
  String.raw`|(?<!\p{L})if\s[^.!?\n]{0,70}\bwould\s+(?:be|have\s+been)\s+(?:${filler}\s+)*|(?:${unlike}|${others})\s+(?:${filler}\s+)*)`;
const notAfter = [
  String.raw`\s+(?:is|was|looks|seems|appears|sounds)\s+(?:to\s+be\s+)?(?:(?:also|clearly|very|rather|quite|too|simply|just|obviously|highly)\s+)*(?:out(?=\s*(?:[.,;!\n]|$))|unlikely|implausible|(?:incorrect|wrong|false|invalid)\b|an?\s+(?:distractor|trap|red\s+herring|lie)\b)`,
  String.raw`\s+(?:can(?:not|['’]t)|could(?:n['’]t|\s+not))\s+be\s+(?:it|right|correct|true|the\s+answer)\b`,
  String.raw`\s*(?:选?项|選?項)?\s*(?:肯定|绝对|絕對|一定|明显|明顯|显然|顯然|当然|當然|根本|并|並|也|都){1,2}是?(?:错|錯|不(?:对|對|正确|是|行))`,
  String.raw`\s*(?:选?项|選?項)?\s*(?:就是[^,.。!?\n]{1,6}(?:[.。]|$)|(?:可以?|应该?)?被?排除|[以之]?外)`,
  String.raw`\s*[,.。!?]?\s*(?:不[对對]|[错錯]了)(?=[,.。!:\s])`,
  String.raw`\s*\?\s*(?:不|非|[错錯])`,
  String.raw`\s+(?:is|are|was|can\s+be|must\s+be|has\s+been)\s+(?:ruled\s+out|eliminated|excluded|discarded|rejected)\b`,
  String.raw`\s*(?:以外|(?:は|を)?選(?:びません|ばない|べません|べない))`,
  String.raw`\s+would\s+(?:be|have\s+been)\s+(?:(?:the|most)\s+)*(?:correct|right|best|true|answer)\b[^.!?\n]{0,60}\b(?:if|had|were)\b`,
  String.raw`\s*\?\s+(?:no|nope|nein|non)\b`,
  String.raw`\s+(?:is|are|was)(?:n't|\s+(?:not|incorrect|wrong|false|invalid)\b)`,
  String.raw`\s*(?:は|が)?(?:では(?:な|あり)|じゃな|誤|間違|不正解|不適)`,
  String.raw`\s*(?:选?项|選?項)?\s*(?:是|为)?(?:错|錯|不(?:对|對|正确|是))`,
  String.raw`\s+(?:ist|est|es|è|é)\s+(?:falsch|nicht|fauss|pas|incorr|falsa?|sbagliata|errada)`,
  String.raw`\s+(?:n['’]est\s+pas|no\s+es|non\s+è|não\s+é)`,
  String.raw`\s+(?:неверн|неправильн|не\s+(?:подходит|верн))`,
  String.raw`\s*(?:이|가|은|는)?\s*(?:틀|오답|아니|아닙)`,
];
const reason = String.raw`(?:(?<!\p{L})(?:because|since|though|although|even if|given that|weil|denn|obwohl|wenngleich|auch wenn|bien que|quoique|aunque|sebbene|car|parce que|porque|perché|так как|потому что|поскольку)(?!\p{L})|因为|因為|虽然|雖然|尽管|儘管|なぜなら|왜냐하면)`;

const sayingBefore = new RegExp(`(?:${before.join('|')})${open}$`, 'iu');
const concludingBefore = new RegExp(`${conclusion}${open}$`, 'iu');
const retracting =
  '(?:wait|hold on|no|nope|actually|correction|scratch that|sorry|oops|i mean(?:t)?|on second thoughts?)';
const correctingBefore = new RegExp(
  String.raw`(?:^|[.!?…,;\n–—-])\s{0,4}(?:hmm[\s,.…]{1,4})?${retracting}(?:[\s,.:!…–—-]{1,4}(?:${retracting}|it(?:['’]s|\s+is|\s+should\s+be|\s+must\s+be)|that\s+should\s+be|make\s+(?:it|that)|option)){0,4}[\s,.:!…–—-]{1,4}${open}$`,
  'iu',
);
const turningBefore = new RegExp(`${turned}${open}$`, 'iu');
const exceptBefore = new RegExp(
  String.raw`(?<!\p{L})(?:all|everything|every\s+\p{L}+|each\s+\p{L}+|any\s+\p{L}+)\s+(?:(?:the\s+)?(?:options|others|choices)\s+)?(?:except|but|other\s+than)(?:\s+for)?\s+(?:${filler}\s+)*${open}$`,
  'iu',
);
const wrongAfterException = new RegExp(
  String.raw`^${close}\s+(?:is|are)\s+(?:incorrect|wrong|false|invalid)\b`,
  'iu',
);
const sayingAfter = new RegExp(`^${close}(?:${after.join('|')})`, 'iu');
const denyingBefore = new RegExp(`(?:${notBefore}|${rejecting})${open}$`, 'iu');
const denyingAfter = new RegExp(`^${close}(?:${notAfter.join('|')})`, 'iu');
const reasonBefore = new RegExp(String.raw`${reason}[^.,;:!?。、，\n]*$`, 'iu');
const stop = new RegExp(`^${close}\\s*(?:$|[.。,，;!！\\n]|です|だ|番)`, 'iu');
const openOnly = new RegExp(`^[-•#>\\s]*${open}$`, 'iu');
const closeOnly = new RegExp(`^${close}[.。]?${close}\\s*$`, 'u');
const listMark = new RegExp(`^${close}\\s*[.)）:、]|^${close}\\s+[-–—]\\s`, 'u');
const comma = '[,，、;；|·・]';
const joinWord = [
  ...['or', 'and', 'to', 'through', 'vs', 'versus', 'plus', 'as well as', 'along with', 'and/or'],
  ...['oder', 'und', 'bis', 'ou', 'et', 'o', 'y', 'e', 'of', 'en', 'lub', 'eller', 'veya', 've'],
  ...['или', 'и', 'либо', 'أو', 'و', 'hoặc', 'và', 'atau', 'dan', 'หรือ', 'และ'],
].join('|');
const joinSign = [
  ...[
    '/',
    '&',
    '[+]',
    '~',
    '〜',
    '…',
    '[.]{2,3}',
    '<=?',
    '>=?',
    '=',
    '[≥≤→⇒≻≺≈⟶]',
    '[-=]+>',
    String.raw`\\`,
  ],
  ...[
    'または',
    'もしくは',
    'あるいは',
    'および',
    '及び',
    'と',
    'か',
    'や',
    '或者?',
    '和',
    '与',
    '與',
  ],
  ...['以?及', '[还還]是', '또는', '혹은', '와', '과', '및', '이나', '나'],
].join('|');
const named = String.raw`(?:(?:the|options?|choices?|answers?|letter|statement|die|la|le|el)\s+)*`;
const either = new RegExp(
  `^${close}\\s*${comma}?(?:\\s+(?:${joinWord})\\.?\\s+|\\s*(?:${joinSign})\\s*)${named}(?:${filler}\\s+)*${open}$`,
  'iu',
);
const listed = new RegExp(
  `^${close}(?:[^\\S\\n]*${comma}[^\\S\\n]*|[^\\S\\n]+(?:[-–—][^\\S\\n]+)?|\\.?\\s*\\n[-•\\s]*)${named}${open}$`,
  'iu',
);
const verb =
  'is|are|was|were|has|have|had|would|could|should|must|can|cannot|does|do|did|will|may|might|seems?|needs?|fits?|because|since|as|and|or|but|not|ist|est|es|è|é';
const item = new RegExp(
  String.raw`^(?:[)\]][.:]?\s+|[.:]\s*|\s*=\s*|\)\s*|\s+[-–—]\s+|\s+(?:(?:is|at)\s+)?(?=\d))(?!(?:${verb})(?!\p{L})|[,;.!?)])[^\s]`,
  'iu',
);
const labelEnd = new RegExp(
  `^${close}\\s*(?:$|[.。,，;；、!！?？\\n]|です|だ|である|が|とな|に|番|입니다|이다|이에요|예요|번|项|項|选项|号|號)`,
  'iu',
);

const hedgeBefore = new RegExp(
  String.raw`(?:(?<!\p{L})(?:maybe|perhaps|possibly|(?:might|could|may)\s+be|vielleicht|möglicherweise|peut-être|quizás|tal\s+vez|forse|talvez)(?:\s+(?:it(?:\s+is|['’]s)|ist\s+es|c['’]est))?\s+(?:${filler}\s+)*|(?:可能|也许|也許|或许|或許)(?:是|选|選)?\s*)${open}$`,
  'iu',
);
const hedgeAfter = new RegExp(`^${close}\\s*(?:かも|の可能性)`, 'u');
const otherRole = /(?<!\p{L})(?:plan|vitamine?|hepatitis|influenza|appendix|blood\s+type)\s+$/iu;

/** The text around an option's label: up to 80 characters of it on each side. */
export interface Surroundings {
  readonly before: string;
  readonly after: string;
}

/** Whether the label is said to be the answer. */
export function isSaid(around: Surroundings): boolean {
  return isAnnounced(around) || sayingAfter.test(around.after) || isException(around);
}

/** Whether what stands before the label says that it is the answer. */
export function isAnnounced({ before, after }: Surroundings): boolean {
  if (sayingBefore.test(before)) return true;
  return (concludingBefore.test(before) || correctingBefore.test(before)) && stop.test(after);
}

/** `Everything except C is wrong`. */
function isException({ before, after }: Surroundings): boolean {
  return exceptBefore.test(before) && wrongAfterException.test(after);
}

/** Whether the label takes the place of one that was named before. */
export function isCorrection({ before, after }: Surroundings): boolean {
  const isTurned = correctingBefore.test(before) || turningBefore.test(before);
  return isTurned && stop.test(after);
}

/** Whether the label is said not to be the answer. */
export function isDenied(around: Surroundings): boolean {
  if (isException(around)) return false;
  return denyingBefore.test(around.before) || denyingAfter.test(around.after) || isOutdone(around);
}

const outdoneBefore = new RegExp(`(?<!\\p{L})(?:${superior})\\s+(?:${filler}\\s+)*${open}$`, 'iu');
const outdoneInHan = new RegExp(`比(?:选项|選項)?${open}$`, 'u');
const betterThanIt = new RegExp(`^${close}\\s*(?:选?项|選?項)?\\s*(?:更|好|强|強|合适|準|准)`, 'u');
const isDoubted =
  /(?<!\p{L})(?:no|none|nothing|neither|never|not|\p{L}+n['’]t|kein\p{L}*|nicht|no|pas|non|não)(?!\p{L})/iu;

/** Whether another one is said to be better than it: `B is better than C`. */
function isOutdone({ before, after }: Surroundings): boolean {
  if (outdoneInHan.test(before))
    return betterThanIt.test(after) && !/[没沒不]/.test(before.slice(-12));
  if (!outdoneBefore.test(before)) return false;
  const [clause = ''] = before.split(/[.,;!?\n]/).slice(-1);
  return !isDoubted.test(clause);
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

/** Whether the label is set before what an option says, as in `(A) red (B) green` or `A=1`. */
export function opensItem({ before, after }: Surroundings): boolean {
  return /(?:^|[\s([*_,;:|/、，；])$/u.test(before) && item.test(after);
}

/** Whether it is told what the option says: `Option A is red`. */
export function describesOption({ before, after }: Surroundings): boolean {
  return (
    /\b(?:option|choice|answer)\s+[(*"]*$/iu.test(before) &&
    /^[)*"]*\s+(?:is|are|says|reads|states|means)\s/iu.test(after)
  );
}

/** Whether the label is said to be the answer, with nothing of a longer word after it. */
export function isSaidWhole({ before, after }: Surroundings): boolean {
  return sayingBefore.test(before) && labelEnd.test(after);
}

/** Whether the label stands in a clause that gives a reason. */
export function givesReason({ before }: Surroundings): boolean {
  return reasonBefore.test(before);
}

/** Whether the label is named as a possibility alone. */
export function isHedged({ before, after }: Surroundings): boolean {
  return hedgeBefore.test(before) || hedgeAfter.test(after);
}

/** Whether the letter is part of a name, as in `Plan B` or `vitamin C`. */
export function isPartOfName({ before }: Surroundings): boolean {
  return otherRole.test(before);
}
