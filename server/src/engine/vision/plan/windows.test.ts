import { expect, it } from 'vitest';
import { line, objects, observations, signals, sound } from '../../find/observations.fixture.ts';
import { createTelemetry } from '../../observe/telemetry/samples.ts';
import { createPlanner } from '../../plan/index.ts';
import { estimateVision } from '../estimate.ts';
import type { VerifyMode } from '../types.ts';
import { collectMoments } from './moments.ts';
import { planSurvey } from './survey.ts';
import { planWindows } from './windows.ts';

const plan = createPlanner().planQuery('is the worker wearing a helmet');
const all = (seconds: number) => ({ from: 0, to: seconds });
const one = (value: number) => Float32Array.of(value);
const shownS = (windows: readonly { from: number; to: number }[]) =>
  windows.reduce((sum, { from, to }) => sum + to - from, 0);

it.each([1, 8, 30, 100, 140])('shows all of %d s, in at most seven windows', (seconds) => {
  const windows = planWindows(observations(seconds, { signals: signals(seconds) }), all(seconds), {
    moments: [],
    seed: 'a',
  });
  expect(windows.length).toBeLessThanOrEqual(7);
  expect(shownS(windows)).toBeCloseTo(seconds, 6);
  for (const { frames, from, to } of windows) {
    expect(frames.length).toBeLessThanOrEqual(12);
    expect(frames.every(({ timeS }) => timeS >= from - 0.05 && timeS <= to)).toBe(true);
  }
});

it('spreads windows evenly over a long range if nothing is known about it', () => {
  const windows = planWindows(observations(3600), all(3600), { moments: [], seed: 'a' });
  expect(windows).toHaveLength(20);
  const starts = windows.map(({ from }) => from);
  expect(Math.max(...starts.slice(1).map((start, i) => start - starts[i]!))).toBeLessThanOrEqual(181);
});

it('shows what fits the prompt first, and never leaves the rest of the range unseen', () => {
  const track = { className: 'person', from: 2000, to: 2030, at: line(0, [0.1, 0.5], 1, [0.5, 0.5]) };
  const video = observations(3600, {
    objects: objects(3600, [track], 1),
    sound: sound(3600, (t) => (t >= 900 && t < 902 ? -5 : -40)),
  });
  const moments = collectMoments(plan, video);
  expect(moments.filter(({ source }) => source === 'plan').map(({ timeS }) => timeS)).toEqual([2000, 2015, 2030]);
  expect(moments.filter(({ source }) => source === 'change').map(({ timeS }) => Math.round(timeS))).toEqual([900]);
  const windows = planWindows(video, all(3600), { moments, found: [100, 102, 3000], seed: 'a' });
  const shows = (timeS: number) => windows.some(({ from, to }) => from <= timeS && timeS <= to);
  for (const timeS of [100, 900, 2000, 2015, 2030, 3000]) expect([timeS, shows(timeS)]).toEqual([timeS, true]);
  expect(windows.filter(({ from }) => from < 1800).length).toBeGreaterThanOrEqual(6);
  expect(windows.filter(({ from }) => from > 2100).length).toBeGreaterThanOrEqual(5);
});

it('shows where words of the prompt are spoken or written, and where sounds start', () => {
  const speech = {
    model: 'm',
    isMultilingual: false,
    language: 'en',
    languages: null,
    texts: ['the forklifts are here', 'somebody is there'],
    startS: Float64Array.of(50, 70),
    endS: Float64Array.of(52, 72),
    confidence: Float32Array.of(1, 1),
    voiceStartS: new Float64Array(),
    voiceEndS: new Float64Array(),
  };
  const box = { x: one(0.5), y: one(0.5), width: one(0.1), height: one(0.1) };
  const reading = { score: 1, reading: Int32Array.of(0), ...box };
  const text = {
    model: 'm',
    minHeight: 10,
    readings: [],
    timeS: Float64Array.of(10, 200),
    pts: Float64Array.of(0, 0),
    texts: [
      { ...reading, text: 'FORKLIFT 3', frame: Int32Array.of(1) },
      { ...reading, text: 'Exit', frame: Int32Array.of(0) },
    ],
  };
  const sounds = {
    model: 'm',
    startS: 0,
    stepS: 0.5,
    windowS: 1,
    offset: Int32Array.of(0, 0, 1, 2, 4),
    classIndex: Int32Array.of(7, 7, 7, 9),
    score: Uint8Array.of(200, 200, 200, 20),
  };
  const video = { ...observations(300), speech, text, sounds };
  const moments = collectMoments(createPlanner().planQuery('why does somebody lift the forklift'), video);
  expect(moments).toEqual([
    { timeS: 50, source: 'plan' },
    { timeS: 200, source: 'plan' },
    { timeS: 200, source: 'plan' },
    { timeS: 0.5, source: 'change' },
  ]);
});

