import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { createCanvas } from '@napi-rs/canvas';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createLog } from '#platform/log';
import type { Media } from '#platform/media/index';
import { hasFootage, MODELS } from '#test/footage';
import { createTestMedia } from '#test/media/clips';
import { DIMENSIONS, findSimilarFrames } from '../../embeddings/index.ts';
import { createEngine, createModelFolder, createVectorIndex, type Engine } from '../../index.ts';
import { CATALOG } from '../../models/index.ts';
import { decodeObservations } from '../encoding.ts';
import { constantModel } from '../objects/detector/model.fixture.ts';

const { ffmpeg } = inject('programs');
/** Only the model of vectors, so that no other weights are tried. */
const catalog = CATALOG.filter(({ task }) => task === 'embeddings');
const [IMAGE = '', TEXT = '', TOKENIZER = ''] = catalog.flatMap(({ files }) => files.map(({ name }) => name));

let media: Media;
let dir: string;
beforeAll(async () => {
  media = await createTestMedia();
  dir = await mkdtemp(join(tmpdir(), 'clip models '));
  await mkdir(join(dir, dirname(IMAGE)));
});
afterAll(async () => {
  await media?.close();
  await rm(dir, { recursive: true, force: true });
});

const engineOf = (models: string) =>
  createEngine({ media, models: createModelFolder(models), catalog, vision: null, log: createLog('silent') });
const statusOf = async (engine: Engine) => (await engine.observers()).find(({ kind }) => kind === 'embeddings')!;

