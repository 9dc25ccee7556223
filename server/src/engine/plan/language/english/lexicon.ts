import { PICTURES } from '../../english/entry.ts';
import type { Compare, Entry, Sense, SenseOf } from '../../meaning/senses.ts';
import { createVocabulary, type LatticeToken, type Lexeme, type Vocabulary } from '../../parse/lattice.ts';
import type { TokenSpan } from '../../parse/rules.ts';
import { REASONS, UNKNOWN_WORD } from '../../reasons.ts';
import { type Category, FUNCTION_WORDS } from './categories.ts';
import { channelWordOf } from './channel-words.ts';
import { fullWordsOf, writeOut } from './clitics.ts';
import { CLOSED_CLASSES } from './closed-classes.ts';
import { RARE, SECOND, USUAL } from './costs.ts';
import { guessForm, nounForms, verbForms } from './morphology.ts';
import { openClassOf } from './open-class.ts';

/** A phrase of the vocabulary in one of its forms. `form` is that of a verb, `number` that of a noun. */
type Listed = { phrase: string; form: string | null; number: string | null };

/** The words of a prompt with all of their meanings. */
export type EnglishLexicon = {
  vocabulary: Vocabulary;
  /**
   * Meanings of a token besides those of the vocabulary: numbers, marks and open classes. `isLastResort`: also those
   * that a word of the vocabulary has elsewhere.
   */
  lexemesOf(token: LatticeToken, isKnown: boolean, isLastResort: boolean): Lexeme[];
};

