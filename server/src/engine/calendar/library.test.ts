import { expect, test } from 'vitest';
import { createPlanner } from '../plan/index.ts';
import { answerEmptyLibrary, answerLibrary, placePlan, searchLibrary } from './index.ts';
import { instantsOf } from './instants.ts';

const { planQuery } = createPlanner();
// A Friday.
const at = new Date('2026-11-27T12:00:00Z');
const search = (query: string, timeZone: string | null = null) => searchLibrary(planQuery(query), { at, timeZone });

test('the span of a plan contains all that it is about, in any zone, and little else', () => {
  const DAY_MS = 86_400_000;
  for (const query of ['a cut yesterday', 'a cut last night after 10', 'a cut between 8:00 and 8:15 on Tuesday'])
    for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Europe/Berlin']) {
      const plan = planQuery(query);
      const calendar = (plan.searches[0]!.window ?? plan.window)!.calendar!;
      const all = { from: at.getTime() - 30 * DAY_MS, to: at.getTime() + 2 * DAY_MS };
      const ranges = instantsOf(calendar, all, { at, timeZone });
      expect(ranges.length).toBeGreaterThan(0);
      for (const zone of [null, timeZone]) {
        const { from, to } = searchLibrary(plan, { at, timeZone: zone }).span!;
        expect(from!.getTime()).toBeLessThanOrEqual(ranges[0]!.from);
        expect(to!.getTime()).toBeGreaterThanOrEqual(ranges.at(-1)!.to);
        expect(to!.getTime() - from!.getTime()).toBeLessThan(7 * DAY_MS);
      }
    }
});

test('what has no limit of days has none, and what may be a time of the video needs no clock', () => {
  expect(search('a cut every weekday morning').span).toEqual({ from: null, to: null });
  expect(search('a cut since Monday', 'UTC').span).toMatchObject({ from: expect.any(Date), to: null });
  expect(search('a cut').span).toBeNull();
  const ambiguous = search('is there a cut at 14:05').span;
  expect(ambiguous).toBeNull();
  const video = { recordedAt: null, timeZone: null, source: null, jumps: [], rate: 1, durationS: 900 };
  expect(placePlan(planQuery('a cut at 8:15'), video, { at, timeZone: null }).window?.missed).toBeUndefined();
});

test('the first or last event is that of all videos only if the prompt asks for one', () => {
  expect(search('when did a truck first appear this week').picks).toBe('first');
  expect(search('the last car yesterday').picks).toBe('last');
  expect(search('a car yesterday').picks).toBeNull();
  expect(search('the first two people who enter').picks).toBeNull();
});

const found = {
  at: new Date('2026-03-29T01:30:00Z'),
  timeZone: 'Europe/Berlin',
  videoName: 'gate.mp4',
  clock: '0:12.0',
  label: 'person enters',
};
const nothing = { picks: 'first', found: null, undated: [], noClock: { names: [], count: 0 } } as const;
const rest = { searched: 4, leftOut: 0, failed: 0 };

test.each([
  [
    { ...nothing, ...rest, found },
    'First at 03:30:00 on Sunday 29 March 2026 (Europe/Berlin), in gate.mp4 at 0:12.0: person enters.',
  ],
  [
    { ...nothing, ...rest, picks: 'last' as const, found: { ...found, timeZone: null }, undated: ['a', 'b'] },
    'Last at 01:30:00 on Sunday 29 March 2026 (UTC), in gate.mp4 at 0:12.0: person enters. It was also found in 2 videos without a known time of recording, which may be later (a, b).',
  ],
  [
    { ...nothing, ...rest, undated: ['a'] },
    'Not known: it is not known when the videos were recorded in which it was found (a).',
  ],
  [
    { ...nothing, ...rest, searched: 1, noClock: { names: ['a'], count: 7 }, leftOut: 1, failed: 2 },
    'Not found in 1 searched video. Not searched: 7 videos without a known time of recording (a, …). 1 further video of that time was left out. 2 videos could not be searched.',
  ],
])('the answer about all videos %#', (findings, text) => {
  expect(answerLibrary(findings)).toBe(text);
});

test('why no video was searched', () => {
  const noClock = { names: ['a', 'b'], count: 2 };
  expect(answerEmptyLibrary({ considered: 9_999, outside: 9_997, noClock })).toBe(
    'No video was searched: 9997 videos were recorded at another time, and of 2 videos it is not known when they were recorded (a, b).',
  );
  expect(answerEmptyLibrary({ considered: 0, outside: 0, noClock: { names: [], count: 0 } })).toBe(
    'No video was searched: none matches the filters.',
  );
});
