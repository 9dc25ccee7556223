import type { Entry, Language, Sense } from './senses.ts';

const entry = (phrases: string, ...senses: Sense[]): Entry => ({ phrases, inflection: 'none', senses, group: 'other' });

/** A few words of German: enough to show that a language is data alone. */
export const createGerman = (): Language => ({
  entries: [
    entry('auto, autos, wagen', { type: 'noun', classes: ['car'] }),
    entry('person, personen, leute', { type: 'noun', classes: ['person'] }),
    entry('hund, hunde', { type: 'noun', classes: ['dog'] }),
    entry('rot, rote, roter, rotes', { type: 'color', names: ['red'] }),
    entry('zwei', { type: 'number', value: 2 }),
    entry('mindestens', { type: 'compare', compare: 'min' }),
    entry('mehr als, schneller als, länger als', { type: 'compare', compare: 'above' }),
    entry('ein, eine, einen, einem, der, die, das, es', { type: 'filler', light: true }),
    entry('kein, keine, ohne', { type: 'negation' }),
    entry('neben', { type: 'relation', relation: 'near' }),
    entry('hält, anhalten, hält an', { type: 'action', action: 'stops' }),
    entry('kommt, erscheint', { type: 'action', action: 'appears' }),
    entry('fährt', { type: 'action', action: 'moves', weak: true }),
    entry('links', { type: 'side', side: 'left' }),
    entry('nach', { type: 'preposition', preposition: 'to' }),
    entry('dann', { type: 'join', join: 'then' }),
    entry('und', { type: 'join', join: 'and' }),
    entry('wie viele', { type: 'question', question: 'count' }),
    entry('geschwindigkeit', { type: 'quantity', quantity: 'speed' }),
    entry('km/h', { type: 'unit', dimension: 'speed', factor: 1 / 3.6 }),
  ],
  inflect: (word) => [word],
  isWord: () => false,
  trim: (word) => word,
  decimal: ',',
  and: 'und',
});
