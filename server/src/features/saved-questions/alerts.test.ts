import { describe, expect, test } from 'vitest';
import { decideAlerts, isQuiet, isValidQuietHours, MAX_ALERTS, matchesRule } from './alerts.ts';
import type { AlertRule } from './types.ts';

const RULE: AlertRule = { labels: [], minConfidence: null, cooldownS: 0, quietHours: null, digest: null };
const NOW = new Date('2026-11-21T09:30:00Z');
const EVENTS = [
  { label: 'red car 1', category: 'object', confidence: 0.6 },
  { label: 'A loud bang', category: 'audio', confidence: 0.9 },
  { label: 'red car 2', category: 'object', confidence: 0.8 },
];
const STATE = { rule: RULE, enabled: true, snoozedUntil: null, lastAlertAt: null, announces: true };
const decide = (more: Partial<typeof STATE> | object = {}, events = EVENTS) =>
  decideAlerts(events, { ...STATE, ...more }, NOW);
const rule = (more: Partial<AlertRule>) => ({ rule: { ...RULE, ...more } });
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1_000);

test.each([
  [{}, [true, true, true]],
  [{ labels: ['CAR'] }, [true, false, true]],
  [{ labels: ['audio', 'car 2'] }, [false, true, true]],
  [{ minConfidence: 0.8 }, [false, true, true]],
  [{ labels: ['car'], minConfidence: 0.7 }, [false, false, true]],
])('the rule %j selects events', (more, expected) => {
  expect(EVENTS.map((event) => matchesRule(event, { ...RULE, ...more }))).toEqual(expected);
});

test('without a cooldown, each event is an alert, and the last one counts those beyond the limit', () => {
  expect(decide()).toEqual({
    matchingCount: 3,
    silenced: null,
    alerts: [0, 1, 2].map((position) => ({ position, otherEvents: 0 })),
  });
  const many = decide({}, Array(MAX_ALERTS + 5).fill(EVENTS[0]));
  expect(many.alerts).toHaveLength(MAX_ALERTS);
  expect(many.alerts.slice(-2)).toEqual([
    { position: MAX_ALERTS - 2, otherEvents: 0 },
    { position: MAX_ALERTS - 1, otherEvents: 5 },
  ]);
});

test('with a cooldown, the most confident matching event stands for all, once per interval', () => {
  const cooling = rule({ cooldownS: 60, labels: ['car'] });
  const alert = { position: 2, otherEvents: 1 };
  expect(decide(cooling).alerts).toEqual([alert]);
  expect(decide({ ...cooling, lastAlertAt: ago(60) }).alerts).toEqual([alert]);
  expect(decide({ ...cooling, lastAlertAt: ago(59) })).toEqual({ matchingCount: 2, alerts: [], silenced: 'cooldown' });
});

test.each([
  [{ announces: false }, 'not_requested'],
  [{ enabled: false }, 'paused'],
  [{ snoozedUntil: ago(-1) }, 'snoozed'],
  [{ snoozedUntil: ago(0) }, null],
  [rule({ quietHours: { from: '09:00', to: '10:00', timeZone: 'UTC' } }), 'quiet_hours'],
  [rule({ quietHours: { from: '09:00', to: '10:00', timeZone: 'Asia/Tokyo' } }), null],
])('%j is the reason %s', (more, silenced) => {
  const decision = decide(more);
  expect(decision.silenced).toBe(silenced);
  expect(decision.alerts).toHaveLength(silenced ? 0 : 3);
  expect(decide(more, []).silenced).toBeNull();
});

describe('quiet hours', () => {
  test.each([
    ['22:00', '06:00', 'UTC', '21:59', false],
    ['22:00', '06:00', 'UTC', '22:00', true],
    ['22:00', '06:00', 'UTC', '00:00', true],
    ['22:00', '06:00', 'UTC', '06:00', false],
    ['12:00', '13:00', 'UTC', '12:59', true],
    ['12:00', '13:00', 'UTC', '13:00', false],
    // In winter, Berlin is an hour ahead, and Kathmandu 5:45.
    ['00:00', '06:00', 'Europe/Berlin', '23:00', true],
    ['00:00', '06:00', 'Europe/Berlin', '05:00', false],
    ['18:00', '18:01', 'Asia/Kathmandu', '12:15', true],
  ])('%s to %s in %s at %s UTC: %s', (from, to, timeZone, time, expected) => {
    expect(isQuiet({ from, to, timeZone }, new Date(`2026-11-21T${time}:00Z`))).toBe(expected);
  });

  test('need a known time zone and two times', () => {
    expect(isValidQuietHours({ from: '22:00', to: '06:00', timeZone: 'Europe/Berlin' })).toBe(true);
    expect(isValidQuietHours({ from: '22:00', to: '06:00', timeZone: 'Mars/Base' })).toBe(false);
    expect(isValidQuietHours({ from: '06:00', to: '06:00', timeZone: 'UTC' })).toBe(false);
  });
});
