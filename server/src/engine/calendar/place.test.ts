import { describe, expect, it } from 'vitest';
import { toInstant, toLocalTime } from '#platform/local-time';
import { pick, seeded } from '#test/random';
import { interpretPlan } from '../describe/index.ts';
import { answerMissed } from '../missed-answer.ts';
import { type Calendar, type CalendarDay, createPlanner, type Plan, WEEKDAYS } from '../plan/index.ts';
import { dayOf, limitsOf, weekdayName } from './days.ts';
import { datePlan, type FootageClock, missedBy, placePlan } from './index.ts';
import { instantsOf } from './instants.ts';

const planner = createPlanner();
const BERLIN = 'Europe/Berlin';

const video = (recordedAt: string | null, more: Partial<FootageClock> = {}): FootageClock => ({
  recordedAt: recordedAt === null ? null : new Date(recordedAt),
  timeZone: BERLIN,
  source: 'name',
  jumps: [],
  rate: 1,
  durationS: 600,
  ...more,
});

// A Friday, in winter.
const REQUESTED = '2026-11-27T11:00:00Z';
const place = (prompt: string, own: FootageClock, timeZone: string | null = null, at = REQUESTED): Plan =>
  placePlan(planner.planQuery(prompt), own, { at: new Date(at), timeZone });

/** Where the window of a prompt is in a video: its parts, or why it is not there. */
function placed(prompt: string, own: FootageClock, timeZone: string | null = null, at = REQUESTED) {
  const { window } = place(prompt, own, timeZone, at);
  if (!window) return null;
  return window.missed ?? window.parts ?? [{ from: window.from, to: window.to ?? own.durationS }];
}
const part = (from: number, to: number) => [{ from, to }];

