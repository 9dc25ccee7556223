import { describe, expect, it } from 'vitest';
import { answerPrompt, toRows } from '../../answer.fixture.ts';
import { createTelemetry, type TelemetrySample } from '../../observe/telemetry/samples.ts';
import { objects, observations, signals } from '../observations.fixture.ts';

const samples = Array.from({ length: 400 }, (_, i): TelemetrySample => {
  const timeS = i / 10;
  return { timeS, speedMps: timeS < 10 ? 10 : timeS < 20 ? 0 : 12, yawRateDps: 0 };
});
const drive = observations(40, {
  signals: signals(40),
  objects: objects(40, []),
  telemetry: { telemetry: createTelemetry('test', samples), reason: null },
});
const fixed = observations(40, { signals: signals(40), objects: objects(40, []) });

describe('"it", where nothing was named before', () => {
  it.each([
    ['when did it stop', 'when did we stop'],
    ['and when did it get going again', 'when did we get going'],
    ['when does it start moving', 'when do we start moving'],
  ])('is the vehicle that records, in footage from one: %s', (prompt, plain) => {
    const answer = answerPrompt(prompt, drive);
    const times = toRows(answer).map(([, ...own]) => own);
    expect(times).toEqual(toRows(answerPrompt(plain, drive)).map(([, ...own]) => own));
    expect(times).toHaveLength(1);
    expect(answer.interpretation).toContain('recording vehicle');
    expect(answer.interpretation).not.toContain('not checked');
  });

  it('is any object in other footage, which is stated', () => {
    const { interpretation, answer } = answerPrompt('when did it stop', fixed);
    expect(interpretation).toContain('not checked: "it"');
    expect(answer).toContain('the prompt names nothing before this');
  });
});
