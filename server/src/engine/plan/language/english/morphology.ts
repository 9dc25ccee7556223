import { inflectEnglish, pastForms } from '../../english/inflect.ts';

/**
 * Forms of a verb. `perfect`: a participle that stands only behind "have". `adjective`: a predicate that is no verb,
 * such as "visible".
 */
export type VerbForm = 'base' | 'present' | 'ing' | 'past' | 'participle' | 'perfect' | 'adjective';
/** `one` or `many`; null for both. */
export type Numeral = 'one' | 'many' | null;

/** A phrase in one of its forms. */
export type Inflected<Form> = { phrase: string; form: Form };

/** The forms of a verb with its particles: "pull over", "pulls over". */
export function verbForms(phrase: string): Inflected<VerbForm>[] {
  const [verb = '', ...particles] = phrase.split(' ');
  const { past, participle } = pastForms(verb);
  const [base, present, ing] = inflectEnglish(verb, 'verb');
  // "Left" behind "is" may be a side, what remains, or what was forgotten.
  const last: [string, VerbForm] = [participle, participle === 'left' ? 'perfect' : 'participle'];
  const forms: [string, VerbForm][] = [
    [base!, 'base'],
    [present!, 'present'],
    [ing!, 'ing'],
    ...past.map((form): [string, VerbForm] => [form, 'past']),
    last,
  ];
  return forms.map(([word, form]) => ({ phrase: [word, ...particles].join(' '), form }));
}

/** Singular and plurals of a noun, by its last word. */
export function nounForms(phrase: string): Inflected<Numeral>[] {
  const words = phrase.split(' ');
  const [singular, ...plurals] = inflectEnglish(words.at(-1)!, 'noun');
  const withLast = (word: string) => [...words.slice(0, -1), word].join(' ');
  return [
    { phrase: withLast(singular!), form: plurals.includes(singular!) ? null : 'one' },
    ...plurals.filter((word) => word !== singular).map((word) => ({ phrase: withLast(word), form: 'many' as const })),
  ];
}

/** The form of a phrase that is listed as it is: "wrong way driving", "taken". */
export function guessForm(phrase: string): VerbForm | null {
  const [first = ''] = phrase.split(' ');
  if (/(?:item|object)s?$/.test(phrase)) return null;
  if (/ing$/.test(first) || /ing$/.test(phrase)) return 'ing';
  if (/(?:ed|en|hit|struck|left|gone)$/.test(first)) return 'participle';
  return null;
}

/** Irregular forms of words outside the vocabulary. */
const IRREGULAR: Readonly<Record<string, string>> = Object.fromEntries(
  `threw:throw thrown:throw hid:hide hidden:hide ate:eat eaten:eat fought:fight caught:catch bought:buy wrote:write
  written:write felt:feel found:find dug:dig swung:swing bit:bite fed:feed sold:sell told:tell knelt:kneel slept:sleep
  sang:sing drank:drink drunk:drink bled:bleed dealt:deal won:win drew:draw drawn:draw blew:blow blown:blow built:build
  sent:send spent:spend accounted:keep met:meet paid:pay read:read rang:ring rose:rise shone:shine shot:shoot shut:shut
  split:split spread:spread swept:sweep tore:tear torn:tear wept:weep wound:wind woke:wake geese:goose feet:foot
  teeth:tooth wives:wife thieves:thief wolves:wolf shelves:shelf men:man women:woman`
    .split(/\s+/)
    .map((pair) => pair.split(':')),
);

/** True if a form of a verb is also a noun for what it names: "a stop", "three falls". */
export const isNounToo = (word: string): boolean => NOUNS_TOO.test(word);
const NOUNS_TOO =
  /^(?:brake|climb|dance|drop|exit|fall|hug|jump|kick|lift|pause|push|ride|run|shake|slip|stop|swerve|swim|throw|turn|visit|wait|walk|wave)s?$/i;

/** Words that a noun in the plural may be one of. */
export const singularsOf = (word: string): string[] =>
  IRREGULAR[word]
    ? [IRREGULAR[word]]
    : word.endsWith('s') && !word.endsWith('ss')
      ? [word.slice(0, -1), word.replace(/ies$/, 'y'), word.replace(/(s|x|z|ch|sh)es$/, '$1')]
      : [];

/** Verbs that a word may be a form of, with that form. */
export function verbsOf(word: string): { base: string; form: VerbForm }[] {
  const irregular = IRREGULAR[word];
  if (irregular) return (['past', 'participle'] as const).map((form) => ({ base: irregular, form }));
  const stems = (ending: string) => {
    const stem = word.slice(0, -ending.length);
    return [stem, `${stem}e`, stem.replace(/(.)\1$/, '$1'), stem.replace(/i$/, 'y'), stem.replace(/y$/, 'ie')];
  };
  if (word.endsWith('ing')) return stems('ing').map((base) => ({ base, form: 'ing' }));
  if (word.endsWith('ed'))
    return stems('ed').flatMap((base) => (['past', 'participle'] as const).map((form) => ({ base, form })));
  if (word.endsWith('s'))
    return [word.slice(0, -1), word.replace(/ies$/, 'y'), word.replace(/es$/, '')].map((base) => ({
      base,
      form: 'present',
    }));
  return [{ base: word, form: 'base' }];
}