describe('times of the calendar in a video', () => {
  // From 07:55 to 08:05 of Tuesday, local time.
  const tuesday = video('2026-11-24T06:55:00Z');

  it.each([
    ['people between 8:00 and 8:15 on Tuesday', part(300, 600)],
    ['people on Tuesday', part(0, 600)],
    ['people on Wednesday', 'outside'],
    ['people on 24 November', part(0, 600)],
    ['people on 2026-11-24 before 8 am', part(0, 300)],
    ['people after 8 am', part(300, 600)],
    ['people before 7 am', 'outside'],
    ['people since Monday', part(0, 600)],
    ['people since Monday at 8', part(0, 600)],
    ['people since yesterday', 'outside'],
    ['people since Wednesday', 'outside'],
    ['people this week', part(0, 600)],
    ['people last week', 'outside'],
    ['people this month', part(0, 600)],
    ['people 3 days ago', part(0, 600)],
    ['people in the last 2 days', 'outside'],
    ['people every weekday morning', part(0, 600)],
    ['people on weekends', 'outside'],
    ['people yesterday', 'outside'],
    ['people from Monday to Wednesday', part(0, 600)],
    ['people until Monday', 'outside'],
    ['people after Monday', part(0, 600)],
    ['people before Tuesday', 'outside'],
    ['people last Tuesday at 8', part(0, 600)],
  ])('%s', (prompt, expected) => {
    expect(placed(prompt, tuesday)).toEqual(expected);
  });

  it('are those of the person, if the request states a zone', () => {
    // 06:55 in London.
    expect(placed('people between 6:55 and 7:00 on Tuesday', tuesday, 'Europe/London')).toEqual(part(0, 300));
    expect(place('people on Tuesday', tuesday, 'Europe/London').clock?.time_zone).toBe('Europe/London');
    expect(place('people on Tuesday', video('2026-11-24T06:55:00Z', { timeZone: null })).clock?.time_zone).toBe('UTC');
  });

  it('count from the moment of asking', () => {
    expect(placed('people yesterday', tuesday, null, '2026-11-25T22:59:00Z')).toEqual(part(0, 600));
    // Midnight in Berlin.
    expect(placed('people yesterday', tuesday, null, '2026-11-25T23:01:00Z')).toBe('outside');
    expect(placed('people on Tuesday', tuesday, null, '2026-12-01T09:00:00Z')).toBe('outside');
  });

  it('are of the day on which an interval past midnight starts', () => {
    const night = video('2026-11-26T22:50:00Z', { durationS: 1_200 });
    expect(placed('people last night after 10', night)).toEqual(part(0, 1_200));
    expect(placed('people between 22:00 and 06:00', night)).toEqual(part(0, 1_200));
    expect(placed('people yesterday', night)).toEqual(part(0, 600));
    expect(placed('people today', night)).toEqual(part(600, 1_200));
    expect(placed('people at midnight', night)).toEqual(part(0, 1_200));
  });

  it('are several parts of a recording of several days', () => {
    // From Monday 12:00 on, three days.
    const days = video('2026-11-23T11:00:00Z', { durationS: 3 * 86_400 });
    const hour = 3_600;
    expect(placed('people every morning between 8 and 9', days)).toEqual([
      { from: 20 * hour, to: 21 * hour },
      { from: 44 * hour, to: 45 * hour },
      { from: 68 * hour, to: 69 * hour },
    ]);
  });

  it('are later behind a gap of a livestream', () => {
    // The connection was lost for an hour after five minutes.
    const stream = video('2026-11-24T06:55:00Z', { source: 'live', jumps: [{ atS: 300, seconds: 3_600 }] });
    expect(placed('people between 9:00 and 9:03 on Tuesday', stream)).toEqual(part(300, 480));
    expect(placed('people between 8:10 and 8:50 on Tuesday', stream)).toBe('outside');
    expect(placed('people between 7:59 and 9:01 on Tuesday', stream)).toEqual(part(240, 360));
  });

  it('are in no video without a clock', () => {
    const own = place('how many people yesterday', video(null));
    expect(missedBy(own)).toBe('no_clock');
    expect(answerMissed(own)).toMatchObject({
      events: [],
      answer: expect.stringMatching(
        /^Not known: on Thursday 26 November 2026 \(Europe\/Berlin\): it is not known when the video was recorded: set the time/,
      ),
      coverage: [{ text: 'people', status: 'not_looked_for' }],
    });
  });

  it('are stated with what the video covers', () => {
    const own = place('people yesterday', video('2026-11-24T07:00:00Z', { durationS: 30 }));
    expect(answerMissed(own).summary).toBe(
      'Not looked for: on Thursday 26 November 2026 (Europe/Berlin): recorded at another time, since it covers 08:00:00 to 08:00:30 on Tuesday 24 November 2026 (file name, Europe/Berlin).',
    );
    expect(interpretPlan(own)).toBe(
      'Understood as: a person in view; only on Thursday 26 November 2026 (Europe/Berlin).',
    );
  });
});

describe('times that may be of the video or of the day', () => {
  const morning = (durationS: number) => video('2026-11-27T07:00:00Z', { durationS });

  it('are those that the video has', () => {
    expect(placed('people between 08:00:20 and 08:00:50', morning(30))).toEqual(part(20, 30));
    expect(placed('people between 0:20 and 0:25', morning(30))).toEqual(part(20, 25));
    expect(placed('people at 8:05', morning(400))).toEqual(part(300, 360));
    expect(placed('people at 8:05', video(null))).toEqual(part(485, 486));
    expect(place('people at 0:47', morning(60))).toEqual(planner.planQuery('people at 0:47'));
  });

  it('are of the video where both are, with a remark on the others', () => {
    const { window } = place('people at 8:05', morning(600));
    expect(window).toMatchObject({ from: 485, to: 486 });
    expect(window?.remark).toBe(
      'between 08:05 and 08:06 (Europe/Berlin) by the recording clock is 5:00 to 6:00 in the video; to ask for that, name the day or write "am" or "pm"',
    );
  });

  it('are stated with both clocks where they are in neither', () => {
    expect(answerMissed(place('people at 14:05', morning(30))).summary).toBe(
      'Not looked for: between 14:05 and 14:06 (Europe/Berlin): not in the video, which is 30 s long, and by its recording clock it covers 08:00:00 to 08:00:30 on Friday 27 November 2026 (file name, Europe/Berlin).',
    );
  });
});

