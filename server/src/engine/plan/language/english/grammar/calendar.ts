import type { Calendar, CalendarDay, CalendarPoint, DailyTimes } from '../../../calendar-schema.ts';
import type { Leaf, Window } from '../../../meaning/types.ts';
import type { AddRule } from '../../../parse/rules.ts';
import { REASONS } from '../../../reasons.ts';
import type { Categories } from '../categories.ts';
import { remark } from './remarks.ts';

/** Days and times of day of the recording clock: "on Tuesday", "since Monday", "last night after 10", "at 3 am". */
export function calendarRules(rule: AddRule<Categories>): void {
  dateRules(rule);
  dayRules(rule);
  clockRules(rule);
  windowRules(rule);
}

function dateRules(rule: AddRule<Categories>): void {
  rule('Day', ['NamedDays'], 'cars since yesterday', ({ day, times, ...word }) =>
    times ? null : { words: [word], day },
  );
  rule('Day', ['WeekdayName'], 'cars since Monday', (word) => ({ words: [word], day: weekdayOf(word) }));
  rule('Day', ['Date'], 'cars since 24 November', (day) => day);
  rule('Date', ['Number', 'MonthName'], 'cars on 24 November', (day, month) => dateOf(null, month, day));
  rule('Date', ['MonthName', 'Number'], 'cars on November 24', (month, day) => dateOf(null, month, day));
  rule('Date', ['Number', 'MonthName', 'Number'], 'cars on 24 November 2026', (day, month, year) =>
    dateOf(year, month, day),
  );
  rule('Date', ['MonthName', 'Number', 'Number'], 'cars on November 24 2026', (month, day, year) =>
    dateOf(year, month, day),
  );
  rule('Date', ['MonthName', 'Number', 'Comma', 'Number'], 'cars on November 24, 2026', (month, day, _, year) =>
    dateOf(year, month, day),
  );
  rule('Date', ['MonthName', 'Number', 'OrdinalSuffix'], 'cars on November 24th', (month, day) =>
    dateOf(null, month, day),
  );
  rule('Date', ['Number', 'OrdinalSuffix', 'MonthName'], 'cars on 24th November', (day, _, month) =>
    dateOf(null, month, day),
  );
  rule(
    'Date',
    ['Determiner', 'Number', 'OrdinalSuffix', 'Of', 'MonthName'],
    'cars on the 24th of November',
    (_, day, _suffix, _of, month) => dateOf(null, month, day),
  );
  rule('Date', ['Number', 'Dash', 'Number', 'Dash', 'Number'], 'cars on 2026-11-24', (year, _, month, _dash, day) =>
    dateOf(year, { month: month.sense.value, word: month }, day),
  );
  rule('Day', ['Number', 'DayUnit', 'Ago'], 'cars since 3 days ago', (count, { unit, ...word }, ago) => {
    const { value } = count.sense;
    return isCount(value) ? { words: [count, word, ago], day: { kind: 'relative', unit, offset: -value } } : null;
  });
}

