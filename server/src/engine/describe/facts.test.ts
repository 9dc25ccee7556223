import { expect, test } from 'vitest';
import { answerPrompt } from '../answer.fixture.ts';
import { observations, signals } from '../find/observations.fixture.ts';
import { createTelemetry } from '../observe/telemetry/samples.ts';

const video = observations(75, { signals: signals(75) });

test.each([
  ['how long is the video?', /^The video is 75 s long \(1:15\.0\)\.$/, 'length of the video'],
  ['what resolution is the video', /^\d+ × \d+ pixels\.$/, 'resolution'],
  ['how many frames per second', /^\d+ frames per second\.$/, 'frames per second'],
])('%s is answered in words, without events', (prompt, answer, restated) => {
  const result = answerPrompt(prompt, video);
  expect(result.answer).toMatch(answer);
  expect(result).toMatchObject({
    events: [],
    summary: result.answer,
    interpretation: expect.stringContaining(restated),
    coverage: [{ status: 'looked_for', by: ['file'], reason: null }],
  });
});

test('a speed is read from telemetry', () => {
  const samples = Array.from({ length: 11 }, (_, t) => ({ timeS: t, speedMps: 2 + t }));
  const drive = observations(10, {
    signals: signals(10),
    telemetry: { telemetry: createTelemetry('test', samples), reason: null },
  });
  expect(answerPrompt('top speed?', drive)).toMatchObject({
    answer: '12 m/s (43.2 km/h), at 0:10.0.',
    coverage: [{ status: 'looked_for', by: ['telemetry'] }],
  });
  expect(answerPrompt('how fast are we going', drive).answer).toBe('7 m/s (25.2 km/h) on average.');
});

test('a fact that the recording lacks is not known, with the reason', () => {
  expect(answerPrompt('top speed?', video)).toMatchObject({
    answer: expect.stringMatching(/^Not known for "top speed": .*telemetry/),
    events: [],
    coverage: [{ status: 'not_looked_for' }],
  });
});
