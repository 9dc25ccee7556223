import { expect, test } from 'vitest';
import { toSentence } from './sentence.ts';

test.each([
  ['a still scene looks the same as a frozen video', 'A still scene looks the same as a frozen video.'],
  ['Difference between frames fell to 0.001 for 1.5 s.', 'Difference between frames fell to 0.001 for 1.5 s.'],
  ['the sign reads "stop."', 'The sign reads "stop."'],
  ['no person was found (a camera that moves)', 'No person was found (a camera that moves).'],
  ['  ', ''],
])('the phrase %j is shown as %j', (phrase, sentence) => expect(toSentence(phrase)).toBe(sentence));
