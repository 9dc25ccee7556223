import type { Language } from '../tokens/senses.ts';
import { actions, states } from './actions.ts';
import { cameraMoves } from './camera.ts';
import { ABBREVIATIONS } from './grammar/abbreviations.ts';
import { createIsEnglishWord } from './grammar/dictionary.ts';
import { fillers } from './grammar/function-words.ts';
import { counts, joins, negations, numbers, picks, prepositions, questions, windows } from './grammar/grammar-words.ts';
import { idioms } from './grammar/idioms.ts';
import { inflectEnglish, trimEnglish } from './grammar/inflect.ts';
import { colors, nouns } from './objects.ts';
import { places, placesOutside, relations, settings } from './places.ts';
import { quantities, units } from './quantities.ts';
import { signals } from './signals.ts';
import { sounds } from './sounds.ts';
import { beyonds } from './unsupported.ts';

/** English: the words are data; another language is another folder like this one. */
export function createEnglish(): Language {
  const listed = [
    ...nouns,
    ...colors,
    ...numbers,
    ...counts,
    ...actions,
    ...states,
    ...places,
    ...relations,
    ...joins,
    ...prepositions,
    ...negations,
    ...signals,
    ...cameraMoves,
    ...sounds,
    ...quantities,
    ...units,
    ...questions,
    ...windows,
    ...picks,
    ...settings,
    ...fillers,
    ...beyonds,
    ...idioms,
  ];
  return {
    entries: [...listed, ...placesOutside(listed)],
    inflect: inflectEnglish,
    isWord: createIsEnglishWord(),
    trim: trimEnglish,
    decimal: '.',
    and: 'and',
    abbreviations: ABBREVIATIONS,
  };
}