function dayRules(rule: AddRule<Categories>): void {
  rule('DayPhrase', ['NamedDays'], 'cars yesterday', ({ day, times, ...word }) => ({
    words: [word],
    calendar: { ...on(day), times },
  }));
  rule('DayPhrase', ['In', 'WeekdayName'], 'cars on Tuesday', ({ surface }, word) =>
    surface === 'on' ? { words: [word], calendar: on(weekdayOf(word)) } : null,
  );
  rule(
    'DayPhrase',
    ['WeekdayName'],
    'cars last Tuesday',
    (word) => ({ words: [word], calendar: on(weekdayOf(word)) }),
    0.1,
  );
  rule('DayPhrase', ['In', 'Date'], 'cars on 24 November', ({ surface }, { words, day }) =>
    surface === 'on' ? { words, calendar: on(day) } : null,
  );
  rule('DayPhrase', ['Number', 'DayUnit', 'Ago'], 'cars 2 days ago', (count, { unit, ...word }, ago) => {
    const { value } = count.sense;
    return isCount(value)
      ? { words: [count, word, ago], calendar: on({ kind: 'relative', unit, offset: -value }) }
      : null;
  });
  rule('DayPhrase', ['Window', 'Number', 'DayUnit'], 'cars in the last 3 days', (last, count, { unit, ...word }) => {
    const { value } = count.sense;
    if (last.sense.window !== 'last' || last.sense.from || !isCount(value)) return null;
    const day = { kind: 'relative', unit: 'day', offset: -value * (unit === 'week' ? 7 : 1) } as const;
    return day.offset < -1000 ? null : { words: [last, count, word], calendar: { ...ANY, from: { day, time: null } } };
  });
  rule('DayPhrase', ['In', 'WeekdayGroup'], 'cars on weekdays', ({ surface }, { days, many, ...word }) =>
    surface !== 'in' && many ? { words: [word], calendar: { ...ANY, weekdays: [...days] } } : null,
  );
  for (const at of ['In', 'During', 'Over'] as const)
    rule(
      'DayPhrase',
      [at, 'Determiner', 'WeekdayGroup'],
      `cars ${{ In: 'at', During: 'during', Over: 'over' }[at]} the weekend`,
      (_, determiner, { days, many, ...word }) =>
        determiner.type === 'definite' && !many && days.length < 5
          ? { words: [word], calendar: { ...ANY, weekdays: [...days] } }
          : null,
    );
  rule('DayPhrase', ['Determiner', 'WeekdayGroup'], 'cars every weekday', (determiner, { days, many, ...word }) =>
    determiner.type === 'each' && !many
      ? { words: [determiner, word], calendar: { ...ANY, weekdays: [...days] } }
      : null,
  );
  rule('DayPhrase', ['Determiner', 'WeekdayName'], 'cars every Monday', (determiner, { day, before, ...word }) =>
    determiner.type === 'each' && !before ? { words: [determiner, word], calendar: { ...ANY, weekdays: [day] } } : null,
  );
  rule('DayPhrase', ['Determiner', 'DayPart'], 'cars every morning', (determiner, { times, ...word }) =>
    determiner.type === 'each' ? { words: [determiner, word], calendar: { ...ANY, times } } : null,
  );
  for (const at of ['In', 'During'] as const)
    rule(
      'DayPhrase',
      [at, 'Determiner', 'DayPart'],
      `cars ${at === 'In' ? 'in' : 'during'} the morning`,
      (preposition, determiner, { times, ...word }) =>
        determiner.type === 'definite' && (!('surface' in preposition) || preposition.surface === 'in')
          ? { words: [word], calendar: { ...ANY, times } }
          : null,
    );
  rule('DayPhrase', ['DayPhrase', 'DayPart'], 'cars on Tuesday morning', ({ words, calendar }, { times, ...word }) =>
    calendar.times ? null : { words: [...words, word], calendar: { ...calendar, times } },
  );
  rule('DayPhrase', ['During', 'DayPhrase'], 'cars during last week', (_, phrase) => phrase);

  rule('DayPhrase', ['Since', 'Day'], 'cars since Monday', (word, { words, day }) => ({
    words: [word, ...words],
    calendar: { ...ANY, from: { day, time: null } },
  }));
  rule('DayPhrase', ['From', 'Day', 'OnFrom'], 'cars from Monday onwards', (word, { words, day }) => ({
    words: [word, ...words],
    calendar: { ...ANY, from: { day, time: null } },
  }));
  rule('DayPhrase', ['Since', 'ClockTime'], 'cars since 8 am', (word, { words, seconds }) => ({
    words: [word, ...words],
    calendar: { ...ANY, from: { day: TODAY, time: seconds } },
  }));
  const sinceAt = (word: Leaf, { words, day }: DayOf, point: HourPoint): Categories['DayPhrase'] => ({
    words: [word, ...words, ...point.words],
    calendar: { ...ANY, from: { day, time: point.seconds } },
  });
  rule(
    'DayPhrase',
    ['Since', 'Day', 'In', 'HourPoint'],
    'cars since Monday at 8',
    (word, day, { surface }, point) => (surface === 'at' ? sinceAt(word, day, point) : null),
    -0.1,
  );
  rule(
    'DayPhrase',
    ['Since', 'HourPoint', 'In', 'Day'],
    'cars since 8 am on Monday',
    (word, point, { surface }, day) => (surface === 'on' ? sinceAt(word, day, point) : null),
    -0.1,
  );
  rule('DayPhrase', ['Until', 'Day'], 'cars until Tuesday', (word, { words, day }) => ({
    words: [word, ...words],
    calendar: { ...ANY, to: { day, time: null } },
  }));
  rule('DayPhrase', ['Before', 'Day'], 'cars before Tuesday', (word, { words, day }) => ({
    words: [word, ...words],
    calendar: { ...ANY, to: { day, time: 0 } },
  }));
  rule('DayPhrase', ['After', 'Day'], 'cars after Tuesday', (word, { words, day }) => ({
    words: [word, ...words],
    calendar: { ...ANY, from: { day, time: DAY_S } },
  }));
  const span = (words: readonly Leaf[], from: CalendarDay, to: CalendarDay): Categories['DayPhrase'] => ({
    words,
    calendar: { ...ANY, from: { day: from, time: null }, to: { day: to, time: null } },
  });
  const between = (word: Leaf, a: DayOf, b: DayOf) => span([word, ...a.words, ...b.words], a.day, b.day);
  rule('DayPhrase', ['Between', 'Day', 'And', 'Day'], 'cars between Monday and Wednesday', (word, a, _, b) =>
    between(word, a, b),
  );
  rule('DayPhrase', ['NamedDays', 'And', 'NamedDays'], 'cars yesterday and today', (a, _, b) =>
    isDayBefore(a, b) ? span([a, b], a.day, b.day) : null,
  );
  rule('DayPhrase', ['From', 'NamedDays'], 'cars from yesterday', (_, { day, times, ...word }) => ({
    words: [word],
    calendar: { ...on(day), times },
  }));
  rule('DayPhrase', ['From', 'Day', 'To', 'Day'], 'cars from Monday to Friday', (word, a, _, b) => between(word, a, b));
  rule('DayPhrase', ['From', 'Day', 'Until', 'Day'], 'cars from Monday until today', (word, a, _, b) =>
    between(word, a, b),
  );
}