describe('a placed plan', () => {
  const prompts = ['people yesterday', 'people at 8:05', 'how many cars after 8 am', 'more cars yesterday than today'];

  it('is valid, and placing it again changes nothing', () => {
    for (const prompt of prompts)
      for (const own of [video('2026-11-26T07:00:00Z'), video('2026-11-27T07:01:00Z'), video(null)]) {
        const once = place(prompt, own);
        expect(planner.checkPlan(JSON.parse(JSON.stringify(once)))).toEqual(once);
        if (!once.window?.missed || once.window.calendar)
          expect(placePlan(once, own, { at: new Date(REQUESTED), timeZone: null })).toEqual(once);
      }
  });

  it('is restated with dates once the moment of asking is known', () => {
    const plan = planner.planQuery('people between 8:00 and 8:15 on Tuesday');
    expect(interpretPlan(plan)).toBe('Understood as: a person in view; only between 08:00 and 08:15 on Tuesday.');
    expect(interpretPlan(datePlan(plan, { at: new Date(REQUESTED), timeZone: BERLIN }))).toBe(
      'Understood as: a person in view; only between 08:00 and 08:15 on Tuesday 24 November 2026 (Europe/Berlin).',
    );
  });
});

describe('clocks that change', () => {
  const at = (day: string, from: string, to: string, prompt: string) => {
    const own = video(toInstant(`${day}T${from}`, BERLIN).toISOString(), {
      durationS: (toInstant(`${day}T${to}`, BERLIN).getTime() - toInstant(`${day}T${from}`, BERLIN).getTime()) / 1_000,
    });
    return placed(prompt, own, null, `${day}T20:00:00Z`);
  };

  it('skip an hour in spring', () => {
    expect(at('2026-03-29', '01:00', '04:00', 'people between 1:30 and 3:30 am')).toEqual(part(1_800, 5_400));
    expect(at('2026-03-29', '01:00', '04:00', 'people today between 2:10 and 2:50')).toBe('outside');
    expect(at('2026-03-29', '00:00', '23:00', 'people today at 14:00')).toEqual(part(13 * 3_600, 13 * 3_600 + 60));
  });

  it('show an hour twice in autumn', () => {
    expect(at('2026-10-25', '01:00', '04:00', 'people today between 2:10 and 2:50')).toEqual([
      { from: 4_200, to: 6_600 },
      { from: 7_800, to: 10_200 },
    ]);
    expect(at('2026-10-25', '01:00', '04:00', 'people between 2 am and 3 am')).toEqual(part(3_600, 10_800));
  });
});

