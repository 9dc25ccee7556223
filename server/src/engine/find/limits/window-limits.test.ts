// Nothing outside of the window of a prompt changes its answer, its events or its coverage.
import { describe, expect, test } from 'vitest';
import { answerPrompt } from '../../answer.fixture.ts';
import { answer } from '../../answer.ts';
import type { Observations } from '../../observe/observations.ts';
import { createTranscript } from '../../observe/speech/transcriber.ts';
import { createTelemetry } from '../../observe/telemetry/samples.ts';
import { createPlanner } from '../../plan/index.ts';
import {
  type Frame,
  line,
  objects,
  observations,
  signals,
  signalsAt,
  sound,
  still,
  type TrackSpec,
} from '../observations.fixture.ts';

const planner = createPlanner();
const LENGTH_S = 60;
/** From here on the videos differ; prompts ask about what lies well before. */
const QUIET_S = 20;

const visitor: TrackSpec = {
  className: 'person',
  from: 3,
  to: 8,
  at: line(3, [0.1, 0.5], 8, [0.9, 0.5]),
  size: () => [0.1, 0.3],
};
/** After 20 s: dark, moving, with tiny people, lights of unknown color and another language. */
const LATER: TrackSpec[] = [
  { className: 'person', from: 25, to: 30, at: still(0.5, 0.5), size: () => [0.005, 0.02] },
  { className: 'truck', from: 25, to: 30, at: still(0.2, 0.5), size: () => [0.01, 0.01] },
  { className: 'cup', from: 25, to: 30, at: still(0.2, 0.7), size: () => [0.005, 0.005] },
  { className: 'traffic light', from: 25, to: 30, at: still(0.6, 0.2), size: () => [0.004, 0.01] },
  ...Array.from({ length: 14 }, (_, i): TrackSpec => {
    return { className: 'person', from: 50, to: 58, at: still(0.05 + 0.06 * i, 0.6), size: () => [0.03, 0.1] };
  }),
];
const noise = (t: number): Frame =>
  t < QUIET_S
    ? {}
    : { luma: 12, advance: t % 2 < 1 ? 0.1 : -0.1, zoom: 0, globalX: t > 40 ? 0.2 : 0, localMotion: 0.2 };

function speech(isNoisy: boolean) {
  const transcript = createTranscript('whisper_tiny 0123456789ab', { isMultilingual: true });
  transcript.addSegment({ startS: 2, endS: 4, text: 'Please stop the fork lift.', language: 'en', confidence: 0.9 });
  if (isNoisy)
    for (let startS = 30; startS < 50; startS += 4)
      transcript.addSegment({ startS, endS: startS + 3, text: 'Bitte den Stapler.', language: 'de', confidence: 0.9 });
  return { ...transcript.finish(), language: 'en' };
}

function telemetry(isNoisy: boolean) {
  const samples = Array.from({ length: LENGTH_S * 10 }, (_, i) => i / 10).filter((t) => !isNoisy || t < QUIET_S);
  return {
    telemetry: createTelemetry(
      'test',
      samples.map((timeS) => ({ timeS, speedMps: 3 })),
    ),
    reason: null,
  };
}

/** A video with a person in its first seconds; `isNoisy`: with all of the above after them. */
function video(isNoisy: boolean, more: Partial<Observations> = {}): Observations {
  const observed = observations(LENGTH_S, {
    signals: signals(LENGTH_S, isNoisy ? noise : () => ({})),
    objects: objects(LENGTH_S, isNoisy ? [visitor, ...LATER] : [visitor]),
    sound: sound(LENGTH_S, (t) => (t < 15 ? -70 : isNoisy && t > QUIET_S ? -10 : -40)),
    speech: speech(isNoisy),
  });
  return { ...observed, ...more, video: { ...observed.video, ...(isNoisy ? { claimedS: 600 } : {}) } };
}

const telemetric = (isNoisy: boolean) => video(isNoisy, { telemetry: telemetry(isNoisy) });

