import { readFileSync } from 'node:fs';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { editModel, reshaped } from '../../../models/onnx-model.ts';
import { CLASSES } from '../classes.ts';
import type { DetectorContract, DetectorSpec } from '../detectors.ts';
import { LABEL_COUNT } from '../open-images.ts';
import type { Detection } from './detection.ts';
import * as detr from './detr.ts';
import { foldFocusLayer } from './focus-layer.ts';
import * as ssd from './ssd.ts';
import * as yolox from './yolox.ts';

/** Detects the objects in one RGB frame. Rejects if the model does not keep its contract. */
export type Network = (rgb: Uint8Array) => Promise<Detection[]>;

type Options = DetectorSpec & { weights: string; frame: { width: number; height: number } };

/**
 * One ONNX thread per worker: whole frames distribute better over the cores than layers, and sums have a fixed order.
 */
const SESSION = { intraOpNumThreads: 1, interOpNumThreads: 1, executionMode: 'sequential' } as const;

/** Loads weights (an ONNX file) for frames of one size. Rejects if they are no model of this contract. */
export const openNetwork = (options: Options): Promise<Network> => OPEN[options.contract](options);

async function openYolox({ weights, frame }: Options): Promise<Network> {
  const { width, height } = yolox.toInputSize(frame);
  const inputShape = [1, 3, height, width];
  const outputShape = [1, yolox.countCells(frame), yolox.VALUES_PER_CELL];
  const numbers = yolox.countCells(frame) * yolox.VALUES_PER_CELL;
  const model = editModel(readFileSync(weights), reshaped(inputShape, outputShape), foldFocusLayer);
  const session = await InferenceSession.create(model, SESSION);
  const input = yolox.createInput(frame);
  const tensor = new Tensor('float32', input, inputShape);
  const [inputName = 'images'] = session.inputNames;
  const [outputName = 'output'] = session.outputNames;
  /** Output of the first frame, reused for all others: one output per frame would dominate garbage collection. */
  const outputs: Record<string, Tensor | null> = { [outputName]: null };

  return async (rgb) => {
    yolox.fillInput(input, rgb, frame);
    const output = (await session.run({ [inputName]: tensor }, outputs))[outputName]!;
    outputs[outputName] = output;
    if (output.size !== numbers) throw new Error(`the model's output has ${output.size} numbers, not ${numbers}`);
    return yolox.decodeOutput(output.data as Float32Array, frame);
  };
}

/** Names of the image in exports of these networks. */
const IMAGES = ['pixel_values', 'images'];
/** Size of the image that boxes are scaled to, in exports that select boxes themselves. */
const TARGET_SIZES = 'orig_target_sizes';
const RAW = ['logits', 'pred_boxes'];
const SELECTED = ['labels', 'boxes', 'scores'];

async function openDetr({ weights, frame, side }: Options): Promise<Network> {
  const session = await InferenceSession.create(weights, SESSION);
  const { inputNames, outputNames } = session;
  const image = IMAGES.find((name) => inputNames.includes(name));
  const isRaw = RAW.every((name) => outputNames.includes(name));
  const unknown = inputNames.filter((name) => name !== image && name !== TARGET_SIZES);
  if (!image || unknown.length > 0 || !(isRaw || SELECTED.every((name) => outputNames.includes(name)))) {
    const has = `${inputNames.join(', ')} and ${outputNames.join(', ')}`;
    throw new Error(`the model's inputs and outputs are ${has}, not those of the catalog`);
  }
  const input = detr.createInput(side);
  const feeds: Record<string, Tensor> = { [image]: new Tensor('float32', input, [1, 3, side, side]) };
  if (inputNames.includes(TARGET_SIZES))
    feeds[TARGET_SIZES] = new Tensor('int64', BigInt64Array.of(BigInt(side), BigInt(side)), [1, 2]);

  return async (rgb) => {
    detr.fillInput(input, rgb, frame);
    const outputs = await session.run(feeds, isRaw ? RAW : SELECTED);
    const numbersOf = (name: string, perBox: number) => {
      const { data, dims, type } = outputs[name]!;
      const found = dims.length > 2 ? dims.at(-1)! : 1;
      if (found !== perBox)
        throw new Error(`the model's output ${name} has ${found} numbers for each box, not ${perBox}`);
      if (type === 'float32') return data as Float32Array;
      if (type !== 'int64' && type !== 'int32') throw new Error(`the model's output ${name} is of the type ${type}`);
      return Float32Array.from(data as Iterable<number | bigint>, Number);
    };
    const boxes = numbersOf(isRaw ? 'pred_boxes' : 'boxes', detr.VALUES_PER_BOX);
    if (isRaw) return detr.decodeLogits(numbersOf('logits', CLASSES.length), boxes);
    return detr.decodeBoxes(numbersOf('labels', 1), boxes, numbersOf('scores', 1), side);
  };
}

/** Names of the image, and of the outputs: offsets of boxes and logits of labels. */
const SSD_IMAGE = 'input';
const SSD_OUTPUTS = ['out0', 'out1'] as const;

async function openSsd({ weights, frame }: Options): Promise<Network> {
  const session = await InferenceSession.create(weights, SESSION);
  const input = ssd.createInput();
  const feeds = { [SSD_IMAGE]: new Tensor('float32', input, [1, ssd.INPUT_SIDE, ssd.INPUT_SIDE, 3]) };
  const lengths = [ssd.ANCHORS.length * ssd.VALUES_PER_BOX, ssd.ANCHORS.length * LABEL_COUNT];

  return async (rgb) => {
    ssd.fillInput(input, rgb, frame);
    const outputs = await session.run(feeds);
    const [offsets, logits] = SSD_OUTPUTS.map((name, at) => {
      const { data, size, type } = outputs[name] ?? { size: 0, type: 'float32', data: new Float32Array() };
      if (size !== lengths[at] || type !== 'float32')
        throw new Error(`the model's output ${name} has ${size} numbers, not ${lengths[at]}`);
      return data as Float32Array;
    });
    return ssd.decodeOutput(offsets!, logits!);
  };
}

const OPEN: Readonly<Record<DetectorContract, (options: Options) => Promise<Network>>> = {
  yolox: openYolox,
  detr: openDetr,
  ssd: openSsd,
};
