import { expect, test } from 'vitest';
import type { Answer, VideoEvent } from '#engine/index';
import { completedDocument, failedDocument, processingDocument, toReadableEvents } from './document.ts';
import { parseImageName } from './evidence/images.ts';
import type { AnalysisHeader } from './types.ts';

const header: AnalysisHeader = {
  analysisId: 'a1',
  videoId: 'v1',
  batchId: 'b1',
  query: 'red cars',
  mode: 'thinking',
  minConfidence: 0.5,
  createdAt: new Date('2026-11-21T09:30:00Z'),
  engineVersion: 'e1',
};
const video = {
  name: 'drive.mp4',
  durationS: 4000,
  width: 1280,
  height: 720,
  frameRate: 29.97,
  sizeBytes: 1,
  sourceUri: null,
  createdAt: new Date('2026-11-21T09:00:00Z'),
};
const finding = (startS: number, endS: number): VideoEvent => ({
  startS,
  endS,
  startPts: startS * 90_000,
  endPts: endS * 90_000,
  timeBase: [1, 90_000],
  label: 'red car enters from the left',
  category: 'object',
  severity: 'high',
  confidence: 0.91,
  explanation: 'Track 3 crossed the left edge.',
  caveats: ['the pace is not checked'],
  evidence: {
    frames: [
      { role: 'first', timeS: startS, pts: 1, boxes: [] },
      { role: 'best', timeS: endS, pts: 2, boxes: [{ x: 0, y: 0, width: 1, height: 1 }] },
    ],
    tracks: [{ id: 3, className: 'car', color: 'red', path: [[1, 0.5, 0.5]] }],
    signals: [],
  },
});
const answer = (findings: VideoEvent[], words: string | null = null): Answer => ({
  interpretation: 'Understood as: a red car.',
  events: findings,
  candidates: [],
  answer: words,
  summary: 'Found some.',
  coverage: [],
});

type Event = Record<string, unknown> & { data: Record<string, unknown> };
const eventsOf = (document: Record<string, unknown>) => ({
  stored: (document.analysis as { events: Event[] }).events,
  readable: document.events as Record<string, unknown>[],
});

test('an event is complete in both forms, with the picture of its best frame', () => {
  const one = finding(0.1 + 0.2, 3725.5);
  const document = completedDocument(header, video, { p: 1 }, answer([one]), (name) => `url/${name}`);
  const { stored, readable } = eventsOf(document);
  expect(stored[0]).toMatchObject({
    event_id: 'a1-0',
    type: 'object',
    time: 't=0.300',
    end_time: 't=3725.500',
    description: 'red car enters from the left',
    severity: 'high',
    aiAnalysis: 'Track 3 crossed the left edge.',
    approval: 'pending',
    start_s: 0.3,
    end_s: 3725.5,
    data: {
      confidence: 0.91,
      annotated_thumbnail_url: 'url/000-1',
      time_base: [1, 90_000],
      evidence: {
        frames: [
          { role: 'first', url: 'url/000-0' },
          { role: 'best', url: 'url/000-1' },
        ],
        tracks: [{ id: 3, class: 'car' }],
      },
    },
  });
  expect(readable[0]).toMatchObject({ t_start: '00:00', t_end: '01:02:05', annotated_thumbnail_url: 'url/000-1' });
  // Existing clients convert whatever has both; the readable form must pass as it is.
  expect(readable[0]).not.toHaveProperty('time');
});

test('every frame of every event has a picture of its own', () => {
  const document = completedDocument(header, video, {}, answer(Array(1002).fill(finding(61, 62))), (name) => name);
  const urls = eventsOf(document).stored.flatMap(({ data }) =>
    (data.evidence as { frames: { url: string }[] }).frames.map(({ url }) => url),
  );
  expect(new Set(urls).size).toBe(2004);
  expect(urls.map(parseImageName).slice(-2)).toEqual([
    { event: 1001, frame: 0, kind: 'event' },
    { event: 1001, frame: 1, kind: 'event' },
  ]);
  expect(['1-0', '0001-0', '000-00', '000', '../000-0', '000-0.jpg', '9999999-0'].map(parseImageName)).toEqual(
    Array(7).fill(null),
  );
});

test('a stream tells events without pictures', () => {
  expect(JSON.stringify(toReadableEvents('a1', [finding(61, 62)], null))).not.toMatch(/annotated_thumbnail_url|"url"/);
});

test('without a question the answer is the summary', () => {
  const document = completedDocument(header, video, {}, answer([finding(61, 62)]), String);
  expect(document.analysis).toMatchObject({ answer: 'Found some.', summary: 'Found some.' });
  const question = completedDocument(header, video, {}, answer([], 'Two cars.'), String);
  expect(question.analysis).toMatchObject({ answer: 'Two cars.', summary: 'Found some.', events: [] });
  expect(question.metadata).toMatchObject({ visual_analysis: { status: { quick_summary: { answer: 'Two cars.' } } } });
});

test('whatever became of the analysis, what existing clients read is never null', () => {
  for (const document of [
    failedDocument(header, video, { code: 'media_damaged', message: 'The file is damaged.' }),
    failedDocument(header, null, { code: 'video_deleted', message: 'The video was deleted.' }),
    processingDocument(header, null, 12.5),
    completedDocument(header, video, {}, answer([]), String),
  ]) {
    const analysis = document.analysis as Record<string, unknown>;
    expect(analysis.status).toMatch(/^(PROCESSING|COMPLETED|FAILED)$/);
    expect(analysis.events).toEqual([]);
    expect(typeof analysis.answer).toBe('string');
    expect(typeof analysis.summary).toBe('string');
    expect(document.events).toEqual([]);
    expect(document.metadata).toMatchObject({ visual_analysis: { status: { status: analysis.status } } });
  }
});
