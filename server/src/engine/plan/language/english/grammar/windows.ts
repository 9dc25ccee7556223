import type { Leaf, Window } from '../../../meaning/types.ts';
import type { AddRule } from '../../../parse/rules.ts';
import type { Categories } from '../categories.ts';
import { MODIFIER } from '../costs.ts';
import { LASTING } from './build.ts';
import { around, edge, momentAt, range, shareOf } from './questions.ts';

/** Parts of the video by their place in it: "early in the video", "in the first 10 %", "10 seconds in". */
export function windowRules(rule: AddRule<Categories>): void {
  rule(
    'WindowPhrase',
    ['Early', 'In', 'Determiner', 'Picture'],
    'cars early in the video',
    (early, at, _the, picture) => (at.surface === 'in' && LASTING.test(picture.text) ? thirdOf(early) : null),
  );
  rule('WindowPhrase', ['Early'], 'cars early on', (early) => (/ on$/i.test(early.text) ? thirdOf(early) : null));
  rule(
    'WindowPhrase',
    ['Window', 'PartOfVideo', 'Of', 'Determiner', 'Picture'],
    'cars in the last part of the video',
    ({ sense, ...word }, part, _of, _the, picture) =>
      LASTING.test(picture.text) && !sense.from ? thirdOf({ ...word, window: sense.window }, part) : null,
  );
  rule(
    'WindowPhrase',
    ['In', 'Middle', 'Fraction', 'Of', 'Determiner', 'Picture'],
    'cars in the middle third of the video',
    (_, middle, fraction, _of, _the, picture) =>
      LASTING.test(picture.text) ? shareOf([middle, fraction], (1 - fraction.share) / 2, fraction) : null,
  );
  rule('WindowPhrase', ['Window', 'Number', 'Unit'], 'cars in the first 10 % of the video', (word, number, unit) => {
    const share = number.sense.value / 100;
    if (!isPercent(unit) || word.sense.from || share <= 0) return null;
    return shareOf([word, number, unit], word.sense.window === 'first' ? 0 : 1 - share, { ...unit, share });
  });
  rule(
    'WindowPhrase',
    ['Window', 'Unit'],
    'cars in the opening seconds',
    (word, unit) => {
      const isOpen = unit.sense.factor === 1 && /s$/i.test(unit.text) && !word.sense.from && isTime(unit);
      return isOpen ? { ...edge(word, EDGE_S, [unit]), edge: true } : null;
    },
    -0.1,
  );
  rule('WindowPhrase', ['Window', 'Picture'], 'cars in the last frame', (word, picture) => {
    const isFrame = /^frame$/i.test(picture.text) && !word.sense.from && !word.sense.seconds;
    return isFrame ? edge(word, FRAME_S, [picture]) : null;
  });
  rule('WindowPhrase', ['From', 'Time', 'OnFrom'], 'cars from 2:10 onwards', (_, { words, seconds }) => ({
    words,
    from: seconds,
    to: null,
  }));
  rule('WindowPhrase', ['Time', 'OnFrom'], 'cars 2:10 onwards', ({ words, seconds }, on) =>
    /wards?$/i.test(on.text) ? { words, from: seconds, to: null } : null,
  );
  rule('WindowPhrase', ['Past', 'Clock'], 'cars past 2:10', (_, clock) => ({
    words: [clock],
    from: clock.seconds,
    to: null,
  }));
  rule('WindowPhrase', ['By', 'Clock'], 'how many cars by 2:10', (word, clock) => ({
    words: [word, clock],
    from: 0,
    to: clock.seconds,
  }));
  rule(
    'Time',
    ['Determiner', 'Number', 'OrdinalSuffix', 'Unit'],
    'cars at the 10th second',
    (_, number, suffix, unit) => (isTime(unit) ? timeAt([number, suffix, unit], number.sense.value, unit) : null),
  );
  rule(
    'WindowPhrase',
    ['Between', 'Determiner', 'Number', 'OrdinalSuffix', 'And', 'Time'],
    'cars between the 10th and the 20th second',
    (_, _the, number, suffix, _and, time) => upTo(number, suffix, time),
  );
  rule(
    'WindowPhrase',
    ['Between', 'Determiner', 'Number', 'OrdinalSuffix', 'And', 'Number', 'OrdinalSuffix', 'Unit'],
    'cars between the 10th and 20th second',
    (_, _the, number, suffix, _and, to, last, unit) =>
      isTime(unit) ? upTo(number, suffix, timeAt([to, last, unit], to.sense.value, unit)) : null,
  );
  rule(
    'WindowPhrase',
    ['Measure', 'In'],
    '10 seconds in, is there a car',
    ({ words, dimension, bare, min }, at) =>
      at.text.toLowerCase() === 'in' && dimension === 'time' && bare ? momentAt(words, min!) : null,
    0.5,
  );
  rule(
    'WindowPhrase',
    ['TimeRange', 'In'],
    'cars between 10 and 20 seconds in',
    ({ words, min, max }, at) => (at.text.toLowerCase() === 'in' ? { words, from: min!, to: max } : null),
    MODIFIER,
  );
  rule(
    'WindowPhrase',
    ['Measure', 'From', 'Edge'],
    'cars 30 seconds from the end',
    ({ words, dimension, bare, min }, _, { window, ...word }) =>
      dimension === 'time' && bare ? momentAt([...words, word], window === 'first' ? min! : -min!) : null,
  );
  rule(
    'WindowPhrase',
    ['Around', 'Determiner', 'Measure', 'Mark'],
    'cars around the 20 second mark',
    (word, _, { words, dimension, bare, min }) =>
      dimension === 'time' && bare ? around([word, ...words], min!) : null,
  );
  rule('WindowPhrase', ['Around', 'Unit', 'Number'], 'cars around minute 2', (word, unit, number) =>
    isTime(unit) ? around([word, unit, number], number.sense.value * unit.sense.factor) : null,
  );
  rule('WindowPhrase', ['Compare', 'In', 'Time'], 'cars exactly at 0:20', (compare, at, { words, seconds }) =>
    compare.sense.compare === 'exact' && at.surface === 'at' ? momentAt([compare, ...words], seconds) : null,
  );

  rule('Question', ['Question', 'AllOver'], 'how many cars stop over the whole video', (made) =>
    isOfAll(made) ? made : null,
  );
  rule('Question', ['AllOver', 'Question'], 'over the whole video how many cars stop', (_, made) =>
    isOfAll(made) ? made : null,
  );
  rule('Question', ['AllOver', 'Comma', 'Question'], 'over the whole video, how many cars stop', (_, _comma, made) =>
    isOfAll(made) ? made : null,
  );
  rule('Modifier', ['AllOver'], 'does a dog sleep over the whole video', ({ span, text, id }) => ({
    type: 'throughout',
    word: { span, text, id, sense: { type: 'throughout' } },
  }));
}

