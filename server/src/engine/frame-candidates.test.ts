import { expect, test } from 'vitest';
import { DIMENSIONS, OTHER_DESCRIPTIONS, quantize } from './embeddings/index.ts';
import { observations } from './find/observations.fixture.ts';
import { addFrameCandidates } from './frame-candidates.ts';
import type { ObjectEmbeddings, Observations } from './observe/observations.ts';
import { createPlanner } from './plan/index.ts';
import type { Answer } from './types.ts';

/** A unit vector along an axis. */
const along = (axis: number) => Float32Array.from({ length: DIMENSIONS }, (_, at) => (at === axis ? 1 : 0));
const [SOUGHT, OTHER] = [along(0), along(1)];
const embedder = {
  texts: async (texts: readonly string[]) => ({
    model: 'clip_vit_b32',
    vectors: texts.map((text) => (OTHER_DESCRIPTIONS.some((other) => other === text) ? OTHER : SOUGHT)),
  }),
};

function vectorsOf(...shown: Float32Array[]) {
  const quantized = shown.map(quantize);
  const vectors = new Int8Array(shown.length * DIMENSIONS);
  for (const [at, { bytes }] of quantized.entries()) vectors.set(bytes, at * DIMENSIONS);
  return { scales: Float32Array.from(quantized, ({ scale }) => scale), vectors };
}

const views: ObjectEmbeddings = {
  model: 'clip_vit_b32 0123456789ab',
  detector: 'yolox_nano 0123456789ab',
  classNames: ['person', 'truck', 'truck'],
  track: Int32Array.of(1, 2, 2),
  timeS: Float64Array.of(3, 14, 18),
  pts: Float64Array.of(75, 350, 450),
  boxes: Float32Array.of(0.1, 0.1, 0.2, 0.5, 0.4, 0.3, 0.25, 0.25, 0, 0.3, 0.2, 0.2),
  spans: Float64Array.of(1, 5, 25, 125, 12, 19, 300, 475, 12, 19, 300, 475),
  ...vectorsOf(OTHER, SOUGHT, OTHER),
};
const answer: Answer = {
  interpretation: '',
  events: [],
  candidates: [],
  answer: null,
  summary: '',
  coverage: [],
};

function observed(frames: Float32Array[], objectEmbeddings: ObjectEmbeddings | null): Observations {
  const timeS = Float64Array.from(frames, (_, at) => 10 * at);
  const pts = timeS.map((time) => 25 * time);
  const embeddings = { model: views.model, timeS, pts, ...vectorsOf(...frames) };
  return { ...observations(30), embeddings, objectEmbeddings };
}

const candidatesOf = async (prompt: string, seen: Observations) =>
  (await addFrameCandidates(createPlanner().planQuery(prompt), answer, seen, embedder)).candidates;

test('an object that resembles the words is a candidate with its box and the time it was tracked', async () => {
  const [candidate, ...others] = await candidatesOf('a forklift', observed([OTHER, OTHER, OTHER], views));
  expect(others).toEqual([]);
  expect(candidate).toMatchObject({
    startS: 12,
    endS: 19,
    startPts: 300,
    endPts: 475,
    label: 'forklift',
    category: 'picture',
    explanation: expect.stringMatching(/^The object at 0:14\.0, which was tracked as "truck", resembles "forklift"/),
    caveats: [expect.stringContaining('the detector took it for "truck"')],
    evidence: {
      frames: [{ role: 'best', timeS: 14, boxes: [{ x: 0.4, y: 0.3, width: 0.25, height: 0.25, label: 'forklift' }] }],
    },
  });
  expect(candidate!.confidence).toBeLessThanOrEqual(0.3);
});

test('a range of frames is left to the object in it, and others remain', async () => {
  const seen = observed([SOUGHT, SOUGHT, OTHER], views);
  expect((await candidatesOf('a forklift', seen)).map(({ startS }) => startS)).toEqual([12]);
  const apart = observed([OTHER, OTHER, SOUGHT], views);
  expect((await candidatesOf('a forklift', apart)).map(({ startS }) => startS)).toEqual([12, 20]);
  expect((await candidatesOf('a forklift after 0:20', apart)).map(({ startS }) => startS)).toEqual([20]);
  expect(
    (await candidatesOf('a forklift', observed([SOUGHT, OTHER, OTHER], null))).map(({ startS }) => startS),
  ).toEqual([0]);
});
