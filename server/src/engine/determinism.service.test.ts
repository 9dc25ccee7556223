import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLog } from '#platform/log';
import { createMedia } from '#platform/media/index';
import { footage, MODELS } from '#test/footage';
import { sceneClip } from '#test/media/clips';
import { createEngine, createModelFolder, type ObservationKind } from './index.ts';
import { constantModel } from './observe/objects/detector/model.fixture.ts';

const PROMPTS = [
  '',
  'a person',
  'how many people?',
  'the camera moves',
  'no car',
  'dark then a cut',
  'silence',
  'what happens?',
  'a person enters',
  'a person crosses the middle line',
  'a person enters the left half',
  'a person follows another person',
  'people too close to each other',
  'a cyclist',
  'tailgating',
  'stopped for a second',
  'how many people per minute?',
  'when are there most people?',
];
const DENSE: readonly ObservationKind[] = ['signals', 'sound', 'objects'];
const SPARSE: readonly ObservationKind[] = ['triage', 'glance'];
const KINDS = [...DENSE, ...SPARSE];

let models: string;

beforeAll(async () => {
  models = await mkdtemp(join(tmpdir(), 'models-'));
  await writeFile(join(models, 'yolox_nano.onnx'), constantModel({ className: 'person', score: 0.8 }));
});
afterAll(() => rm(models, { recursive: true, force: true }));

/** Bytes of every observation, and the text of every answer. */
type Made = { artifacts: Map<ObservationKind, Uint8Array>; answers: string[] };

/** Observes the clip on a node with `processes` media processes, as many times concurrently. */
async function madeBy(processes: number, clip: string, modelsDir: string): Promise<Made[]> {
  const log = createLog('silent');
  const media = await createMedia({ processes, maxSeconds: 3600, log });
  try {
    const engine = createEngine({ media, models: createModelFolder(modelsDir), vision: null, log });
    return await Promise.all(
      Array.from({ length: processes }, async () => {
        const artifacts = await engine.observe(clip, KINDS);
        const answersFrom = (kinds: readonly ObservationKind[]) => {
          const some = new Map(kinds.map((kind) => [kind, artifacts.get(kind)!]));
          // A single process reuses one map and its cached results for all prompts; several use a map for each prompt.
          const given = () => (processes === 1 ? some : new Map(some));
          return PROMPTS.map((prompt) => engine.answer(engine.plan(prompt), given()));
        };
        return { artifacts, answers: [DENSE, SPARSE].flatMap(answersFrom).map((one) => JSON.stringify(one)) };
      }),
    );
  } finally {
    await media.close();
  }
}

/** Uses footage and the real detector, if available, to have enough concurrent work. */
it('makes the same bytes on one worker and on three at once', async () => {
  const [clip, modelsDir] = MODELS
    ? [footage('security/mpf_conference_people.mp4'), MODELS]
    : [await sceneClip(), models];
  const [alone] = await madeBy(1, clip, modelsDir);
  expect(alone!.answers.some((answer) => JSON.parse(answer).events.length > 0)).toBe(true);
  for (const together of await madeBy(3, clip, modelsDir)) {
    for (const kind of KINDS)
      expect(Buffer.compare(together.artifacts.get(kind)!, alone!.artifacts.get(kind)!), kind).toBe(0);
    expect(together.answers).toEqual(alone!.answers);
  }
}, 120_000);
