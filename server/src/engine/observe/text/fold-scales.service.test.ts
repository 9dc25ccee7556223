import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { expect, inject, test } from 'vitest';
import { CATALOG, createModelFolder, type ModelFile } from '../../models/index.ts';
import { editModel, type Graph, onnxModel } from '../../models/onnx-model.ts';
import { ONE_THREAD } from '../../models/onnx-session.ts';
import { foldScales } from './fold-scales.ts';

const { ffmpeg } = inject('programs');
const FONT = join(
  dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')),
  'ttf/DejaVuSans.ttf',
);
const model = CATALOG.find(({ name }) => name === 'pp_ocr_v4')!;
const [detector, recognizer] = model.files;

async function read(file: ModelFile): Promise<Uint8Array> {
  const located = await createModelFolder('no models').locate(model, file);
  return await readFile(located!.path);
}

/** White letters on a dark ground, from -1 to 1, as planes. */
async function drawText(width: number, height: number): Promise<Float32Array> {
  const text = `drawtext=fontfile=${FONT}:text=STOP:fontsize=36:fontcolor=white:x=20:y=${height / 2 - 14}`;
  const source = ['-f', 'lavfi', '-i', `color=c=0x304050:s=${width}x${height}`, '-vf', text, '-frames:v', '1'];
  const raw = ['-f', 'rawvideo', '-pix_fmt', 'gbrp', '-'];
  const { stdout } = await promisify(execFile)(ffmpeg!, ['-v', 'error', ...source, ...raw], { encoding: 'buffer' });
  return Float32Array.from(stdout, (value) => value / 127.5 - 1);
}

async function outputOf(bytes: Uint8Array, dims: readonly number[]): Promise<Float32Array> {
  const session = await InferenceSession.create(bytes, ONE_THREAD);
  const image = await drawText(dims[3]!, dims[2]!);
  const [input = ''] = session.inputNames;
  const results = await session.run({ [input]: new Tensor('float32', image, dims) });
  await session.release();
  return results[session.outputNames[0]!]!.data as Float32Array;
}

function countOperators(bytes: Uint8Array): number {
  const { graph } = onnxModel().decode(bytes) as unknown as { graph: Graph };
  return graph.node.filter(({ op_type }) => op_type !== 'Constant').length;
}

test.skipIf(ffmpeg === null).each([
  { name: 'detector', file: detector!, dims: [1, 3, 96, 160], fewer: 0.6 },
  { name: 'recognizer', file: recognizer!, dims: [1, 3, 48, 160], fewer: 0.75 },
])('the networks give the same results with fewer operators: $name', async ({ file, dims, fewer }) => {
  const bytes = await read(file);
  const folded = editModel(bytes, foldScales);
  expect(countOperators(folded)).toBeLessThan(fewer * countOperators(bytes));
  const [before, after] = [await outputOf(bytes, dims), await outputOf(folded, dims)];
  expect(after.length).toBe(before.length);
  expect(before.some((value) => value > 0.9)).toBe(true);
  expect(after.reduce((most, value, at) => Math.max(most, Math.abs(value - before[at]!)), 0)).toBeLessThan(1e-3);
});

test('folding again changes nothing', async () => {
  const folded = editModel(await read(detector!), foldScales);
  expect(countOperators(editModel(folded, foldScales))).toBe(countOperators(folded));
});