/**
 * Times of day: `ClockPhrase` is one by itself, `HourPhrase` only beside a day, since "after 10" may count from the
 * start of the video.
 */
function clockRules(rule: AddRule<Categories>): void {
  rule('ClockTime', ['Number', 'ClockUnit'], 'cars at 3 am', (number, { half, ...unit }) => {
    const seconds = isHour(number.sense.value) ? inHalf(number.sense.value * HOUR, half) : null;
    return seconds === null ? null : { words: [number, unit], seconds, lengthS: HOUR, isHalf: half === null };
  });
  rule('ClockTime', ['Clock', 'ClockUnit'], 'cars at 3:30 pm', (clock, { half, ...unit }) => {
    const point = pointOf(clock);
    const seconds = point && inHalf(point.seconds, half);
    return seconds === null ? null : { ...point!, words: [clock, unit], seconds, isHalf: half === null };
  });
  rule('ClockTime', ['ClockName'], 'cars at noon', ({ seconds, ...word }) => ({
    words: [word],
    seconds,
    lengthS: HOUR,
    isHalf: false,
  }));
  rule('HourPoint', ['ClockTime'], 'cars since Monday at 8 am', (time) => time);
  rule('HourPoint', ['Clock'], 'cars yesterday at 8:15', pointOf);
  rule('HourPoint', ['Number'], 'cars last night after 10', hourOf);

  for (const [made, time, day, text, text2] of [
    ['ClockPhrase', 'ClockTime', '', '8 am', '10 pm'],
    ['HourPhrase', 'HourPoint', ' yesterday', '8', '10'],
  ] as const) {
    rule(made, ['In', time], `cars at ${text}${day}`, ({ surface }, point) =>
      surface === 'at' ? daily([], 'at', point) : null,
    );
    rule(made, ['After', time], `cars after ${text}${day}`, (word, point) => daily([word], 'after', point));
    rule(made, ['From', time, 'OnFrom'], `cars from ${text} onwards${day}`, (word, point) =>
      daily([word], 'after', point),
    );
    rule(made, ['Before', time], `cars before ${text}${day}`, (word, point) => daily([word], 'before', point));
    rule(made, ['Until', time], `cars until ${text}${day}`, (word, point) => daily([word], 'before', point));
    rule(made, ['Around', time], `cars around ${text}${day}`, (word, point) => daily([word], 'around', point));
    rule(made, ['In', 'Around', time], `cars at about ${text}${day}`, ({ surface }, word, point) =>
      surface === 'at' ? daily([word], 'around', point) : null,
    );
    rule(made, ['Between', time, 'And', time], `cars between ${text} and ${text2}${day}`, (word, a, _, b) =>
      daily([word], 'between', a, b),
    );
    for (const end of ['To', 'Until'] as const)
      rule(
        made,
        ['From', time, end, time],
        `cars from ${text} ${end === 'To' ? 'to' : 'until'} ${text2}${day}`,
        (word, a, _, b) => daily([word], 'between', a, b),
      );
    rule(made, [time, 'To', time], `cars ${text} to ${text2}${day}`, (a, _, b) => daily([], 'between', a, b), 0.1);
  }
  rule('HourPhrase', ['HourPoint', 'Dash', 'HourPoint'], 'cars yesterday 8-10', (a, _, b) =>
    daily([], 'between', a, b),
  );
  // "Between 10 and 11 pm": the half of the day is that of the second one.
  const inHalfOf = (word: Leaf, hours: HourPoint | null, to: HourPoint): Categories['ClockPhrase'] | null => {
    if (!hours?.isHalf || to.isHalf) return null;
    const halves = [hours.seconds % HALF_S, (hours.seconds % HALF_S) + HALF_S];
    const before = halves.filter((seconds) => seconds < to.seconds);
    const seconds = (before.length > 0 ? before : halves).at(-1)!;
    return daily([word], 'between', { ...hours, seconds, isHalf: false }, to);
  };
  for (const [text, category] of [
    ['10', 'Number'],
    ['10:30', 'Clock'],
  ] as const) {
    const hoursOf = (word: Categories['Number'] | Categories['Clock']) =>
      'parts' in word ? pointOf(word) : hourOf(word);
    rule(
      'ClockPhrase',
      ['Between', category, 'And', 'ClockTime'],
      `people between ${text} and 11 pm`,
      (word, hours, _, to) => inHalfOf(word, hoursOf(hours), to),
    );
    for (const end of ['To', 'Until'] as const)
      rule(
        'ClockPhrase',
        ['From', category, end, 'ClockTime'],
        `people from ${text} ${end.toLowerCase()} 11 pm`,
        (word, hours, _, to) => inHalfOf(word, hoursOf(hours), to),
      );
  }
  rule('ClockPhrase', ['By', 'ClockTime'], 'no truck by 8 am', (word, point) => daily([word], 'before', point));
  // "By 9" and "between 6 and 7" are hours of the day: seconds and minutes have a unit.
  rule('ClockPhrase', ['By', 'Number'], 'no truck by 9', (word, number) => {
    const hour = hourOf(number);
    return hour && daily([word], 'before', { ...hour, isHalf: false });
  });
  rule(
    'ClockPhrase',
    ['Between', 'Number', 'And', 'Number'],
    'no truck between 6 and 7',
    (word, a, _, b) => {
      const [from, to] = [hourOf(a), hourOf(b)];
      return from && to && daily([word], 'between', { ...from, isHalf: false }, { ...to, isHalf: false });
    },
    0.2,
  );
  // Past midnight, in no video.
  for (const [words, example] of [
    [['Between', 'Clock', 'And', 'Clock'], 'people between 22:00 and 06:00'],
    [['From', 'Clock', 'To', 'Clock'], 'people from 22:00 to 06:00'],
    [['From', 'Clock', 'Until', 'Clock'], 'people from 22:00 until 06:00'],
  ] as const)
    rule('ClockPhrase', words, example, (word, a, _, b) => {
      const [from, to] = [pointOf(a), pointOf(b)];
      return from && to && from.seconds > to.seconds
        ? daily([word], 'between', { ...from, isHalf: false }, { ...to, isHalf: false })
        : null;
    });
}

