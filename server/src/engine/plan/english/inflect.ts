import type { Inflection } from '../meaning/senses.ts';

const PLURALS: Record<string, string> = {
  person: 'people persons',
  man: 'men',
  woman: 'women',
  policeman: 'policemen',
  child: 'children',
  mouse: 'mice',
  sheep: 'sheep',
  aircraft: 'aircraft',
  knife: 'knives',
  lorry: 'lorries',
  scissors: 'scissors',
  skis: 'ski',
  cattle: 'cattle',
  traffic: 'traffic',
  luggage: 'luggage',
  broccoli: 'broccoli',
  livestock: 'livestock',
  furniture: 'furniture',
};

/** Past forms that no rule makes: past tense and participle. */
const PAST: Record<string, string> = {
  be: 'was were been',
  become: 'became become',
  begin: 'began begun',
  break: 'broke broken',
  bring: 'brought',
  come: 'came come',
  cut: 'cut',
  drive: 'drove driven',
  fall: 'fell fallen',
  fight: 'fought',
  fly: 'flew flown',
  forget: 'forgot forgotten',
  freeze: 'froze frozen',
  get: 'got gotten',
  give: 'gave given',
  go: 'went',
  grow: 'grew grown',
  hang: 'hung',
  hit: 'hit',
  hold: 'held',
  lead: 'led',
  leave: 'left',
  lie: 'lay lain',
  lose: 'lost',
  overtake: 'overtook overtaken',
  pick: 'picked',
  put: 'put',
  ride: 'rode ridden',
  run: 'ran run',
  see: 'saw seen',
  set: 'set',
  shake: 'shook shaken',
  show: 'showed shown',
  sit: 'sat',
  slide: 'slid',
  speak: 'spoke spoken',
  spin: 'spun',
  stand: 'stood',
  steal: 'stole stolen',
  stick: 'stuck',
  swim: 'swam swum',
  take: 'took taken',
  throw: 'threw thrown',
  wear: 'wore worn',
};

const VOWEL = 'aeiou';
/** Verbs of more than one syllable that double their last letter all the same. */
const DOUBLES = new Set(['begin', 'travel', 'signal', 'level', 'forget']);

/** The forms of an English word: noun in singular and plural; verb as base, -s, -ing, past and participle. */
export function inflectEnglish(word: string, inflection: Inflection): string[] {
  if (inflection === 'noun') return [word, ...(PLURALS[word]?.split(' ') ?? [plural(word)])];
  if (inflection === 'verb') {
    const past = PAST[word]?.split(' ') ?? [addEnding(word, 'ed')];
    return [...new Set([word, plural(word), addEnding(word, 'ing'), ...past])];
  }
  return [word];
}

/** Past tense and participle of a verb. */
export function pastForms(word: string): { past: readonly string[]; participle: string } {
  const forms = PAST[word]?.split(' ') ?? [addEnding(word, 'ed')];
  return { past: forms.length > 1 ? forms.slice(0, -1) : forms, participle: forms.at(-1)! };
}

function plural(word: string): string {
  const last = word.at(-1)!;
  const before = word.at(-2) ?? '';
  if (last === 'y' && !VOWEL.includes(before)) return `${word.slice(0, -1)}ies`;
  if (last === 's' || last === 'x' || last === 'z' || word.endsWith('ch') || word.endsWith('sh') || word === 'go')
    return `${word}es`;
  return `${word}s`;
}

function addEnding(word: string, ending: 'ing' | 'ed'): string {
  const last = word.at(-1)!;
  const before = word.at(-2) ?? '';
  if (word.endsWith('ie') && ending === 'ing') return `${word.slice(0, -2)}ying`;
  if (last === 'e' && !word.endsWith('ee'))
    return (ending === 'ed' ? word.slice(0, -1) : word.slice(0, word === 'be' ? 2 : -1)) + ending;
  if (last === 'y' && ending === 'ed' && !VOWEL.includes(before)) return `${word.slice(0, -1)}ied`;
  if (doubles(word)) return word + last + ending;
  return word + ending;
}

/** "stop" gives "stopping": a short vowel between consonants, in a word of one syllable. */
function doubles(word: string): boolean {
  if (DOUBLES.has(word)) return true;
  if (word.length < 3) return false;
  const [a, b, c] = [word.at(-3)!, word.at(-2)!, word.at(-1)!];
  const vowels = [...word].filter((letter) => VOWEL.includes(letter)).length;
  return vowels === 1 && !VOWEL.includes(a) && VOWEL.includes(b) && !VOWEL.includes(c) && !'wxy'.includes(c);
}

/** Not genitives: "what's" means "what is", "there's" "there is". */
const CONTRACTED = new Set(["what's", "there's"]);

/** "dog's" is "dog", "dogs'" is "dogs". */
export function trimEnglish(word: string): string {
  let end = word.length;
  while (word[end - 1] === "'") end--;
  if (CONTRACTED.has(word)) return word;
  return word.slice(0, word.endsWith("'s", end) && end > 2 ? end - 2 : end);
}
