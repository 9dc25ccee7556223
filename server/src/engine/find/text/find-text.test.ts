import { expect, test } from 'vitest';
import { answerPrompt, toRows } from '../../answer.fixture.ts';
import type { Texts } from '../../observe/observations.ts';
import { createTextTracker } from '../../observe/text/text-tracker.ts';
import { observations, signals } from '../observations.fixture.ts';

type Shown = { text: string; from: number; to: number; x?: number; y?: number; score?: number };

/** Texts of 10 s that are read once a second. */
function textsOf(shown: readonly Shown[]): Texts {
  const tracker = createTextTracker();
  const times = Array.from({ length: 10 }, (_, second) => second);
  for (const timeS of times) {
    const visible = shown.filter(({ from, to }) => timeS >= from && timeS <= to);
    const sightings = visible.map(({ text, x = 0.5, y = 0.5, score = 0.95 }) => ({
      text,
      score,
      box: { x, y, width: 0.2, height: 0.05 },
    }));
    tracker.addFrame(sightings, timeS, timeS);
  }
  const facts = { model: 'pp_ocr_v4 0123456789ab', minHeight: 20 };
  return {
    ...facts,
    timeS: Float64Array.from(times),
    pts: Float64Array.from(times, (t) => t * 90_000),
    ...tracker.finish(),
  };
}
const videoWith = (...shown: Shown[]) => observations(10, { signals: signals(10), text: textsOf(shown) });

test('a text is an event with its reading, its times, and its box', () => {
  const video = videoWith({ text: 'STOP', from: 2, to: 5, x: 0.3, y: 0.4 }, { text: 'EXIT', from: 7, to: 8, y: 0.8 });
  const answer = answerPrompt('is there a sign that says STOP?', video);
  expect(toRows(answer)).toEqual([['text "STOP"', 2, 5]]);
  expect(answer.answer).toMatch(/^Yes: text "STOP", 0:02.0 to 0:05.0/);
  const [event] = answer.events;
  expect(event).toMatchObject({
    category: 'text',
    explanation: expect.stringContaining('"STOP" was read in 4 frames'),
    evidence: { signals: [{ name: 'text score', unit: 'score' }] },
  });
  for (const { boxes } of event!.evidence.frames)
    expect(boxes).toEqual([{ label: 'STOP', x: 0.2, y: 0.375, width: 0.2, height: 0.05 }]);
  expect(answer.coverage[0]).toMatchObject({
    by: ['text (pp_ocr_v4)'],
    reason: expect.stringMatching(/"sign": what a text is written on is not checked.*under 20 px high/),
  });
  const all = answerPrompt('what text is visible?', video);
  expect(toRows(all).map(([label]) => label)).toEqual(['text "STOP"', 'text "EXIT"']);
  expect(all.answer).toMatch(/^"STOP" at 0:02\.0 and "EXIT" at 0:07\.0\. Note: text under 20 px high/);
  expect(answerPrompt('what does the sign say?', videoWith()).answer).toMatch(
    /^Not certain: it was looked for and not found\. Note: "sign": what a text is written on is not checked/,
  );
  expect(answerPrompt('when does the word EXIT appear?', video).answer).toContain('0:07.0');
  expect(answerPrompt('where is the sign that says STOP?', video).answer).toMatch(/left/);
});

test('a text that was not read may have been missed', () => {
  const answer = answerPrompt('is the word "EXIT" visible?', videoWith({ text: 'STOP', from: 2, to: 5 }));
  expect(answer.events).toEqual([]);
  expect(answer.answer).toMatch(/^Not certain: it was looked for and not found/);
});

test('a number is found in the frames that show it', () => {
  const counting = Array.from({ length: 10 }, (_, at) => ({ text: `TIME ${100 + at}`, from: at, to: at }));
  const video = videoWith(...counting);
  expect(video.text!.texts).toHaveLength(1);
  expect(toRows(answerPrompt('the display shows 104', video))).toEqual([['text "TIME 104"', 4, 4]]);
  expect(answerPrompt('the display shows 10', video).events).toEqual([]);
});

test('the best reading of several frames counts', () => {
  const video = videoWith(
    { text: 'PARKLNG', from: 1, to: 1, score: 0.9 },
    { text: 'PARKING', from: 2, to: 4 },
    { text: 'PARKNG', from: 5, to: 5, score: 0.7 },
  );
  expect(toRows(answerPrompt('a sign that says PARKING', video))).toEqual([['text "PARKING"', 1, 5]]);
});

test('a text may be on several lines, if they are close to each other', () => {
  const lines = (gap: number) =>
    videoWith({ text: 'NO', from: 1, to: 4, y: 0.4 }, { text: 'PARKING', from: 1, to: 5, y: 0.4 + gap });
  expect(toRows(answerPrompt('a sign that says NO PARKING', lines(0.07)))).toEqual([['text "NO PARKING"', 1, 5]]);
  expect(answerPrompt('a sign that says NO PARKING', lines(0.4)).events).toEqual([]);
});

test('text is absent where none was read', () => {
  const rows = toRows(answerPrompt('no text on screen', videoWith({ text: 'STOP', from: 0, to: 4 })));
  expect(rows).toEqual([['no text', expect.any(Number), expect.any(Number)]]);
  expect(rows[0]![1]).toBeGreaterThan(4);
});

test('without observation, it is not looked for', () => {
  const answer = answerPrompt('a sign that says STOP', observations(10, { signals: signals(10) }));
  expect(answer.coverage[0]).toMatchObject({
    status: 'not_looked_for',
    reason: expect.stringContaining('was not read'),
  });
});