/** The same, of which a frame was sampled every two seconds, or four after 20 s. */
function sampled(isNoisy: boolean): Observations {
  const times = Array.from({ length: LENGTH_S / 2 }, (_, i) => i * 2).filter(
    (t) => !isNoisy || t < QUIET_S || t % 4 === 0,
  );
  const dense = objects(LENGTH_S, isNoisy ? [visitor, ...LATER] : [visitor], 1 / 2);
  const pass = {
    signals: signalsAt(times),
    objects: dense,
    sound: null,
    quiet: isNoisy ? [{ startS: 30, endS: 50 }] : [],
  };
  return { ...observations(LENGTH_S, pass), sparsePass: pass };
}

describe.each([
  ['objects', video, 'a person'],
  ['counts', video, 'how many people are there'],
  ['absence', video, 'nobody is there'],
  ['absence of a class that is often missed', video, 'is there a truck'],
  ['small objects', video, 'is there a cup'],
  ['motion of objects', video, 'a person moves'],
  ['pairs', video, 'a person near another person'],
  ['traffic lights', video, 'is there a red traffic light'],
  ['anything', video, 'what happens'],
  ['the camera', video, 'does the camera turn'],
  ['states of the picture', video, 'is it dark'],
  ['motion', video, 'something moves'],
  ['sounds', video, 'is there a siren'],
  ['levels', video, 'is it silent'],
  ['words', video, 'when does someone say "forklift"'],
  ['measurements', telemetric, 'speed above 50 km/h'],
  ['sampled objects', sampled, 'a person'],
  ['absence in sampled frames', sampled, 'is there a car'],
] as const)('a window: %s', (_kind, make, prompt) => {
  test('is answered by what is in it', () => {
    const plan = { ...planner.planQuery(prompt), window: { from: 0, to: 12 } };
    const [noisy, quiet] = [true, false].map((isNoisy) => {
      const { coverage, ...rest } = answer(plan, make(isNoisy));
      // `by` is about the whole video: a speech recognizer names all languages that it heard.
      return { ...rest, coverage: coverage.map(({ by: _, ...row }) => row) };
    });
    expect(noisy).toEqual(quiet);
  });
});

test('the whole video has the limits of all of it', () => {
  const reasons = (prompt: string, observed = video(true)) =>
    answerPrompt(prompt, observed)
      .coverage.map(({ reason }) => reason)
      .join('; ');
  expect(reasons('a truck')).toMatch(/of this size in a video this dark.*something moved for \d+ s/);
  expect(reasons('a person moves')).toContain('the camera moves for most of the time');
  expect(reasons('a red traffic light')).toContain('the color of 1 of 1 traffic lights is not known');
  expect(reasons('someone says forklift')).toContain('some of the speech is in another language (de)');
  expect(reasons('speed above 50 km/h', telemetric(true))).toContain('telemetry covers 3');
  expect(reasons('a car', sampled(true))).toMatch(/up to 4 s apart.*nothing changed in 20 s/);
  expect(answerPrompt('is there a car', video(true)).answer).toContain('The file ends early');
});

describe('events in one window', () => {
  const moving = observations(LENGTH_S, {
    signals: signals(LENGTH_S, (t) => ({ localMotion: t > 35 && t < 50 ? 0.1 : 0 })),
    objects: objects(LENGTH_S, [{ ...visitor, from: 20, to: 25 }]),
  });

  test('are doubted for what happens during them alone', () => {
    const [before, after] = answerPrompt('nobody is there', moving).events;
    expect([before!.endS, after!.startS]).toEqual([19.8, 25.2]);
    expect(after!.confidence).toBeLessThan(before!.confidence - 0.2);
  });

  test('have the caveats of their own time', () => {
    const drive = observations(LENGTH_S, {
      signals: signals(LENGTH_S, (t) => ({ advance: t > 20 ? 0.1 : 0 })),
      objects: objects(LENGTH_S, [visitor, { ...visitor, from: 40, to: 45, at: line(40, [0.1, 0.5], 45, [0.9, 0.5]) }]),
    });
    const caveats = answerPrompt('a person moves', drive).events.map((event) => event.caveats.length);
    expect(caveats).toEqual([0, 1]);
  });
});

test('a window between two samples was not looked at, and is not outside of the video', () => {
  const { coverage } = answerPrompt('a person between 0:04.5 and 0:05.5', sampled(false));
  expect(coverage[0]!.reason).toMatch(/^no frame of the requested time range was sampled: /);
});
