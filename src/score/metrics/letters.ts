/** The vowels and consonants of a word, as far as stemming looks at them. */
export interface Letters {
  readonly size: number;
  /** How often a consonant follows a vowel. */
  readonly measure: number;
  readonly hasVowel: boolean;
  readonly endsConsonant: boolean;
  readonly endsDouble: boolean;
  /** Consonant, vowel, consonant (no w, x or y) at the end, or a word of a vowel and a consonant. */
  readonly endsShort: boolean;
}

/** An English word's letters. A y is a vowel after a consonant. */
export function lettersOf(word: string): Letters {
  let kinds = '';
  for (const letter of word) {
    const isVowel = letter === 'y' ? kinds.endsWith('c') : 'aeiou'.includes(letter);
    kinds += isVowel ? 'v' : 'c';
  }
  const endsConsonant = kinds.endsWith('c');
  return {
    size: word.length,
    measure: kinds.split('vc').length - 1,
    hasVowel: kinds.includes('v'),
    endsConsonant,
    endsDouble: endsConsonant && word.length > 1 && word.at(-1) === word.at(-2),
    endsShort: kinds === 'vc' || (kinds.endsWith('cvc') && !/[wxy]$/.test(word)),
  };
}