function windowRules(rule: AddRule<Categories>): void {
  rule('WindowPhrase', ['DayPhrase'], 'cars yesterday', ({ words, calendar }) => windowOf(words, calendar));
  rule('WindowPhrase', ['ClockPhrase'], 'cars after 8 am', (clock) => joined({ words: [], calendar: ANY }, clock));
  for (const clock of ['ClockPhrase', 'HourPhrase'] as const) {
    const hour = clock === 'ClockPhrase' ? '8 am' : '8';
    rule('WindowPhrase', ['DayPhrase', clock], `cars yesterday after ${hour}`, joined);
    rule('WindowPhrase', [clock, 'DayPhrase'], `cars after ${hour} yesterday`, (times, day) => joined(day, times));
    rule('WindowPhrase', ['DayPhrase', 'Comma', clock], `cars yesterday, after ${hour}`, (day, _, times) =>
      joined(day, times),
    );
  }
  // Elsewhere in a sentence, nothing says what it is about.
  rule(
    'Modifier',
    ['DayPhrase'],
    'a car that left yesterday stops',
    ({ words }) => remark(REASONS.calendarInside, words),
    INSIDE,
  );
  rule(
    'Modifier',
    ['ClockPhrase'],
    'a person who left after 10 pm returns',
    ({ words }) => remark(REASONS.calendarInside, words),
    INSIDE,
  );
}

