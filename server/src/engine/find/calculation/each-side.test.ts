import { describe, expect, it } from 'vitest';
import { answerPrompt } from '../../answer.fixture.ts';
import { createTelemetry, type TelemetrySample } from '../../observe/telemetry/samples.ts';
import { objects, observations, signals, sound, still, type TrackSpec } from '../observations.fixture.ts';

const SECONDS = 40;
const BANG_S = 20;
/** One car before the bang, three after it; the vehicle stops meanwhile and drives faster afterwards. */
const car = (from: number, to: number, x: number): TrackSpec => ({
  className: 'car',
  from,
  to,
  at: still(x, 0.5),
  size: () => [0.2, 0.3],
});
const samples = Array.from({ length: SECONDS * 10 }, (_, i): TelemetrySample => {
  const timeS = i / 10;
  return { timeS, speedMps: timeS < 15 ? 8 : timeS < 25 ? 0 : 16, yawRateDps: 0 };
});
const video = observations(SECONDS, {
  signals: signals(SECONDS),
  sound: sound(SECONDS, (t) => (t >= BANG_S && t < BANG_S + 0.3 ? -5 : -50)),
  objects: objects(SECONDS, [car(2, 12, 0.2), car(25, 35, 0.2), car(26, 36, 0.5), car(27, 37, 0.8)]),
  telemetry: { telemetry: createTelemetry('test', samples), reason: null },
});
const answerOf = (prompt: string) => answerPrompt(prompt, video).answer!;

const SUBJECTS = {
  bang: { more: 'more cars', less: 'fewer cars', open: 'are there', event: 'the bang', most: '3' },
  stop: { more: 'faster', less: 'slower', open: 'are we', event: 'the stop', most: '57.6' },
} as const;
const WORDINGS = Object.values(SUBJECTS).flatMap((each) => [
  { ...each, ask: `${each.open} ` },
  { ...each, ask: '' },
]);

describe('a comparison of what is before and after an event', () => {
  it.each(WORDINGS)(
    'has the same answer whichever side is named first: $more, $event',
    ({ ask, more, event, most }) => {
      for (const choice of [
        `before ${event} or after it`,
        `after ${event} or before it`,
        `before or after ${event}`,
        `after or before ${event}`,
        `before ${event} or afterwards`,
      ]) {
        const answer = answerOf(`${ask}${more} ${choice}`);
        expect(answer, choice).toMatch(/^(?:More|Higher): /);
        expect(answer, choice).toMatch(new RegExp(`^[^;]*after[^;]* ${most}[^;]*; [^;]*before`));
      }
    },
  );

  it.each(WORDINGS)('is denied the other way round: $more, $event', ({ ask, more, less, event }) => {
    const [isAfter, isBefore] = [`after ${event} than before`, `before ${event} than after`];
    expect(answerOf(`${ask}${more} ${isAfter}`)).toMatch(/^Yes: /);
    expect(answerOf(`${ask}${less} ${isBefore}`)).toMatch(/^Yes: /);
    expect(answerOf(`${ask}${more} ${isBefore}`)).toMatch(/^No: /);
    expect(answerOf(`${ask}${less} ${isAfter}`)).toMatch(/^No: /);
  });

  it('states both values where none is compared', () => {
    expect(answerOf('how many cars are there before and after the bang')).toMatch(/before[^;]*, 1; .*after[^;]*, 3/);
    expect(answerOf('how fast are we after the stop')).toContain('57.5 km/h');
  });

  it('is not certain where the event does not happen', () => {
    const answer = answerOf('are we faster before the right turn or after it');
    expect(answer).toMatch(/^Not certain: .* and .* were not found/);
  });

  it('asks for the order of two events', () => {
    for (const choice of ['before the bang or after it', 'after or before the bang', 'before the bang or after'])
      expect(answerOf(`do we stop ${choice}`)).toMatch(/^Before: /);
  });
});
