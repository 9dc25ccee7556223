import { describe, expect, it } from 'vitest';
import type { AbsenceQuery } from './absence-query.ts';
import { describeAbsence } from './describe-absence.ts';
import type { AbsenceFinding } from './find-absences.ts';
import {
  type AbsenceChanges,
  type AbsenceState,
  continueAbsences,
  endAbsences,
  trackAbsences,
} from './track-absences.ts';

const MINUTE_S = 60;
const HOUR_MS = 3_600_000;
const ANY = { from: null, to: null, weekdays: [] };
const TEN_MINUTES: AbsenceQuery = { search: 'nobody', minS: 600, calendar: null };
const by = (from: number, to: number): AbsenceQuery => ({
  search: 'nobody',
  minS: null,
  calendar: { ...ANY, times: { from: from * 3_600, to: to * 3_600 } },
});
const DESCRIBED: AbsenceFinding['described'] = {
  label: 'nobody in view',
  category: 'object',
  severity: 'low',
  caveats: [],
  timeBase: [1, 90_000],
};

type Range = [fromS: number, untilS: number];

/** Follows a stream that starts at an instant, in windows of two minutes, a step of ten seconds at a time. */
function follow(
  query: AbsenceQuery,
  startMs: number,
  { observed, present = [] }: { observed: Range[]; present?: Range[] },
  { timeZone = 'UTC', states = [] as AbsenceState[], confidence = 0.9 } = {},
) {
  const reports: string[] = [];
  let now: readonly AbsenceState[] = states;
  const clip = ([from, until]: Range, [low, high]: Range): Range[] =>
    Math.max(from, low) < Math.min(until, high) ? [[Math.max(from, low), Math.min(until, high)]] : [];
  const timeOf = (ms: number) => new Date(ms).toISOString().slice(11, 19);
  for (const [epochFrom, epochUntil] of observed)
    for (let endS = epochFrom + 10; endS <= epochUntil; endS += 10) {
      const window: Range = [Math.max(epochFrom, endS - 2 * MINUTE_S), endS];
      const seen = present.flatMap((range) => clip(range, window));
      const edges = [window[0], ...seen.flat(), window[1]];
      const absent = edges.flatMap((from, i): Range[] =>
        i % 2 === 0 && edges[i + 1]! > from ? [[from, edges[i + 1]!]] : [],
      );
      const finding: AbsenceFinding = {
        query,
        absent: absent.map(([fromS, untilS]) => ({ fromS, untilS, confidence })),
        present: seen.map(([fromS, untilS]) => ({ fromS, untilS })),
        lastSeen: seen.length > 0 ? { timeS: seen.at(-1)![1], boxes: [] } : null,
        described: DESCRIBED,
      };
      const toMs = (timeS: number) => startMs + timeS * 1_000;
      const changes: AbsenceChanges = trackAbsences({
        states: now,
        findings: [finding],
        fromMs: toMs(window[0]),
        untilMs: toMs(endS),
        toMs,
        requestedSinceMs: () => startMs,
        timeZone,
        decides: true,
        minConfidence: 0.5,
        newId: () => `e${reports.length}`,
      });
      now = JSON.parse(JSON.stringify(changes.states)) as AbsenceState[];
      for (const { fromMs, untilMs, observedS } of changes.started)
        reports.push(`at ${timeOf(toMs(endS))}: ${timeOf(fromMs)} to ${timeOf(untilMs)}, ${observedS} s`);
      for (const { atMs } of changes.ended) reports.push(`at ${timeOf(toMs(endS))}: ended ${timeOf(atMs)}`);
    }
  return { reports, states: [...now] };
}

const EIGHT = Date.parse('2026-11-24T08:00:00Z');

describe('an absence of ten minutes', () => {
  it('is reported when the ten minutes are full, though windows are shorter, and ends when somebody returns', () => {
    const { reports } = follow(TEN_MINUTES, EIGHT, {
      observed: [[0, 3_000]],
      present: [
        [20, 60],
        [2_000, 2_010],
      ],
    });
    expect(reports).toEqual([
      'at 08:11:00: 08:01:00 to 08:11:00, 600 s',
      'at 08:33:30: ended 08:33:20',
      'at 08:43:30: 08:33:30 to 08:43:30, 600 s',
    ]);
  });

  it('starts again with each look, however short', () => {
    const present = [0, 1, 2, 3, 4].map((i): Range => [i * 590, i * 590 + 1]);
    expect(follow(TEN_MINUTES, EIGHT, { observed: [[0, 2_900]], present }).reports).toEqual([]);
  });

  it('does not count gaps, and goes over those that are a tenth of it together', () => {
    const short = follow(TEN_MINUTES, EIGHT, {
      observed: [
        [0, 300],
        [330, 500],
        [525, 1_000],
      ],
    });
    expect(short.reports).toEqual(['at 08:10:55: 08:00:00 to 08:10:55, 600 s']);
    const long = follow(TEN_MINUTES, EIGHT, {
      observed: [
        [0, 500],
        [570, 1_300],
      ],
    });
    expect(long.reports).toEqual(['at 08:19:30: 08:09:30 to 08:19:30, 600 s']);
  });

  it('ends where a long gap begins, as it is not known what followed', () => {
    const { reports } = follow(TEN_MINUTES, EIGHT, {
      observed: [
        [0, 700],
        [4_000, 4_010],
      ],
    });
    expect(reports).toEqual(['at 08:10:00: 08:00:00 to 08:10:00, 600 s', 'at 09:06:50: ended 08:11:40']);
  });

  it('is not reported where it is less likely than not', () => {
    expect(follow(TEN_MINUTES, EIGHT, { observed: [[0, 900]] }, { confidence: 0.4 }).reports).toEqual([]);
  });

  it('is one over two sessions', () => {
    const first = follow(TEN_MINUTES, EIGHT, { observed: [[0, 400]] });
    const { states } = endAbsences(first.states);
    const start = EIGHT + 410_000;
    const second = follow(TEN_MINUTES, start, { observed: [[0, 10]] });
    const next = follow(
      TEN_MINUTES,
      start,
      { observed: [[10, 400]] },
      { states: continueAbsences(states, second.states) },
    );
    expect(next.reports).toEqual(['at 08:10:10: 08:00:00 to 08:10:10, 600 s']);
    const { states: ended } = endAbsences(next.states);
    const third = follow(TEN_MINUTES, start + 400_000, { observed: [[0, 10]] });
    const rest: Parameters<typeof follow>[2] = { observed: [[10, 1_000]], present: [[500, 510]] };
    const last = follow(TEN_MINUTES, start + 400_000, rest, { states: continueAbsences(ended, third.states) });
    expect(last.reports).toEqual([]);
  });
});