type DayOf = Categories['Day'];
type HourPoint = Categories['HourPoint'];

const HOUR = 3_600;
const HALF_S = 12 * HOUR;
const DAY_S = 24 * HOUR;
/** "At 3 am", "around 3 am": so much before and behind it. */
const AROUND_S = HOUR / 4;
/** A time of the calendar whose place in a sentence does not say what happens then. */
const INSIDE = 2;

const ANY: Calendar = { from: null, to: null, times: null, weekdays: [] };
const TODAY: CalendarDay = { kind: 'relative', unit: 'day', offset: 0 };

const on = (day: CalendarDay): Calendar => {
  const point: CalendarPoint = { day, time: null };
  return { ...ANY, from: point, to: point };
};

const weekdayOf = ({ day, before }: Categories['WeekdayName']): CalendarDay => ({
  kind: 'weekday',
  day,
  ...(before ? { before } : {}),
});

/** A date that exists; without a year, in a leap year. */
function dateOf(
  year: Categories['Number'] | null,
  month: Categories['MonthName'] | { month: number; word: Leaf },
  day: Categories['Number'],
): DayOf | null {
  const date = new Date(0);
  date.setUTCFullYear(year?.sense.value ?? 2000, month.month - 1, day.sense.value);
  const isReal = date.getUTCMonth() === month.month - 1 && date.getUTCDate() === day.sense.value;
  if (!isReal || (year && (year.sense.value < 1900 || year.sense.value > 2200))) return null;
  const words = [...(year ? [year] : []), 'word' in month ? month.word : month, day];
  return { words, day: { kind: 'date', year: year?.sense.value ?? null, month: month.month, day: day.sense.value } };
}