it('shows where telemetry says that the vehicle stops and drives off: a wait at a red light has no lively frames', () => {
  // 15 m/s, standing from 1000 s to 1060 s.
  const speedMps = (t: number) => Math.min(15, 2 * Math.max(0, 1000 - t, t - 1060));
  const samples = Array.from({ length: 3600 }, (_, timeS) => ({ timeS, speedMps: speedMps(timeS) }));
  const video = observations(3600, { telemetry: { telemetry: createTelemetry('test', samples), reason: null } });
  const moments = collectMoments(plan, video);
  const times = moments.map(({ timeS }) => timeS);
  expect(times).toHaveLength(2);
  expect(Math.abs(times[0]! - 1000)).toBeLessThanOrEqual(2);
  expect(Math.abs(times[1]! - 1060)).toBeLessThanOrEqual(2);
  const windows = planWindows(video, all(3600), { moments, seed: 'a' });
  for (const timeS of times) expect(windows.some(({ from, to }) => from <= timeS && timeS <= to)).toBe(true);
});

it('takes the objects of a prompt from its plan: a cyclist is found as a bicycle', () => {
  const track = { className: 'bicycle', from: 10, to: 20, at: line(0, [0.1, 0.5], 1, [0.5, 0.5]) };
  const video = observations(60, { objects: objects(60, [track], 1) });
  const cyclist = createPlanner().planQuery('a cyclist without a helmet');
  expect(collectMoments(cyclist, video).map(({ timeS }) => timeS)).toEqual([10, 15, 20]);
});

it('shows frames whose vectors fit the prompt', () => {
  const video = observations(3600);
  const moments = collectMoments(plan, video, [1234, 2345]);
  expect(moments).toEqual([1234, 2345].map((timeS) => ({ timeS, source: 'plan' })));
  const windows = planWindows(video, all(3600), { moments, seed: 'a' });
  for (const timeS of [1234, 2345])
    expect(windows.some(({ frames }) => frames.some((frame) => Math.abs(frame.timeS - timeS) < 0.1))).toBe(true);
});

it('moves frames to cuts and to starts and ends of tracks', () => {
  const video = observations(8, { signals: signals(8, (t) => (Math.abs(t - 3.2) < 0.01 ? { cut: 90 } : {})) });
  const [window] = planWindows(video, all(8), { moments: collectMoments(plan, video), seed: 'a' });
  expect(window!.frames.map(({ timeS }) => timeS)).toContain(3.2);
});

it('requests frames between sparse observations', () => {
  const video = observations(60, { signals: signals(60, undefined, 0.1) });
  const [window] = planWindows(video, all(60), { moments: [], seed: 'a' });
  expect(window!.frames).toHaveLength(12);
});

it.each([600, 3600, 36_000])('surveys every minute of %d s with a bounded number of cells', (seconds) => {
  const cells = planSurvey(all(seconds))
    .flat()
    .flatMap(({ times }) => times);
  expect(cells.length).toBeLessThanOrEqual(1800);
  for (let minute = 0; minute < seconds; minute += 60)
    expect(cells.some((timeS) => timeS >= minute && timeS < minute + 60)).toBe(true);
});

it('estimates tokens within the default budget of an hour', () => {
  const estimate = (prompt: string, durationS: number, verify: VerifyMode = 'auto') =>
    estimateVision(createPlanner().planQuery(prompt), { durationS }, { tokensPerQuestion: 300_000, verify });
  expect(estimate('a red car', 60, 'never')).toEqual({ calls: 0, inputTokens: 0, outputTokens: 0 });
  // Verification of what observers find costs, too: six looks for each of two events, and a control.
  expect(estimate('a red car', 60).calls).toBe(13);
  expect(estimate('a red car', 60, 'always').inputTokens).toBeGreaterThan(estimate('a red car', 60).inputTokens);
  expect(estimate('a loud noise', 60, 'always').calls).toBe(0);
  // All that is found is shown if frames may show words that observers do not check.
  expect(estimate('a small dog', 60).calls).toBeGreaterThan(estimate('a dog', 60).calls);
  expect(estimate('a pothole', 8).calls).toBeGreaterThan(1);
  expect(estimate('a pothole', 3600).inputTokens).toBeLessThanOrEqual(300_000);
  expect(estimate('a pothole', 60).inputTokens).toBeGreaterThan(estimate('a pothole', 8).inputTokens);
});