const isPercent = ({ text }: Leaf) => /^(?:%|percent)$/i.test(text);
const isTime = ({ sense }: Categories['Unit']) => sense.dimension === 'time' && !sense.counted;

/** Length of the start and of the end of a video. */
const EDGE_S = 10;
/** The first and the last frame are answered from the second that they are in. */
const FRAME_S = 1;

/** "Early", "late", "in the last part": a third of it. */
const thirdOf = ({ window, ...word }: Categories['Early'], ...words: readonly Leaf[]): Window => ({
  words: [word, ...words],
  unit: 'share',
  from: window === 'first' ? 0 : 2 / 3,
  to: window === 'first' ? 1 / 3 : 1,
});

const timeAt = (words: readonly Leaf[], count: number, { sense }: Categories['Unit']): Categories['Time'] => ({
  words,
  seconds: count * sense.factor,
});

/** "Between the 10th and the 20th second": the unit is that of the second number. */
function upTo(number: Categories['Number'], suffix: Leaf, time: Categories['Time']): Window | null {
  const [unit] = time.words.slice(-1);
  const factor = unit && 'sense' in unit ? (unit as Categories['Unit']).sense.factor : null;
  return factor === null ? null : range(timeAt([number, suffix], number.sense.value, unit as Categories['Unit']), time);
}

/** Questions whose answer is that of all of the video. */
const isOfAll = ({ question, calculation, window }: Categories['Question']): boolean =>
  window === null &&
  (calculation !== null || question?.sense.question === 'count' || question?.sense.question === 'how_often');