/** Builds the lexicon of the grammar from the vocabulary of the product and the closed classes. */
export function buildEnglishLexicon(entries: readonly Entry[]): EnglishLexicon {
  const makers = new Set(
    entries
      .filter(({ senses }) => senses.some(({ type }) => type === 'sound'))
      .flatMap((entry) => listPhrases(entry).map(({ phrase }) => phrase.split(' ')))
      .flatMap(([first, ...others]) => (others.length > 0 ? [first!] : [])),
  );
  const vocabulary = createVocabulary(
    // "The baby starts crying" is "baby crying".
    (word, first) =>
      ARTICLES.has(word) || (isAuxiliary(word) && SHOWN.has(first)) || (BEGINS.has(word) && makers.has(first)),
    isSilent,
    fullWordsOf,
  );
  const closed = new Set<string>();
  const known = new Set(
    [...entries, ...CLOSED_CLASSES].flatMap(({ phrases }) => phrases.split(/,? +/).flatMap(wordsOf)),
  );
  for (const { category, phrases, features = {} } of CLOSED_CLASSES) {
    for (const phrase of phrases.split(', ').map(writeOut)) {
      vocabulary.add(phrase, { category, cost: USUAL, features, isRigid: true });
      if (!CONTENT.has(category)) closed.add(phrase);
    }
  }
  const moves = new Set(
    entries
      .filter(({ senses }) => senses.some(isMove))
      .flatMap((entry) => listPhrases(entry).map(({ phrase }) => phrase)),
  );
  const settings = new Set(
    entries
      .filter(({ senses }) => senses.some(({ type }) => type === 'setting'))
      .flatMap((entry) => listPhrases(entry).map(({ phrase }) => phrase)),
  );
  const varying = new Set(
    CLOSED_CLASSES.filter(({ category }) => VARYING.has(category)).flatMap(({ phrases }) => phrases.split(/,? +/)),
  );
  const sensesOf = new Map<string, Sense[]>();
  for (const entry of entries)
    for (const { phrase } of listPhrases(entry))
      sensesOf.set(phrase, [...(sensesOf.get(phrase) ?? []), ...entry.senses]);
  for (const entry of entries) {
    for (const listed of listPhrases(entry)) if (!READ_ELSEWHERE.has(listed.phrase)) addEntry(entry, listed);
  }
  return {
    vocabulary,
    lexemesOf(token, isKnown, isLastResort) {
      if (token.named) return token.named.flatMap((sense) => namedLexemes(sense as Sense));
      if (token.kind !== 'word') return signLexemes(token);
      const { word } = token;
      const isClosed = closed.has(word);
      const capital = UNITS.test(token.text) ? [{ category: 'Unit', cost: USUAL, features: { sense: LETTER } }] : [];
      const named = [...capital, ...channelWordOf(word, sensesOf.get(word) ?? [], isClosed || varying.has(word))];
      if (isClosed) return isLastResort ? [...named, ...openClassOf(word, true).filter(isPlainVerb)] : named;
      const isListed = isKnown || known.has(word);
      return isListed && !isLastResort ? named : [...named, ...openClassOf(word, isListed)];
    },
  };

  function addEntry({ senses, inflection }: Entry, { phrase, form, number }: Listed) {
    const doing = senses.find((sense) => sense.type === 'action');
    const isJoint = doing !== undefined && senses.some(({ type }) => type === 'noun');
    const isQuestion = senses.some(({ type }) => type === 'question');
    for (const sense of senses) {
      if (isJoint && sense === doing) continue;
      if (isQuestion && (sense.type === 'vague' || sense.type === 'beyond')) continue;
      const category = categoryOf(sense, phrase, form, inflection);
      if (category === null) continue;
      const numbered = sense.type === 'noun' && (sense.plural || (sense.min ?? 1) > 1) ? 'many' : number;
      const reason = sense.type === 'beyond' || sense.type === 'vague' ? sense.reason : UNKNOWN_WORD;
      const features = {
        sense,
        ...(sense.type === 'beyond'
          ? { isKnown: true, ...(sense.robot ? { robot: true } : {}), ...(sense.drives ? { drives: true } : {}) }
          : {}),
        ...(isJoint ? { doing } : {}),
        ...(sense.type === 'action' && sense.or ? halvesOf(phrase) : {}),
        ...(category.startsWith('Unseen') ? { reason } : {}),
        form:
          form ??
          guessForm(phrase) ??
          (isPredicative(sense) ? 'adjective' : /^\w+s /.test(phrase) ? 'present' : 'base'),
        number: numbered,
        ...(sense.type === 'noun' && inflection === 'none' && !isJoint ? { indefinite: true } : {}),
      };
      // "Pan left" is of the camera, and no pan.
      const isObject = category === 'UnseenNoun' && moves.has(phrase);
      const isSecond =
        OF_LAMPS.has(phrase) || isObject || (sense.type === 'action' && (closed.has(phrase) || STATES.has(phrase)));
      const isPlace = category === 'UnseenNoun' && settings.has(phrase);
      const cost = isSecond ? SECOND : closed.has(phrase) ? RARE : isPlace ? BESIDE : USUAL;
      // "On the camera" is a place.
      const isRigid = sense.type === 'action' && sense.action === 'present' && isPredicative(sense) && !sense.negated;
      if (sense.type === 'quantity')
        for (const each of QUANTITY_VERBS.filter((verb) => verb.phrase === phrase))
          vocabulary.add(phrase, { category: 'QuantityVerb', cost: USUAL, features: { sense, form: each.form } });
      vocabulary.add(phrase, { category, isRigid, cost, features });
    }
  }
}

/** An object that is also a place: rather the place. */
const BESIDE = 0.01;

/**
 * Words that rules of the grammar read better: identities, cycles of a robot, shares and the most at once.
 */
const READ_ELSEWHERE = new Set([
  'who',
  'whoever',
  'who is',
  'where is',
  'not moving',
  'both',
  'cycle',
  'cycles',
  'which object',
  'which thing',
  'most of the time',
  'peak number of',
  'highest number of',
  'maximum number of',
  'max number of',
  'towards us',
  'toward us',
  'towards me',
]);

/** The words of each action of a phrase for two: "come and go". */
function halvesOf(phrase: string): { halves?: [TokenSpan, TokenSpan] } {
  const words = phrase.split(' ');
  const at = words.findIndex((word) => word === 'and' || word === 'or');
  return at < 0
    ? {}
    : {
        halves: [
          { from: 0, to: at },
          { from: at + 1, to: words.length },
        ],
      };
}

