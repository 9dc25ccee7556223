import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MODELS } from '#test/footage';
import { answerPrompt, toRows } from '../../answer.fixture.ts';
import { createSoundClasses } from '../../observe/sounds/observer.ts';
import { CLASS_COUNT } from '../../observe/sounds/recognizer.ts';
import { RECOGNIZED_SOUNDS, type RecognizedSound } from '../../plan/index.ts';
import { observations, signals, sound } from '../observations.fixture.ts';
import { findRecognized, spanTimes } from './find-recognized.ts';
import { SOUND_RULES } from './sound-classes.ts';

const STEP_S = 0.4875;

/** Sounds of 20 s: the score of a sound's first class at a time. */
function soundsOf(name: RecognizedSound, score: (timeS: number) => number) {
  const collected = createSoundClasses('yamnet 0123456789ab');
  for (let window = 0; window < Math.floor(20 / STEP_S); window++) {
    const scores = new Float32Array(CLASS_COUNT);
    scores[Object.values(SOUND_RULES[name].classes)[0]!] = score((window + 1) * STEP_S);
    collected.addScores(scores);
  }
  return collected.finish();
}
const videoWith = (name: RecognizedSound, score: (timeS: number) => number) =>
  observations(20, { signals: signals(20), sound: sound(20, () => -30), sounds: soundsOf(name, score) });
const during = (from: number, to: number) => (timeS: number) => (timeS >= from && timeS <= to ? 0.95 : 0);

describe('recognized sounds', () => {
  it.each(RECOGNIZED_SOUNDS.map((name) => [name]))('%s is found at its time, and no other sound', (name) => {
    const video = videoWith(name, during(6, 10));
    const rows = RECOGNIZED_SOUNDS.map((other) => [other, findNamed(other, video)] as const);
    for (const [other, found] of rows) expect(found.length, other).toBe(other === name ? 1 : 0);
    const [start, end] = findNamed(name, video)[0]!;
    expect(start).toBeGreaterThan(5.4);
    expect(end).toBeLessThan(10.6);
  });

  it('a pause between barks is part of the event, a long one is not', () => {
    const barks = videoWith('dog_bark', (t) => during(3, 4)(t) + during(5, 6)(t) + during(12, 13)(t));
    expect(toRows(answerPrompt('dog barking', barks)).map(([label]) => label)).toEqual(['dog barking', 'dog barking']);
  });

  it('answers questions, and states the score and the model', () => {
    const video = videoWith('dog_bark', during(6, 10));
    const answer = answerPrompt('is a dog barking?', video);
    expect(answer.answer).toMatch(/^Yes/);
    expect(answer.coverage[0]).toMatchObject({ status: 'looked_for', by: ['sounds (yamnet)'], reason: null });
    expect(answer.events[0]).toMatchObject({
      explanation: expect.stringContaining('score of up to 0.95'),
      evidence: { signals: [{ name: 'sound score', unit: 'score' }] },
    });
    expect(answerPrompt('is there any music?', video).answer).toMatch(/^No/);
    expect(toRows(answerPrompt('no music', video))).toHaveLength(1);
  });

  it('what is not recognized reliably is a candidate', () => {
    const answer = answerPrompt('a siren', videoWith('siren', during(6, 10)));
    expect(answer.events).toEqual([]);
    expect(answer.candidates).toMatchObject([{ label: 'siren', severity: 'medium' }]);
    expect(answer.coverage[0]).toMatchObject({
      status: 'partly',
      by: ['sounds (yamnet)'],
      reason: expect.stringContaining('candidate'),
    });
  });

  it('without recognized sounds, what may be one is a candidate', () => {
    const video = observations(20, { signals: signals(20), sound: sound(20, (t) => (t >= 6 && t < 10 ? -20 : -80)) });
    const answer = answerPrompt('a siren', video);
    expect(answer.events).toEqual([]);
    expect(answer.candidates).toHaveLength(1);
    expect(answer.coverage[0]).toMatchObject({ status: 'partly', reason: expect.stringContaining('not available') });
  });
});

/** Intervals of a sound in a video, by a plan instead of words. */
function findNamed(name: RecognizedSound, video: ReturnType<typeof observations>): [number, number][] {
  return findRecognized(name, video.sounds!).map((interval) => {
    const { startS, endS } = spanTimes(interval, video.sounds!);
    return [startS, endS];
  });
}

describe.skipIf(MODELS === null)('classes of the model', () => {
  it('are those that the rules name', async () => {
    const map = await readFile(join(MODELS!, 'yamnet_class_map.csv'), 'utf8');
    const names = map
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.replace(/^\d+,[^,]+,/, '').replaceAll(/"|\s+$/g, ''));
    expect(names).toHaveLength(CLASS_COUNT);
    for (const name of RECOGNIZED_SOUNDS) {
      for (const [className, index] of Object.entries(SOUND_RULES[name].classes))
        expect(names[index], name).toBe(className);
    }
  });
});