describe('an absence until a time of day', () => {
  const untilNine = by(0, 9);

  it('is reported at that time, once a day, in the time zone of the camera', () => {
    const observed: Range[] = [
      [4.5 * 3_600, 6.5 * 3_600],
      [28.5 * 3_600, 30.5 * 3_600],
    ];
    const daily = follow(by(6, 7), Date.parse('2026-11-24T00:00:00Z'), { observed }, { timeZone: 'Europe/Berlin' });
    expect(daily.reports).toEqual([
      'at 06:00:00: 05:00:00 to 06:00:00, 3600 s',
      'at 06:00:00: 05:00:00 to 06:00:00, 3600 s',
    ]);
  });

  it('is not reported on a day on which it was seen in time', () => {
    const seenAt = (hours: number): Range => [hours * 3_600, hours * 3_600 + 30];
    const observed: Range[] = [[5 * 3_600, 7.5 * 3_600]];
    const midnight = Date.parse('2026-11-24T00:00:00Z');
    expect(follow(by(6, 7), midnight, { observed, present: [seenAt(6.5)] }).reports).toEqual([]);
    expect(follow(by(6, 7), midnight, { observed, present: [[7 * 3_600 - 5, 7 * 3_600 + 900]] }).reports).toEqual([]);
    for (const hours of [5.5, 7]) {
      const { reports } = follow(by(6, 7), midnight, { observed, present: [seenAt(hours)] });
      expect(reports).toEqual([expect.stringMatching(/^at 07:00:00: /)]);
    }
  });

  it('is about what was observed: from when the camera is on, and never of a time that mostly was not', () => {
    expect(follow(untilNine, EIGHT, { observed: [[0, 4_000]] }).reports).toEqual([
      'at 09:00:00: 08:00:00 to 09:00:00, 3600 s',
    ]);
    expect(
      follow(untilNine, EIGHT, {
        observed: [
          [0, 1_000],
          [2_000, 4_000],
        ],
      }).reports,
    ).toEqual([]);
    expect(follow(by(7, 9), EIGHT, { observed: [[0, 4_000]] }).reports).toEqual([]);
  });

  it('that passed during a gap is reported when the stream is back, if the gap was short', () => {
    const { reports } = follow(untilNine, EIGHT, {
      observed: [
        [0, 3_590],
        [3_800, 4_000],
      ],
    });
    expect(reports).toEqual(['at 09:03:30: 08:00:00 to 09:00:00, 3590 s']);
  });
});

describe('the statement of an absence', () => {
  it('has what was and what was not observed, in the time zone of the camera', () => {
    const { states } = follow(TEN_MINUTES, EIGHT, { observed: [[0, 400]], present: [[0, 5]] });
    const absence = {
      id: 'e',
      query: TEN_MINUTES,
      going: true,
      fromMs: states[0]!.runs[0]!.fromMs,
      untilMs: EIGHT + 700_000,
      requested: null,
      observedS: 605,
      unobserved: [{ fromMs: EIGHT + 400_000, untilMs: EIGHT + 490_000 }],
      lastSeen: states[0]!.lastSeen,
      confidence: 0.91234,
      described: DESCRIBED!,
    };
    expect(describeAbsence(absence, 'Asia/Tokyo')).toEqual({
      label: 'nobody in view for 10 min',
      category: 'object',
      severity: 'low',
      confidence: 0.912,
      explanation:
        'Not found from 17:00:05 to 17:11:40, 10 min 5 s of which were observed, and not 17:06:40 to 17:08:10; seen last at 17:00:05.',
      caveats: ['not observed: 17:06:40 to 17:08:10'],
    });
    const requested = { fromMs: EIGHT, untilMs: EIGHT + HOUR_MS };
    const daily = {
      ...absence,
      query: by(8, 9),
      requested,
      untilMs: requested.untilMs,
      unobserved: [],
      lastSeen: null,
    };
    expect(describeAbsence(daily, 'UTC')).toMatchObject({
      label: 'nobody in view between 08:00 and 09:00',
      explanation: expect.stringMatching(/without a gap; not seen before, since the observation began\.$/),
    });
    expect(describeAbsence({ ...daily, query: by(0, 9) }, 'UTC').label).toBe('nobody in view by 09:00');
  });
});