describe('laws of instants', () => {
  const ZONES = [
    'UTC',
    BERLIN,
    'America/New_York',
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
    'Pacific/Apia',
    '+05:45',
    '-03:30',
  ];
  const MINUTE_MS = 60_000;
  const DAY_MS = 86_400_000;
  const random = seeded(41);
  const chance = (share: number) => random() < share;
  const minute = () => Math.floor(random() * 1_440) * 60;
  const instant = () => Date.parse('2026-01-01T00:00Z') + Math.floor(random() * 365 * 1_440) * MINUTE_MS;

  function anyDay(): CalendarDay {
    const kind = pick(random, ['relative', 'weekday', 'date'] as const);
    if (kind === 'weekday') return { kind, day: pick(random, WEEKDAYS) };
    if (kind === 'relative') {
      const unit = pick(random, ['day', 'week', 'weekend', 'month', 'year'] as const);
      return { kind, unit, offset: -Math.floor(random() * 5) };
    }
    const [month, day] = [1 + Math.floor(random() * 12), 1 + Math.floor(random() * 28)];
    return { kind, year: pick(random, [null, 2025, 2026]), month, day };
  }
  const anyPoint = () => (chance(0.5) ? null : { day: anyDay(), time: chance(0.5) ? null : minute() });
  const anyCalendar = (): Calendar => ({
    from: anyPoint(),
    to: anyPoint(),
    times: chance(0.4) ? null : { from: minute(), to: minute() },
    weekdays: chance(0.5) ? [] : WEEKDAYS.filter(() => chance(0.6)),
  });

  /** True if the local time of an instant is in a part of the calendar, without any arithmetic on instants. */
  function isIn(at: number, own: Calendar, requested: { at: Date; timeZone: string }): boolean {
    const local = toLocalTime(new Date(at), requested.timeZone);
    const [hours, minutes] = local.time.split(':').map(Number) as [number, number];
    const timeS = hours * 3_600 + minutes * 60;
    const { from, to } = limitsOf(own, dayOf(toLocalTime(requested.at, requested.timeZone).day));
    const today = dayOf(local.day);
    const nowS = today * 86_400 + timeS;
    return [today, today - 1].some((day) => {
      const sinceS = nowS - day * 86_400;
      const { from: startS, to: endS } = own.times ?? { from: 0, to: 86_400 };
      if (sinceS < startS || sinceS >= (endS > startS ? endS : endS + 86_400)) return false;
      if (own.weekdays.length > 0 && !own.weekdays.includes(weekdayName(day))) return false;
      if (from && (day < from.day || (from.timeS !== null && nowS < from.day * 86_400 + from.timeS))) return false;
      return !(to && (day > to.day || (to.timeS !== null && nowS >= to.day * 86_400 + to.timeS)));
    });
  }

  it('are in a range exactly if their local time is in the calendar', () => {
    for (let round = 0; round < 600; round++) {
      const own = anyCalendar();
      const requested = { at: new Date(instant()), timeZone: pick(random, ZONES) };
      // Around a change of clocks, too.
      const start = chance(0.3) ? Date.parse(pick(random, CHANGES)) - DAY_MS : instant();
      const ranges = instantsOf(own, { from: start, to: start + 3 * DAY_MS }, requested);
      for (let check = 0; check < 60; check++) {
        const at = start + Math.floor(random() * 3 * 1_440) * MINUTE_MS;
        const found = ranges.some(({ from, to }) => from <= at && at < to);
        const name = `${new Date(at).toISOString()} ${requested.timeZone} ${requested.at.toISOString()} ${JSON.stringify(own)}`;
        expect([name, found]).toEqual([name, isIn(at, own, requested)]);
      }
    }
  });

  it('are in order, apart, and within the span', () => {
    for (let round = 0; round < 300; round++) {
      const span = { from: instant(), to: 0 };
      span.to = span.from + 40 * DAY_MS;
      const ranges = instantsOf(anyCalendar(), span, { at: new Date(instant()), timeZone: pick(random, ZONES) });
      for (const [i, { from, to }] of ranges.entries()) {
        expect(from).toBeLessThan(to);
        expect(from).toBeGreaterThanOrEqual(ranges[i - 1]?.to ?? span.from);
        expect(to).toBeLessThanOrEqual(span.to);
      }
    }
  });

  it('of a time of day and of the rest of the day are all instants', () => {
    for (let round = 0; round < 300; round++) {
      const [a, b, from] = [minute(), minute(), instant()];
      if (a === b) continue;
      const requested = { at: new Date(from), timeZone: pick(random, ZONES) };
      const lengthOf = (times: Calendar['times']) =>
        instantsOf({ from: null, to: null, weekdays: [], times }, { from, to: from + 5 * DAY_MS }, requested).reduce(
          (sum, range) => sum + range.to - range.from,
          0,
        );
      expect(lengthOf({ from: a, to: b }) + lengthOf({ from: b, to: a })).toBe(5 * DAY_MS);
    }
  });
});

/** Instants at which clocks of these zones change. */
const CHANGES = [
  '2026-03-29T01:00Z',
  '2026-10-25T01:00Z',
  '2026-03-08T07:00Z',
  '2026-11-01T06:00Z',
  '2026-04-04T15:00Z',
  '2026-10-03T15:30Z',
];
