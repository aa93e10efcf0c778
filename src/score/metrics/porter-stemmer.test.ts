import { expect, test } from 'vitest';
import { stem } from './porter-stemmer.ts';

/** The examples of Porter's paper (Program 14, 1980). */
const published = `caresses caress, ponies poni, caress caress, cats cat, feed feed, agreed agre, plastered plaster, bled bled,
motoring motor, sing sing, conflated conflat, troubled troubl, sized size, hopping hop, tanned tan, falling fall, hissing hiss,
fizzed fizz, failing fail, filing file, happy happi, relational relat, conditional condit, rational ration, valenci valenc,
hesitanci hesit, digitizer digit, conformabli conform, radicalli radic, differentli differ, vileli vile, analogousli analog,
vietnamization vietnam, predication predic, operator oper, feudalism feudal, decisiveness decis, hopefulness hope,
callousness callous, formaliti formal, sensitiviti sensit, sensibiliti sensibl, triplicate triplic, formative form,
formalize formal, electriciti electr, electrical electr, hopeful hope, goodness good, revival reviv, allowance allow,
inference infer, airliner airlin, gyroscopic gyroscop, adjustable adjust, defensible defens, irritant irrit,
replacement replac, adjustment adjust, dependent depend, adoption adopt, communism commun, activate activ,
angulariti angular, homologous homolog, effective effect, bowdlerize bowdler, probate probat, rate rate, cease ceas,
controll control, roll roll, generalizations gener, oscillators oscil`;

/** Where NLTK differs from it. */
const changed = `sky sky, skies sky, dying die, lying lie, tying tie, news news, inning inning, innings inning, outing outing,
outings outing, canning canning, cannings canning, howe howe, proceed proceed, exceed exceed, succeed succeed,
ties tie, dies die, died die, spied spi, cried cri, hopefulli hope, geologi geolog, radically radic, enjoy enjoy, say say, by by, is is, as as, be be`;

test.each(
  `${published}, ${changed}`.split(/,\s+/).map((pair) => pair.split(' ') as [string, string]),
)('the stem of %s is %s', (word, expected) => {
  expect(stem(word)).toBe(expected);
});
