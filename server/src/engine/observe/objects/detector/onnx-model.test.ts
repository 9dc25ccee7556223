import { InferenceSession, Tensor } from 'onnxruntime-node';
import { expect, test } from 'vitest';
import { editModel, reshaped } from '../../../models/onnx-model.ts';
import { constantModel } from './model.fixture.ts';
import { countCells, createInput, decodeOutput, toInputSize, VALUES_PER_CELL } from './yolox.ts';

test('a reshaped model gives the same detections', async () => {
  const model = constantModel({ className: 'person', score: 0.8 });
  for (const size of [
    { width: 416, height: 416 },
    { width: 416, height: 234 },
    { width: 234, height: 416 },
  ]) {
    const { width, height } = toInputSize(size);
    const [input, output] = [
      [1, 3, height, width],
      [1, countCells(size), VALUES_PER_CELL],
    ];
    const session = await InferenceSession.create(editModel(model, reshaped(input, output)));
    const made = await session.run({ images: new Tensor('float32', createInput(size), input) });
    expect(made.output!.dims).toEqual(output);
    const [found, ...others] = decodeOutput(made.output!.data as Float32Array, size);
    expect(others).toEqual([]);
    expect(found!.score).toBeCloseTo(0.8, 5);
    expect(found!.x0 * size.width).toBeCloseTo(12.5 * 16 - 96 / 2, 3);
    expect(found!.y0 * size.height).toBeCloseTo(7.5 * 16 - 160 / 2, 3);
  }
});

test('rejects files that are not models', () => {
  const model = constantModel({ className: 'person', score: 0.8 });
  for (const bytes of [Buffer.from('no model'), model.subarray(0, model.length - 5), model.subarray(0, 1000)]) {
    expect(() => editModel(bytes, reshaped([1], [1]))).toThrow('not an ONNX model, or is truncated');
  }
});
