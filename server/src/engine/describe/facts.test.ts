import { expect, test } from 'vitest';
import { answerPrompt } from '../answer.fixture.ts';
import { answer } from '../answer.ts';
import { observations, signals, sound } from '../find/observations.fixture.ts';
import type { FileFacts } from '../observe/observations.ts';
import { createTelemetry } from '../observe/telemetry/samples.ts';
import { createPlanner, type Plan } from '../plan/index.ts';

const video = observations(75, { signals: signals(75) });

test.each([
  ['how long is the video?', /^The video is 75 s long \(1:15\.0\)\.$/, 'length of the video'],
  ['what resolution is the video', /^\d+ × \d+ pixels\.$/, 'resolution'],
  ['how many frames per second', /^\d+ frames per second\.$/, 'frames per second'],
])('%s is answered in words, without events', (prompt, pattern, restated) => {
  const result = answerPrompt(prompt, video);
  expect(result.answer).toMatch(pattern);
  expect(result).toMatchObject({
    events: [],
    summary: result.answer,
    interpretation: expect.stringContaining(restated),
    coverage: [{ status: 'looked_for', by: ['file'], reason: null }],
  });
});

const file: FileFacts = {
  container: 'mp4',
  sizeBytes: 3_513_317,
  codec: 'h264',
  pixelFormat: 'yuv420p10le',
  hdr: 'PQ',
  audio: { codec: 'aac', sampleRate: 48_000, channels: 2 },
  createdAt: '2024-06-09T07:30:40.000Z',
  camera: 'Maker One',
};
const stated = observations(10, { signals: signals(10), sound: sound(10, () => -30), file });

test.each([
  ['when was it recorded', /2024-06-09 07:30:40 UTC/],
  ['which codec', /H\.264.*AAC/],
  ['file type?', /^MP4\.$/],
  ['file size', /^3\.5 MB \(3,513,317 bytes\)\.$/],
  ['is it hdr', /^Yes: HDR \(PQ\), 10 bits/],
  ['what camera was used', /Maker One/],
  ['is there sound on this', /^Yes: .*AAC.*not silent/],
  ['bit rate', /^2\.81 Mbit\/s/],
  ['portrait or landscape?', /^Landscape: 1280 × 720 pixels, aspect ratio 16:9\.$/],
  ['how many shots are there', /^1 shot\.$/],
  ['how many frames does it have', /^250 frames\.$/],
])('%s is read from the file', (prompt, pattern) => {
  expect(answerPrompt(prompt, stated)).toMatchObject({ answer: expect.stringMatching(pattern), events: [] });
});

test('what the file does not state is not known', () => {
  const bare = observations(10, {
    signals: signals(10),
    file: { ...file, createdAt: null, camera: null, audio: null },
  });
  expect(answerPrompt('when was it recorded', bare).answer).toMatch(/^Not known .* does not state when/);
  expect(answerPrompt('what camera was used', bare).answer).toMatch(/^Not known/);
  expect(answerPrompt('is there audio', bare).answer).toBe('No: the video has no audio track.');
  expect(answerPrompt('which codec', video).answer).toMatch(/^Not known .*have not been read/);
});

test('an audio track in which nothing can be heard is no sound', () => {
  const silent = observations(10, { signals: signals(10), sound: sound(10, () => -90), file });
  expect(answerPrompt('does the video have audio', silent).answer).toMatch(/^No: there is an audio track \(AAC\), but/);
});

/** A plan that asks for a fact, as clients send it. */
function planFact(fact: 'mean_speed' | 'top_speed'): Plan {
  const plan = structuredClone(createPlanner().planQuery('file size'));
  plan.searches[0]!.steps[0]!.what = { kind: 'fact', fact };
  return plan;
}

test('a speed is read from telemetry', () => {
  const samples = Array.from({ length: 11 }, (_, t) => ({ timeS: t, speedMps: 2 + t }));
  const drive = observations(10, {
    signals: signals(10),
    telemetry: { telemetry: createTelemetry('test', samples), reason: null },
  });
  expect(answer(planFact('top_speed'), drive)).toMatchObject({
    answer: '12 m/s (43.2 km/h), at 0:10.0.',
    coverage: [{ status: 'looked_for', by: ['telemetry'] }],
  });
  expect(answer(planFact('mean_speed'), drive).answer).toBe('7 m/s (25.2 km/h) on average.');
});

test('a fact that the recording lacks is not known, with the reason', () => {
  expect(answer(planFact('top_speed'), video)).toMatchObject({
    answer: expect.stringMatching(/^Not known for "file size": .*telemetry/),
    events: [],
    coverage: [{ status: 'not_looked_for' }],
  });
});
