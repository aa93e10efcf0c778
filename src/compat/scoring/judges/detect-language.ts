/** Scripts that one language of IFEval alone is written in. */
const ownScripts: Readonly<Record<string, string>> = {
  th: 'Thai',
  ta: 'Tamil',
  te: 'Telugu',
  bn: 'Bengali',
  kn: 'Kannada',
  gu: 'Gujarati',
  pa: 'Gurmukhi',
  ml: 'Malayalam',
  he: 'Hebrew',
  ko: 'Hangul',
  el: 'Greek',
};

/** Frequent words that tell languages of one script apart, a regular expression for each. */
const words: Readonly<Record<string, string>> = {
  en: 'the|and|of|to|is|in|that|you|for|it|with|are|this|be|on|as|was|have|not|your|can|will|i',
  es: 'el|la|los|las|de|que|y|en|un|una|es|por|con|para|su|se|del|al|más|como|lo|no',
  pt: 'o|a|os|as|de|que|e|em|um|uma|é|por|com|para|não|se|do|da|dos|das|no|na|mais|você',
  fr: 'le|la|les|de|des|et|est|un|une|en|que|qui|dans|pour|par|sur|au|du|pas|vous|je|il|nous|à',
  de: 'der|die|das|und|ist|in|den|von|zu|mit|ein|eine|nicht|es|auf|für|im|sie|ich|dem|des|wir',
  it: 'il|lo|la|i|gli|le|di|che|e|è|un|una|in|per|con|non|si|del|della|dei|da|al|sono|più',
  pl: 'i|w|na|się|z|do|jest|nie|to|że|o|jak|po|co|dla|od|przez|oraz|ale|są|może|ich',
  fi: 'ja|on|ei|se|että|oli|hän|mutta|kun|tai|ovat|niin|myös|joka|voi|kuin|sen|olla|mukaan',
  vi: 'và|của|là|có|trong|cho|được|không|một|các|với|này|để|người|những|đã|khi|cũng|đến',
  sw: 'na|ya|wa|kwa|ni|katika|la|za|hii|kuwa|kama|au|yake|cha|watu|hivyo|pia|huu|lakini',
  ru: 'и|в|не|на|что|с|как|это|по|для|от|его|к|но|из|или|который|она|они|мы|вы|был|у|так|же',
  uk: 'і|в|не|на|що|з|як|це|та|для|від|його|до|але|або|який|вона|вони|ми|ви|був|у|є|й|про',
  bg: 'и|в|не|на|че|с|как|това|за|от|да|се|е|са|по|но|или|който|тя|те|ние|ще|си|като|към|му',
  ar: 'في|من|على|إلى|أن|التي|الذي|هذا|هذه|عن|مع|كان|لا|ما|هو|هي|أو|قد|كل|بعد|ذلك|إن|و',
  fa: 'و|در|به|از|که|این|را|با|است|برای|آن|یک|می|تا|بر|خود|شما|ما|هم|های|شده|کرد|باید',
  ur: 'کے|کی|میں|ہے|اور|سے|کو|کا|نے|یہ|پر|ہیں|کہ|اس|ایک|نہیں|بھی|تھا|وہ|تو|کر|جو|ہو|آپ',
  hi: 'के|है|में|की|और|से|को|का|एक|यह|पर|हैं|कि|नहीं|लिए|ने|भी|जो|तो|हो|इस|कर|या|आप',
  mr: 'आणि|आहे|या|व|मध्ये|ते|हे|च्या|एक|नाही|साठी|आहेत|तर|होते|की|केले|पण|करून|त्या|हा|ही|होता',
  ne: 'र|छ|को|मा|यो|लाई|हो|छन्|पनि|गर्न|एक|भएको|गरेको|तथा|हुन्छ|थियो|भने|गर्ने|यस|तर|त्यो|हुन',
};

/** The languages that share a script. */
const sharedScripts: Readonly<Record<string, readonly string[]>> = {
  Latin: ['en', 'es', 'pt', 'fr', 'de', 'it', 'pl', 'fi', 'vi', 'sw'],
  Cyrillic: ['ru', 'uk', 'bg'],
  Arabic: ['ar', 'fa', 'ur'],
  Devanagari: ['hi', 'mr', 'ne'],
};

/** Letters that only one of the languages of a script has. */
const ownLetters: Readonly<Record<string, RegExp>> = {
  vi: /[ăđơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]/giu,
  pl: /[ąęłńśźż]/giu,
  de: /[ß]/giu,
  es: /[ñ¿¡]/giu,
  pt: /[ãõ]/giu,
  uk: /[іїєґ]/giu,
  ru: /[ыэё]/giu,
  fa: /[پچژگ]/gu,
  ur: /[ٹڈڑںے]/gu,
};

/**
 * Whether a text is in a language of IFEval: by its script, and by frequent words and letters among the
 * languages of one script. A text without letters is in any.
 */
export function isWrittenIn(text: string, language: string): boolean {
  if (!/\p{L}/u.test(text)) return true;
  const script = mainScript(text);
  if (script === 'Han' || script === 'Japanese') {
    return script === 'Japanese' ? language === 'ja' : language.startsWith('zh');
  }
  const shared = sharedScripts[script];
  return shared ? likeliest(text, shared) === language : ownScripts[language] === script;
}

function mainScript(text: string): string {
  const count = (name: string) => text.match(new RegExp(`\\p{Script=${name}}`, 'gu'))?.length ?? 0;
  const kana = count('Hiragana') + count('Katakana');
  const han = count('Han');
  const others = [...Object.values(ownScripts), ...Object.keys(sharedScripts)].map(
    (name) => [name, count(name)] as const,
  );
  const [name, most] = others.reduce((best, one) => (one[1] > best[1] ? one : best), ['', 0]);
  if (han + kana <= most) return name;
  return kana * 10 > han ? 'Japanese' : 'Han';
}

function likeliest(text: string, languages: readonly string[]): string {
  const said = text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? [];
  const scores = languages.map((language) => {
    const known = new Set((words[language] ?? '').split('|'));
    const letters = ownLetters[language] ? (text.match(ownLetters[language])?.length ?? 0) : 0;
    return [language, said.filter((word) => known.has(word)).length + letters / 2] as const;
  });
  // English goes without marks of its own: a few words in it are taken for it.
  return scores.reduce((best, one) => (one[1] > best[1] ? one : best))[0];
}
