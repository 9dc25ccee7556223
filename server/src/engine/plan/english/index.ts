import type { Language } from '../lexicon.ts';
import { actions, states } from './actions.ts';
import { beyonds } from './beyond.ts';
import { cameraMoves } from './camera.ts';
import { fillers } from './fillers.ts';
import { inflectEnglish, trimEnglish } from './inflect.ts';
import { createIsEnglishWord } from './is-word.ts';
import { places, relations, settings } from './places.ts';
import { quantities, units } from './quantities.ts';
import { signals, sounds } from './signals.ts';
import { colors, things } from './things.ts';
import { counts, joins, negations, numbers, picks, prepositions, questions, windows } from './words.ts';

/** English: the words are data; another language is another folder like this one. */
export function createEnglish(): Language {
  return {
    entries: [
      ...things,
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
    ],
    inflect: inflectEnglish,
    isWord: createIsEnglishWord(),
    trim: trimEnglish,
    decimal: '.',
    and: 'and',
  };
}
