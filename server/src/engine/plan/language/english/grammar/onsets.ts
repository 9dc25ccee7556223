import type { Leaf, Query, Statement } from '../../../meaning/types.ts';
import type { AddRule } from '../../../parse/rules.ts';
import type { Categories } from '../categories.ts';
import { audible, frameEvent, isBase, isFiniteForm, joined, query } from './build.ts';
import { stated } from './clauses.ts';
import { isFrame } from './questions.ts';

/** Where sounds and states of the picture begin and end: "when does the music start", "the barking stops". */
export function onsetRules(rule: AddRule<Categories>): void {
  rule('Course', ['Sound'], 'when does music start', (word) => frameEvent({ type: 'sound', word }));
  rule('Course', ['Determiner', 'Sound'], 'when does the music start', ({ type }, word) =>
    type === 'each' ? null : frameEvent({ type: 'sound', word }),
  );
  rule('Course', ['Determiner', 'SoundVerb'], 'when does the barking start', ({ type }, word) =>
    type === 'definite' && word.form === 'ing' ? frameEvent({ type: 'sound', word }) : null,
  );
  rule('Course', ['Determiner', 'Signal'], 'when does the black screen end', ({ type }, word) =>
    type === 'definite' ? frameEvent({ type: 'signal', word }) : null,
  );
  rule('Course', ['Determiner', 'Motion'], 'when does the movement stop', ({ type }, word) =>
    type === 'definite' && !word.sense.negated ? frameEvent({ type: 'motion', word }) : null,
  );

  // The beginning of a sound is where it is found.
  rule('Clause', ['Course', 'StartOf'], 'the music starts', (it, { form }) =>
    isFiniteForm(form) ? audible(it) : null,
  );
  rule('Inverted', ['Do', 'Course', 'StartOf'], 'does the music start', (_, it, { form }) =>
    isBase(form) ? audible(it) : null,
  );
  rule('Inverted', ['Do', 'Course', 'InVideo', 'StartOf'], 'does the music ever start', (_, it, _ever, { form }) =>
    isBase(form) ? audible(it) : null,
  );

  rule('Question', ['Questioned', 'Do', 'Course', 'EndOf'], 'when does the music stop', (question, _, it, end) => {
    const made = isBase(end.form) && question.sense.question === 'when' ? atEnd(it, end) : null;
    return made && { ...made, question };
  });
  for (const ever of [[], ['InVideo']] as const)
    rule(
      'Question',
      ['Do', 'Course', ...ever, 'EndOf'],
      ever.length > 0 ? 'does the music ever stop' : 'does the music stop',
      (...parts) => {
        const end = parts.at(-1) as Categories['EndOf'];
        const made = isBase(end.form) ? atEnd(parts[1], end) : null;
        return made && { ...made, isYesNo: true };
      },
    );
  rule('Utterance', ['Course', 'EndOf'], 'the music stops', (it, end) =>
    isFiniteForm(end.form) ? atEnd(it, end) : null,
  );
  const stopsDoing = (
    subject: Categories['Subject'],
    end: Categories['EndOf'],
    { form, predicate: what }: Categories['VerbPhrase'],
  ): Query | null => {
    const it = form === 'ing' && /^stop/i.test(end.text) ? stated(subject, what) : null;
    return it && isFrame(it) && it.negation === null ? atEnd(it, end) : null;
  };
  rule(
    'Question',
    ['Questioned', 'Do', 'Subject', 'EndOf', 'VerbPhrase'],
    'when does the dog stop barking',
    (question, _, subject, end, verb) => {
      const made = isBase(end.form) && question.sense.question === 'when' ? stopsDoing(subject, end, verb) : null;
      return made && { ...made, question };
    },
  );
  rule('Question', ['Do', 'Subject', 'EndOf', 'VerbPhrase'], 'does the dog stop barking', (_, subject, end, verb) => {
    const made = isBase(end.form) ? stopsDoing(subject, end, verb) : null;
    return made && { ...made, isYesNo: true };
  });
  rule('Utterance', ['Subject', 'EndOf', 'VerbPhrase'], 'the dog stops barking', (subject, end, verb) =>
    isFiniteForm(end.form) ? stopsDoing(subject, end, verb) : null,
  );
}

/** Length of the event that shows an end. What lasts until the end of the video has no such event. */
const SHOWN_S = 1;

const atEnd = (it: Statement, end: Leaf): Query =>
  query(audible(it), { moments: { kind: 'after', seconds: SHOWN_S, words: [joined(end, [])] } });
