import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import type { Answer } from '#engine/index';
import { loadConfig } from '#platform/config/index';
import { createLog } from '#platform/log';
import { sceneClip } from '#test/media/clips';
import { startVisionModel } from '#test/servers/vision-model';
import { createTimedOracle } from '#test/servers/vision-oracle';
import { evaluateLabels } from './evaluate-labels.ts';
import { judgeLabel, measureReliability, summarize } from './score.ts';

const answerOf = (spans: [number, number][], answer: string | null = null): Answer => ({
  interpretation: '',
  candidates: [],
  answer,
  summary: 'Nothing.',
  coverage: [],
  events: spans.map(([startS, endS]) => ({ startS, endS })) as Answer['events'],
});
const label = (events: [number, number][], answer?: string) => ({ video: 'a.mp4', prompt: 'p', events, answer });

test.each([
  ['an event that overlaps', label([[2, 6]]), answerOf([[2.5, 6.5]]), true],
  ['a short event with close edges', label([[2, 2.1]]), answerOf([[2.6, 2.9]]), true],
  ['a missed event', label([[2, 6]]), answerOf([]), false],
  ['an event elsewhere', label([[2, 6]]), answerOf([[20, 26]]), false],
  [
    'an event that is found twice',
    label([[2, 6]]),
    answerOf([
      [2, 6],
      [2, 5],
    ]),
    false,
  ],
  ['nothing where nothing is', label([]), answerOf([]), true],
  ['something where nothing is', label([]), answerOf([[1, 2]]), false],
  ['the words', label([], 'YES'), answerOf([], 'Yes: at 0:02.0.'), true],
  ['other words', label([], 'yes'), answerOf([], 'No.'), false],
])('judges %s', (_name, given, answer, isRight) => {
  expect(judgeLabel(given, answer).isRight).toBe(isRight);
});

test('sums up precision, recall and edges', () => {
  const judged = [
    judgeLabel(
      label([
        [2, 6],
        [10, 12],
      ]),
      answerOf([[2.5, 6]]),
    ),
    judgeLabel(label([]), answerOf([[1, 2]])),
  ];
  expect(summarize(judged)).toMatchObject({
    prompts: 2,
    right: 0,
    precision: 0.5,
    recall: 0.5,
    median_edge_error_s: 0.5,
  });
});

test('states how often events of each confidence are right', () => {
  const surely = (confidences: number[], ...spans: [number, number][]) => {
    const answer = answerOf(spans);
    return { ...answer, events: answer.events.map((event, i) => ({ ...event, confidence: confidences[i]! })) };
  };
  const judged = [
    judgeLabel(label([[2, 6]]), surely([0.95, 0.55], [2, 6], [20, 22])),
    judgeLabel(label([[2, 6]]), surely([0.91], [2, 6])),
    // Of a prompt without labels of events nothing is known.
    judgeLabel({ video: 'a.mp4', prompt: 'p', answer: 'yes' }, surely([0.7], [2, 6])),
  ];
  expect(measureReliability(judged)).toEqual([
    { from: 0.5, events: 1, mean_confidence: 0.55, right: 0 },
    { from: 0.9, events: 2, mean_confidence: 0.93, right: 1 },
  ]);
  expect(measureReliability([])).toEqual([]);
});

test('judges candidates apart from events', () => {
  const candidateAt = (startS: number, endS: number, confidence: number) =>
    ({ startS, endS, confidence }) as Answer['candidates'][number];
  const answer = {
    ...answerOf([[2, 6]]),
    candidates: [candidateAt(10, 13, 0.28), candidateAt(10, 12, 0.22), candidateAt(30, 33, 0.12)],
  };
  const judged = [
    judgeLabel(
      label([
        [2, 6],
        [10, 12],
        [20, 22],
      ]),
      answer,
    ),
  ];
  expect(judged[0]).toMatchObject({ isRight: false, matched: 1, hinted: 1 });
  expect(summarize(judged)).toMatchObject({
    precision: 1,
    recall: 0.333,
    candidates: 3,
    right_candidates: 0.667,
    missed_events_with_candidate: 0.5,
  });
  expect(measureReliability(judged, 'candidates')).toEqual([
    { from: 0.1, events: 1, mean_confidence: 0.12, right: 0 },
    { from: 0.2, events: 2, mean_confidence: 0.25, right: 1 },
  ]);
});

let dir: string | null = null;
afterEach(async () => {
  if (dir) await rm(dir, { recursive: true, force: true });
  dir = null;
  vi.restoreAllMocks();
});

async function evaluate(labels: unknown, env: Record<string, string> = {}): Promise<string> {
  dir = await mkdtemp(join(tmpdir(), 'sightline-eval-'));
  const file = join(dir, 'labels.json');
  await writeFile(file, JSON.stringify(labels));
  const written: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  const config = loadConfig({ SIGHTLINE_DATA_DIR: dir, SIGHTLINE_MODELS_DOWNLOAD: 'false', ...env }, 2);
  const context = { config, log: createLog('silent'), interrupted: new AbortController().signal };
  await evaluateLabels(context, { labels: file, json: true });
  return written.join('');
}

test('asks every prompt with the configured model and prints the figures', async () => {
  // The event of the scene that the model sees.
  const oracle = await createTimedOracle({ unicorn: [[3, 6]] });
  const model = await startVisionModel(oracle.script);
  try {
    const video = await sceneClip();
    const labels = [
      { video, prompt: 'a unicorn', events: [[3, 6]] },
      { video, prompt: 'a dragon', events: [] },
      { video, prompt: 'how long is the video', answer: 's' },
    ];
    const env = { SIGHTLINE_VISION_URL: model.url, SIGHTLINE_VISION_MODEL: 'eyes' };
    const result = JSON.parse(await evaluate({ labels }, env));
    expect(result).toMatchObject({ prompts: 3, right: 1, precision: 1, recall: 1 });
    expect(result.labels).toMatchObject([{ isRight: true }, { isRight: true }, { isRight: true }]);
    expect(result.median_edge_error_s).toBeLessThan(0.3);
    expect(result.tokens).toBeGreaterThan(0);
  } finally {
    await model.close();
  }
});

test('names what is wrong with a file of labels', async () => {
  await expect(evaluate({ labels: [{ video: 7 }] })).rejects.toThrow(/labels\.json: `\/labels\/0/);
});
