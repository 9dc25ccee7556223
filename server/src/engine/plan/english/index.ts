import type { Language } from '../meaning/senses.ts';
import { ABBREVIATIONS, SLIPS } from './abbreviations.ts';
import { actions, states } from './actions.ts';
import { cameraMoves } from './camera.ts';
import { counts, numbers } from './counts.ts';
import { createIsEnglishWord } from './dictionary.ts';
import { inflectEnglish, trimEnglish } from './inflect.ts';
import { manners } from './manners.ts';
import { colors, nouns } from './objects.ts';
import { places, placesOutside, relations, settings } from './places.ts';
import { quantities, units } from './quantities.ts';
import { picks, questions, windows } from './questions.ts';
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
    ...signals,
    ...cameraMoves,
    ...sounds,
    ...quantities,
    ...units,
    ...questions,
    ...windows,
    ...picks,
    ...settings,
    ...manners,
    ...beyonds,
  ];
  return {
    entries: [...listed, ...placesOutside(listed)],
    inflect: inflectEnglish,
    isWord: createIsEnglishWord(),
    trim: trimEnglish,
    decimal: '.',
    and: 'and',
    abbreviations: ABBREVIATIONS,
    slips: SLIPS,
  };
}
