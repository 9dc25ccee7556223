import { expect, test } from 'vitest';
import { answerPrompt } from '../answer.fixture.ts';
import { observations, signals, sound } from '../find/observations.fixture.ts';

const mute = observations(10, { signals: signals(10), hasAudio: false });

test.each(['is the man talking', 'does the woman laugh', 'is a man talking', 'is the dog barking', 'is a baby crying'])(
  'without an audio track, nobody knows of somebody in view: %s',
  (prompt) => {
    expect(answerPrompt(prompt, mute).answer).toMatch(/^Not known for .*: the video has no audio track\.$/);
  },
);

test.each(['is there music', 'is there any speech', 'is anyone talking', 'is there an alarm'])(
  'without an audio track, there is no sound: %s',
  (prompt) => {
    expect(answerPrompt(prompt, mute).answer).toBe('No: the video has no audio track.');
  },
);

test('who makes a sound is not checked', () => {
  const quiet = observations(10, { signals: signals(10), sound: sound(10, () => -90) });
  const { answer, interpretation } = answerPrompt('is the man talking', quiet);
  expect(answer).toContain('"man": who makes a sound is not checked');
  expect(interpretation).toBe('Understood as: speech (by anybody); whether it happens.');
  expect(answerPrompt('is anyone talking', quiet).answer).not.toContain('who makes a sound');
});
