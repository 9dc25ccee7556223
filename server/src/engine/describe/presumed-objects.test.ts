import { describe, expect, it } from 'vitest';
import { answerPrompt } from '../answer.fixture.ts';
import { parkedCar, redCar, video, visitor } from '../find/actions/tracks.fixture.ts';

describe('what a prompt presumes', () => {
  it.each([
    ['is the car moving', 'no car was found in the video'],
    ['does the car leave', 'no car was found in the video'],
    ['how many people are in the car', 'no car was found in the video'],
    ['how many people get out of the car', 'no car was found in the video'],
    ['is there a person behind the car', 'no car was found in the video'],
    ['is the red car moving', 'no red car was found in the video'],
    ['how often do the cars stop', 'no cars were found in the video'],
    ['when does the dog stand still', 'no dog was found in the video'],
    ['does the dog leave in the first 10 seconds', 'no dog was found in the searched part of the video'],
    ['wann hält das Auto an', 'no car was found in the video'],
  ])('leaves open what it does where it is never found: %s', (prompt, sentence) => {
    const { answer } = answerPrompt(prompt, video(20, visitor));
    expect(answer).toMatch(/^Not certain/);
    expect(answer).toContain(`: ${sentence}.`);
  });

  it.each(['is there a car', 'is the car in view', 'does the car appear', 'any moving car', 'does a car leave'])(
    'is not what the prompt asks for: %s',
    (prompt) => {
      expect(answerPrompt(prompt, video(20, visitor)).answer).toBe('No: it was looked for and not found.');
    },
  );

  it.each(['is there a cat on the car', 'is there a bus behind the car', 'does a dog approach the car'])(
    'decides nothing where the other one is missing, too: %s',
    (prompt) => {
      expect(answerPrompt(prompt, video(20, visitor)).answer).not.toContain('no car was found');
    },
  );

  it.each([
    ['is the car moving', 'No: it was looked for and not found.'],
    ['how many people are in the car', '0: it was looked for and not found.'],
  ])('decides nothing where it is found: %s', (prompt, answer) => {
    expect(answerPrompt(prompt, video(20, visitor, parkedCar)).answer).toBe(answer);
  });

  it('is a part of one of several answers', () => {
    expect(answerPrompt('does the car or the dog leave', video(20, redCar)).answer).toMatch(
      /^Yes.*no dog was found in the video/,
    );
  });
});
