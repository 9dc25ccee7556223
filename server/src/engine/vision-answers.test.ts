import { expect, test } from 'vitest';
import { DIMENSIONS, quantize } from './embeddings/index.ts';
import { createScene } from './find/index.ts';
import { observations } from './find/observations.fixture.ts';
import { createPlanner } from './plan/index.ts';
import type { VisionSearchRequest } from './vision/types.ts';
import { createVisionAnswers } from './vision-answers.ts';

const plan = createPlanner().planQuery('is there a construction site?');
/** A vector along one axis. */
const axis = (index: number) => Float32Array.from({ length: DIMENSIONS }, (_, at) => (at === index ? 1 : 0));

/** The request to the model for a video whose frame at 300 s has the vector of the prompt. */
async function requestFor(hasVectors: boolean): Promise<VisionSearchRequest> {
  const vectors = new Int8Array(3 * DIMENSIONS);
  for (const [at, own] of [1, 0, 2].entries()) vectors.set(quantize(axis(own)).bytes, at * DIMENSIONS);
  const scales = new Float32Array(3).fill(quantize(axis(0)).scale);
  const embeddings = { model: 'm', timeS: Float64Array.of(0, 300, 600), pts: new Float64Array(3), scales, vectors };
  const scene = createScene({ ...observations(600), embeddings: hasVectors ? embeddings : null });
  const requests: VisionSearchRequest[] = [];
  const search = async (request: VisionSearchRequest) => {
    requests.push(request);
    return null;
  };
  const answers = createVisionAnswers({
    media: {
      frameImage: async () => Buffer.alloc(0),
      contactSheet: async () => Buffer.alloc(0),
      pictureClip: async () => Buffer.alloc(0),
    },
    looks: { get: () => ({ search: { search } }) as never },
    embedder: { text: async () => ({ vector: axis(0) }), texts: async () => ({ unavailable: 'not needed' }) },
    planQuery: () => plan,
    sceneOf: () => scene,
  });
  await answers.queryVisionModel({ plan, artifacts: new Map(), path: async () => '', answer: { events: [] } as never });
  return requests[0]!;
}

test('a vision model is shown the frames whose stored vectors fit the prompt', async () => {
  expect((await requestFor(true)).similar?.[0]).toBe(300);
  expect((await requestFor(false)).similar).toEqual([]);
});