describe.skipIf(!hasFootage)('with weights that have the contract of the model', () => {
  /** Copies the weights of the tests under the names of the catalog. */
  async function copyWeights(): Promise<void> {
    const copies = { 'vision_model.onnx': IMAGE, 'text_model.onnx': TEXT, 'bpe_simple_vocab_16e6.txt.gz': TOKENIZER };
    for (const [from, to] of Object.entries(copies)) await copyFile(join(MODELS!, 'clip-toy', from), join(dir, to));
  }

  test('weights that are missing, no model, or of another shape are a reason, never an error', async () => {
    const engine = engineOf(dir);
    expect(await statusOf(engine)).toMatchObject({
      onDemand: true,
      unavailable: expect.stringMatching(/image search's weights are missing.*clip_vit_b32/),
    });
    expect(await engine.embedder.text('red')).toMatchObject({ unavailable: expect.stringContaining('are missing') });
    const none = { timeS: Float64Array.of(0), scales: Float32Array.of(1), vectors: new Int8Array(DIMENSIONS) };
    expect(await findSimilarFrames(engine.embedder, 'red', none)).toEqual([]);
    await copyWeights();
    await writeFile(join(dir, TEXT), 'no model');
    expect(await statusOf(engine)).toMatchObject({ unavailable: expect.stringMatching(/do not work: ./) });
    await writeFile(join(dir, TEXT), constantModel({ className: 'person', score: 0.8 }));
    expect(await statusOf(engine)).toMatchObject({
      unavailable: expect.stringContaining('has no output "text_embeds"'),
    });
    await copyWeights();
    await writeFile(join(dir, TOKENIZER), 'no merges');
    expect(await statusOf(engine)).toMatchObject({ unavailable: expect.stringMatching(/do not work: ./) });
    await copyWeights();
    expect(await statusOf(engine)).toMatchObject({
      version: expect.stringMatching(/^embeddings-1\.clip_vit_b32\.[0-9a-f]{12}$/),
    });
  });

  const COLORS = ['red', 'blue', 'green'];
  /** A video of each color for 20 s. */
  async function makeColors(): Promise<string> {
    const path = join(dir, 'colors.mp4');
    const inputs = COLORS.flatMap((color) => ['-f', 'lavfi', '-i', `color=c=${color}:s=320x180:r=5:d=20`]);
    const joined = ['-filter_complex', `concat=n=${COLORS.length}:v=1:a=0`, '-c:v', 'libx264', '-pix_fmt', 'yuv420p'];
    await promisify(execFile)(ffmpeg!, ['-v', 'error', '-y', ...inputs, ...joined, path]);
    return path;
  }

  test.skipIf(ffmpeg === null)('changed frames have vectors that words and images find', async () => {
    await copyWeights();
    const engine = engineOf(dir);
    const path = await makeColors();
    const artifact = (await engine.observe(path, ['embeddings'])).get('embeddings')!;
    const { embeddings } = decodeObservations(new Map([['embeddings', artifact]]));
    expect(embeddings!.model).toMatch(/^clip_vit_b32 [0-9a-f]{12}$/);
    // The picture is still for 20 s each: one vector for each color.
    expect([...embeddings!.timeS].map(Math.round)).toEqual([0, 20, 40]);

    const index = createVectorIndex();
    const search = async (query: Float32Array) => {
      const among = [{ key: path, frames: embeddings!.timeS.length }];
      const load = async function* () {
        yield { key: path, frames: engine.readFrameVectors(artifact) };
      };
      const [best] = await index.search({ among, query, limit: 1, minScore: 0, load });
      return COLORS[Math.round(best!.timeS / 20)];
    };
    const vectorOf = (embedding: Awaited<ReturnType<Engine['embedder']['image']>>) => {
      expect(embedding).toHaveProperty('vector');
      return (embedding as { vector: Float32Array }).vector;
    };
    const canvas = createCanvas(300, 300);
    const context = canvas.getContext('2d');
    for (const [at, color] of COLORS.entries()) {
      expect(await search(vectorOf(await engine.embedder.text(color)))).toBe(color);
      context.fillStyle = color;
      context.fillRect(0, 0, 300, 300);
      expect(await search(vectorOf(await engine.embedder.image(await canvas.encode('jpeg'))))).toBe(color);
      expect(await search(vectorOf(await engine.embedder.frame(path, { timeS: 20 * at + 7 })))).toBe(color);
    }
    expect(await engine.embedder.image(Buffer.from('no picture'))).toBeNull();
    const similar = await findSimilarFrames(engine.embedder, 'blue', embeddings!);
    expect(similar.map(Math.round)[0]).toBe(20);
    expect(similar).toHaveLength(3);
    const aborted = findSimilarFrames(
      engine.embedder,
      'a new text',
      embeddings!,
      AbortSignal.abort(new Error('enough')),
    );
    await expect(aborted).rejects.toThrow('enough');
    await index.close();
  });

  test.skipIf(ffmpeg === null)('frames that resemble what no observer can find are candidates', async () => {
    await copyWeights();
    const engine = engineOf(dir);
    const path = await makeColors();
    const answerOf = async (prompt: string) => {
      const plan = engine.plan(prompt);
      const artifacts = await engine.observe(path, ['signals', ...engine.selectOnDemand(plan)]);
      const request = { plan, artifacts, answer: engine.answer(plan, artifacts), path: async () => path };
      return { plan, answer: await engine.queryVisionModel(request) };
    };
    const { plan, answer } = await answerOf('is there a blue forklift');
    expect(answer.events).toEqual([]);
    expect(answer.candidates).toMatchObject([
      {
        label: 'blue forklift',
        category: 'picture',
        severity: 'low',
        evidence: { signals: [{ name: 'resemblance', threshold: 0.5 }], frames: [{ role: 'best' }] },
      },
    ]);
    const [candidate] = answer.candidates;
    expect(candidate!.startS).toBeCloseTo(20, 0);
    expect(candidate!.endS).toBeCloseTo(40, 0);
    expect(candidate!.confidence).toBeLessThanOrEqual(0.3);
    expect(candidate!.explanation).toMatch(/^The frame at 0:20\.\d resembles "blue forklift" more than .*clip_vit_b32/);
    const [row] = answer.coverage;
    expect(row).toMatchObject({ text: 'blue forklift', status: 'partly', findings: 0 });
    expect(row!.by).toEqual([expect.stringMatching(/^embeddings \(clip_vit_b32/)]);
    expect(row!.reason).toMatch(/no class.*finds candidates only/);
    expect(answer.answer).not.toMatch(/^(?:yes|no)\b/i);
    expect(answer.summary).toContain(
      'Frames were compared with words, which finds candidates only: 1 for "blue forklift"',
    );
    const { parts } = await engine.preview(plan, []);
    expect(parts[0]).toMatchObject({ text: 'blue forklift', status: 'partly', by: ['embeddings'] });

    const later = await answerOf('a red forklift after 0:30');
    expect(later.answer.candidates).toEqual([]);
    expect((await answerOf('a forklift')).answer.candidates).toEqual([]);
    for (const prompt of ['how many blue forklifts', 'no blue forklift', 'somebody falls', 'loud'])
      expect((await answerOf(prompt)).answer.candidates, prompt).toEqual([]);
  });
});
