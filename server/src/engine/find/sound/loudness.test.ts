import { describe, expect, it } from 'vitest';
import { answerPrompt } from '../../answer.fixture.ts';
import { objects, observations, signals, sound, type TrackSpec } from '../observations.fixture.ts';
import { meanLoudness } from './loudness.ts';

describe('mean loudness', () => {
  it('is that of the power: silence hardly changes it', () => {
    expect(meanLoudness([-20, -20])).toBeCloseTo(-20);
    expect(meanLoudness([-20, -120])).toBeCloseTo(-23, 1);
  });
});

describe('loudness', () => {
  const car: TrackSpec = { className: 'car', from: 10, to: 20, at: () => [0.5, 0.5], size: () => [0.2, 0.2] };
  const video = observations(20, {
    signals: signals(20),
    sound: sound(20, (t) => (t < 10 ? -40 : t < 15 ? -20 : -30)),
    objects: objects(20, [car]),
  });
  const answerTo = (prompt: string, of = video) => answerPrompt(prompt, of).answer;

  it('is compared between parts of the video', () => {
    expect(answerTo('is it louder in the first half or in the second half')).toMatch(
      /^Louder: .*-22\.6 dBFS.*; .*-40 dBFS/,
    );
    expect(answerTo('is it louder in the first half')).toMatch(/^No: /);
    expect(answerTo('is the sound quieter in the first half')).toMatch(/^Yes: /);
    expect(answerTo('does it get louder')).toMatch(/^Yes: /);
  });

  it('is compared before and after an event', () => {
    expect(answerTo('is it louder after the car appears')).toMatch(/^Yes: /);
    expect(answerTo('is it louder after the truck appears')).toMatch(/^Not certain|^Not known/);
  });

  it('is stated with its time', () => {
    expect(answerTo('when is it loudest')).toMatch(/^-20 dBFS at 0:10/);
    expect(answerTo('how loud is it in the first 5 seconds')).toBe('-40 dBFS on average.');
  });

  it('that differs by what nobody hears is about the same', () => {
    const even = observations(20, { signals: signals(20), sound: sound(20, (t) => (t < 10 ? -30 : -29.5)) });
    expect(answerTo('is it louder at the end', even)).toMatch(/^Not certain, they are about equally loud/);
  });

  it('is not known of a video without an audio track', () => {
    const mute = observations(20, { signals: signals(20) });
    expect(answerTo('is it louder at the end', mute)).toMatch(/^Not known.*audio/);
  });
});