/** Categories of listed words that any word of their class may be in other prompts: "leave", "water". */
const CONTENT: ReadonlySet<Category> = new Set([
  'Action',
  'StartOf',
  'EndOf',
  'GoesBy',
  'Separable',
  'Particle',
  'Setting',
  'SettingAdverb',
  'Signal',
  'SignalState',
  'State',
  'Alone',
  'Different',
  'OtherNoun',
  'PlacePart',
  'Usual',
  'Distinct',
  'Higher',
  'Encountered',
  'Occur',
  'PartOfVideo',
  'Early',
  'Intensity',
  'Emphasis',
  'Opener',
  'Softener',
  'Aside',
  'Retrieve',
  'UnseenAdjective',
  'NamedDays',
  'WeekdayName',
  'WeekdayGroup',
  'DayPart',
  'DayUnit',
  'MonthName',
  'ClockName',
  'Vary',
  'ChannelGo',
  'Constant',
  'Remain',
  'Remarkable',
  'Oddity',
  'Doings',
  'Absent',
  'Lose',
  'Travel',
  'OverNumber',
  'Seem',
  'Comparative',
  'Utmost',
  'Distance',
  'NewThere',
  'Contrast',
  'InColor',
]);

/** Verbs whose past is rather a state: "the car stopped". */
const STATES = new Set(['parked', 'stopped', 'halted', 'stuck', 'waiting', 'moving']);

/** Changes of the picture, or of a traffic light. */
const OF_LAMPS = new Set(['light change', 'light changes']);

/** Quantities that somebody does. */
const QUANTITY_VERBS = ['accelerate', 'accelerate hard', 'speed up'].flatMap(verbForms);

const isMove = ({ type }: Sense) => type === 'camera_move';
const isPlainVerb = ({ category }: Lexeme) => category === 'UnseenVerb';

/** Units of one letter, which are words in small letters. */
const UNITS = /^[AVWNK]$/;
const LETTER = { type: 'unit', dimension: 'beyond', factor: 1 } as const;
/** Verbs between the name of a value and its limit, which are nouns elsewhere: "drops". */
const VARYING: ReadonlySet<Category> = new Set(['Vary', 'ChannelGo', 'Exceed', 'Remain', 'Stay']);

/** Numbers, times and signs. */
function signLexemes({ kind, value, word, text }: LatticeToken): Lexeme[] {
  if (kind === 'number') {
    const isNegative = text.startsWith('-');
    return [
      {
        category: 'Number',
        cost: USUAL,
        features: { sense: { type: 'number', value }, ...(isNegative && { isNegative }) },
      },
    ];
  }
  if (kind === 'picture')
    return [{ category: 'Vague', cost: USUAL, features: { sense: { type: 'vague', reason: REASONS.onlyWords } } }];
  if (kind === 'time')
    return [{ category: 'Clock', cost: USUAL, features: { seconds: value, parts: word.split(':').length } }];
  const compare = SIGNS[word];
  return compare ? [{ category: 'Compare', cost: USUAL, features: { sense: { type: 'compare', compare } } }] : [];
}
const SIGNS: Readonly<Record<string, Compare>> = { '>': 'above', '<': 'below', '≥': 'min', '≤': 'max', '=': 'exact' };

const wordsOf = (word: string) => writeOut(word).split(' ');

/** Function words whose single words may be content elsewhere: "go ahead and". */
const QUOTED: ReadonlySet<Category> = new Set([
  'Than',
  'Met',
  'Wish',
  'Command',
  'Sees',
  'Hears',
  'BeSeen',
  'BeHeard',
  'Showing',
  'SeenByUs',
  'Make',
  'AllOver',
  'PartOfVideo',
  'Opener',
  'Softener',
  'Aside',
  'Retrieve',
  'Reply',
  'YesOrNo',
  'BeginDoing',
  'StartOf',
  'Occur',
  'Encountered',
]);

/** The name of a zone. */
function namedLexemes(sense: Sense): Lexeme[] {
  if (sense.type === 'beyond')
    return [{ category: 'UnseenNoun', cost: USUAL, features: { reason: sense.reason, number: 'one' } }];
  const features = { sense, number: 'one' };
  if (sense.type === 'line') return [{ category: 'Line', cost: USUAL, features }];
  return ['Setting', 'Zone'].map((category) => ({ category, cost: USUAL, features }));
}

/** Words that a quoted phrase may contain though they are no part of its meaning. */
const SILENT = new Set(
  CLOSED_CLASSES.filter(({ category }) => FUNCTION_WORDS.has(category) && !QUOTED.has(category)).flatMap(
    ({ phrases }) => phrases.split(/,? /),
  ),
);

const isSilent = (word: string): boolean => SILENT.has(word) || fullWordsOf(word)?.some(isSilent) === true;

