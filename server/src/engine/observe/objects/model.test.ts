import { InferenceSession, Tensor } from 'onnxruntime-node';
import { expect, test } from 'vitest';
import { constantModel } from './model.fixture.ts';
import { editModel, reshaped } from './model.ts';
import { cellsOf, createInput, inputSize, NUMBERS, readOutput } from './yolox.ts';

test('a model is given another shape, and finds the same in it', async () => {
  const model = constantModel({ className: 'person', score: 0.8 });
  for (const picture of [
    { width: 416, height: 416 },
    { width: 416, height: 234 },
    { width: 234, height: 416 },
  ]) {
    const { width, height } = inputSize(picture);
    const [input, output] = [
      [1, 3, height, width],
      [1, cellsOf(picture), NUMBERS],
    ];
    const session = await InferenceSession.create(editModel(model, reshaped(input, output)));
    const made = await session.run({ images: new Tensor('float32', createInput(picture), input) });
    expect(made.output!.dims).toEqual(output);
    const [found, ...others] = readOutput(made.output!.data as Float32Array, picture);
    expect(others).toEqual([]);
    expect(found!.score).toBeCloseTo(0.8, 5);
    expect(found!.x0 * picture.width).toBeCloseTo(12.5 * 16 - 96 / 2, 3);
    expect(found!.y0 * picture.height).toBeCloseTo(7.5 * 16 - 160 / 2, 3);
  }
});

test('what is no model is said to be none', () => {
  const model = constantModel({ className: 'person', score: 0.8 });
  for (const bytes of [Buffer.from('no model'), model.subarray(0, model.length - 5), model.subarray(0, 1000)]) {
    expect(() => editModel(bytes, reshaped([1], [1]))).toThrow('no ONNX model, or cut off');
  }
});
