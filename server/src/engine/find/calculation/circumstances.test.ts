import { describe, expect, it } from 'vitest';
import { answerPrompt } from '../../answer.fixture.ts';
import { createTelemetry, type TelemetrySample } from '../../observe/telemetry/samples.ts';
import { observations, signals } from '../observations.fixture.ts';

const SECONDS = 60;
/** The vehicle turns left in this time. */
const TURN = { from: 20, to: 25 };
/** Speed in m/s, with a change in each of the parts before, during and after the turn. */
const speedAt = (t: number) => (t < 10 ? 6 : t < 22 ? 10 : t < 23 ? 8 : t < 40 ? 14 : 22);

const samples = Array.from({ length: SECONDS * 10 }, (_, i): TelemetrySample => {
  const timeS = i / 10;
  return { timeS, speedMps: speedAt(timeS), yawRateDps: timeS >= TURN.from && timeS < TURN.to ? 20 : 0 };
});
const drive = observations(SECONDS, {
  signals: signals(SECONDS),
  telemetry: { telemetry: createTelemetry('test', samples), reason: null },
});

const PARTS: Readonly<Record<string, (t: number) => boolean>> = {
  'after the turn': (t) => t > TURN.to,
  'after we turn left': (t) => t > TURN.to,
  'before the turn': (t) => t < TURN.from,
  'before we turned': (t) => t < TURN.from,
  'during the left turn': (t) => t >= TURN.from && t <= TURN.to,
};
const STATISTICS: Readonly<Record<string, (speeds: readonly number[]) => number>> = {
  'what is our top speed': (speeds) => Math.max(...speeds),
  'lowest speed': (speeds) => Math.min(...speeds),
  'how fast are we': (speeds) => speeds.reduce((sum, speed) => sum + speed, 0) / speeds.length,
};
const COMBINATIONS = Object.keys(STATISTICS).flatMap((what) => Object.keys(PARTS).map((when) => [what, when] as const));

describe('a quantity in relation to an event', () => {
  it.each(COMBINATIONS)('"%s %s" is that of the measurements in this time', (what, when) => {
    const speeds = samples.filter(({ timeS }) => PARTS[when]!(timeS)).map(({ speedMps }) => speedMps!);
    const { answer, interpretation } = answerPrompt(`${what} ${when}`, drive);
    const stated = Number(/[\d.]+(?= km\/h)/.exec(answer!)![0]);
    expect(Math.abs(stated - 3.6 * STATISTICS[what]!(speeds))).toBeLessThan(1.5);
    expect(interpretation).toMatch(/, during: .*turn/);
  });

  it('is not stated where the event does not happen', () => {
    expect(answerPrompt('what is our top speed after the right turn', drive).answer).toMatch(/^Not certain/);
  });
});