/** "Yesterday and today". */
const isDayBefore = ({ day: a, times }: Categories['NamedDays'], { day: b, times: other }: Categories['NamedDays']) =>
  !times && !other && a.kind === 'relative' && b.kind === 'relative' && a.unit === b.unit && a.offset + 1 === b.offset;

const isCount = (value: number) => Number.isInteger(value) && value >= 1 && value <= 1000;
const isHour = (value: number) => Number.isInteger(value) && value >= 0 && value <= 24;

/** "12 am" is midnight. Null for "15 am". */
function inHalf(seconds: number, half: 'am' | 'pm' | null): number | null {
  if (half === null) return seconds;
  if (seconds >= HALF_S + HOUR || seconds < (half === 'am' ? 0 : HOUR)) return null;
  return (seconds % HALF_S) + (half === 'am' ? 0 : HALF_S);
}

function hourOf(number: Categories['Number']): HourPoint | null {
  const { value } = number.sense;
  return isHour(value) ? { words: [number], seconds: value * HOUR, lengthS: HOUR, isHalf: value <= 12 } : null;
}

/** The time of day of "8:15" or "8:15:30", which is read as minutes or hours of the video elsewhere. */
function pointOf(clock: Categories['Clock']): HourPoint | null {
  const { seconds, parts, ...word } = clock;
  const time = parts === 2 ? seconds * 60 : seconds;
  if (time > DAY_S) return null;
  const isHalf = time >= HOUR && time < HALF_S + HOUR;
  return { words: [word], seconds: time, lengthS: parts === 2 ? 60 : 1, isHalf };
}

const daily = (
  words: readonly Leaf[],
  kind: Categories['HourPhrase']['kind'],
  from: HourPoint,
  to: HourPoint | null = null,
): Categories['HourPhrase'] => ({ words: [...words, ...from.words, ...(to?.words ?? [])], kind, from, to });

/** A day with times of it; null where they are not in the part of the day that is stated. */
function joined({ words, calendar }: Categories['DayPhrase'], clock: Categories['HourPhrase']): Window | null {
  const times = timesOf(clock, calendar.times);
  return times && windowOf([...words, ...clock.words], { ...calendar, times });
}

const windowOf = (words: readonly Leaf[], calendar: Calendar): Window => ({
  words,
  unit: 'clock',
  from: 0,
  to: null,
  calendar,
});

function timesOf({ kind, from, to }: Categories['HourPhrase'], part: DailyTimes | null): DailyTimes | null {
  const a = placeIn(from, part);
  const b = to && placeIn(to, part);
  if (a === null || (to && b === null)) return null;
  switch (kind) {
    case 'after':
      return times(a, part?.to ?? DAY_S);
    case 'before':
      return times(part?.from ?? 0, a);
    case 'between':
      return times(a, b!);
    case 'around':
      return times(a - AROUND_S, a + AROUND_S);
    case 'at':
      return from.lengthS === HOUR ? times(a - AROUND_S, a + AROUND_S) : times(a, a + from.lengthS);
  }
}

/** Times that are on the clock; up to midnight is up to its end. */
const times = (from: number, to: number): DailyTimes => ({
  from: (from + DAY_S) % DAY_S,
  to: to > DAY_S ? to - DAY_S : to === 0 ? DAY_S : to,
});

/** A time in a part of the day: "10" of "last night" is 22:00. */
function placeIn({ seconds, isHalf }: HourPoint, part: DailyTimes | null): number | null {
  if (!part) return seconds;
  const span = (part.to - part.from + DAY_S) % DAY_S || DAY_S;
  const options = isHalf ? [seconds % HALF_S, (seconds % HALF_S) + HALF_S] : [seconds];
  return options.find((option) => (option - part.from + DAY_S) % DAY_S <= span) ?? null;
}