const isAuxiliary = (word: string): boolean => AUXILIARIES.has(word) || fullWordsOf(word)?.some(isAuxiliary) === true;
const ARTICLES = new Set(['the', 'a', 'an']);
const BEGINS = new Set(['start', 'starts', 'started', 'begin', 'begins', 'began', 'keep', 'keeps', 'kept']);
const AUXILIARIES = new Set([
  'is',
  'are',
  'was',
  'were',
  'be',
  'been',
  'being',
  'has',
  'have',
  'gets',
  'got',
  'ever',
  'still',
]);
/** First words of phrases about the frame, which an auxiliary may divide: "the picture is frozen". */
const SHOWN = new Set([...PICTURES, 'camera', 'lens', 'light', 'lights', 'lamp', 'lamps', 'sound', 'audio', 'signal']);

function listPhrases({ phrases, inflection }: Entry): Listed[] {
  const listed = [...new Set(phrases.split(',').map((phrase) => writeOut(phrase.trim())))].filter(
    (phrase) => phrase !== '',
  );
  if (inflection === 'verb')
    return listed.flatMap((each) => verbForms(each).map(({ phrase, form }) => ({ phrase, form, number: null })));
  if (inflection === 'noun')
    return listed.flatMap((each) => nounForms(each).map(({ phrase, form }) => ({ phrase, form: null, number: form })));
  return listed.map((phrase) => ({ phrase, form: null, number: null }));
}

/** Senses whose category does not depend on their form. */
const CATEGORIES: Partial<Record<Sense['type'], Category>> = {
  noun: 'Noun',
  color: 'Color',
  number: 'Number',
  count: 'Count',
  state: 'State',
  side: 'Side',
  part: 'Part',
  line: 'Line',
  direction: 'Direction',
  garment: 'Garment',
  relation: 'Relation',
  reciprocal: 'Reciprocal',
  compare: 'Compare',
  camera: 'Camera',
  motion: 'Motion',
  empty: 'Empty',
  quantity: 'Quantity',
  unit: 'Unit',
  window: 'Window',
  pick: 'Pick',
  throughout: 'Throughout',
  vague: 'Vague',
  per: 'Per',
};

function categoryOf(
  sense: Sense,
  phrase: string,
  form: string | null,
  inflection: Entry['inflection'],
): Category | null {
  switch (sense.type) {
    case 'setting':
      return sense.noun ? 'Setting' : 'SettingAdverb';
    case 'action':
      return form !== null || guessForm(phrase) !== null || isPredicative(sense) || sense.or ? 'Action' : 'ActionNoun';
    case 'camera_move':
      return form !== null || guessForm(phrase) === 'ing' || isVerbLike(phrase) ? 'Move' : 'MoveNoun';
    case 'signal':
      return signalCategory(sense, form);
    case 'sound':
      return form === null ? 'Sound' : 'SoundVerb';
    case 'question':
      return sense.question === 'which_color' && / of$/.test(phrase) ? 'ColorOf' : (QUESTIONS[sense.question] ?? null);
    case 'beyond':
      return inflection === 'noun'
        ? 'UnseenNoun'
        : sense.verb || guessForm(phrase) === 'ing'
          ? 'UnseenVerb'
          : 'UnseenPhrase';
    default:
      return CATEGORIES[sense.type] ?? null;
  }
}

/** Phrases that begin with a verb: "brakes hard", "turns sharply left". */
const isVerbLike = (phrase: string) => /^(?:brakes?|turns?|slams) /.test(phrase) && !/ (?:event|events)$/.test(phrase);

/** "Visible", "in view": predicates that are no verbs. */
const isPredicative = (sense: Sense) =>
  sense.type === 'action' && (sense.action === 'present' || sense.negated === true);

const signalCategory = (sense: SenseOf<'signal'>, form: string | null): Category =>
  sense.when ? 'SignalTime' : form !== null ? 'SignalVerb' : 'Signal';

const QUESTIONS: Partial<Record<SenseOf<'question'>['question'], Category>> = {
  count: 'Questioned',
  how_often: 'Questioned',
  when: 'Questioned',
  where: 'Questioned',
  which_way: 'Questioned',
  which_color: 'Questioned',
  how_long: 'Questioned',
  time_between: 'Questioned',
  describe: 'WhatHappens',
};
