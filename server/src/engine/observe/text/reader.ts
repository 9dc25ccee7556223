import { readFile } from 'node:fs/promises';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { editModel } from '../../models/onnx-model.ts';
import { ONE_THREAD } from '../../models/onnx-session.ts';
import { findBoxes, type PixelBox } from './boxes.ts';
import { decodeLine, type Reading } from './decode-line.ts';
import { foldScales } from './fold-scales.ts';

/** Files of the model: the detector of lines, the recognizer of a line, and its characters. */
export type TextModel = { detector: string; recognizer: string; characters: string };

/** An image of 8-bit RGB. */
export type RgbImage = { width: number; height: number; data: Uint8Array };

export type TextReader = {
  /**
   * Boxes of the lines of text in a region of an image, both in its pixels. Lines are detected on an image that is
   * smaller by `scale`; the sides of the region are multiples of `CELL × scale`.
   */
  detect(image: RgbImage, scale: number, region: PixelBox): Promise<PixelBox[]>;
  /** Reads the line in a box of an image. */
  recognize(image: RgbImage, box: PixelBox): Promise<Reading>;
  close(): Promise<void>;
};

/** Mean and deviation of the channels blue, green and red that the detector was trained with. */
const MEAN = [0.485, 0.456, 0.406] as const;
const DEVIATION = [0.229, 0.224, 0.225] as const;
/** The recognizer sees lines of this height in pixels, of at least and at most these widths. */
const LINE_HEIGHT = 48;
const LINE_WIDTH = { min: 32, max: 960 };

const open = async (path: string) => InferenceSession.create(editModel(await readFile(path), foldScales), ONE_THREAD);

/** Opens the model. Throws if it does not have the shape of PP-OCRv4. */
export async function openTextReader(model: TextModel): Promise<TextReader> {
  const characters = (await readFile(model.characters, 'utf8')).split(/\r?\n/);
  if (characters.at(-1) === '') characters.pop();
  characters.push(' ');
  const detector = await open(model.detector);
  const recognizer = await open(model.recognizer).catch(async (error) => {
    await detector.release();
    throw error;
  });

  async function infer(session: InferenceSession, data: Float32Array, width: number, height: number) {
    const [input] = session.inputNames;
    const [output] = session.outputNames;
    if (input === undefined || output === undefined) throw new Error('the model has no input or no output');
    const results = await session.run({ [input]: new Tensor('float32', data, [1, 3, height, width]) }, [output]);
    const { data: values, dims } = results[output]!;
    if (!(values instanceof Float32Array)) throw new Error("the model's output has no numbers");
    return { values, dims };
  }

  return {
    async detect(image, scale, region) {
      const [width, height] = [(region.x1 - region.x0) / scale, (region.y1 - region.y0) / scale];
      const { values, dims } = await infer(detector, toDetectorInput(image, scale, region), width, height);
      if (values.length !== width * height) throw new Error(`the detector's output is ${dims.join(' × ')}`);
      return findBoxes(values, width, height).map(({ x0, y0, x1, y1 }) => ({
        x0: region.x0 + x0 * scale,
        y0: region.y0 + y0 * scale,
        x1: region.x0 + x1 * scale,
        y1: region.y0 + y1 * scale,
      }));
    },
    async recognize(image, box) {
      const line = cutLine(image, box);
      const { values, dims } = await infer(recognizer, line.data, line.width, LINE_HEIGHT);
      const classes = dims.at(-1)!;
      if (dims.length !== 3 || classes !== characters.length + 1)
        throw new Error(`the recognizer has ${classes} classes, not ${characters.length + 1}`);
      return decodeLine(values, classes, characters);
    },
    async close() {
      await detector.release();
      await recognizer.release();
    },
  };
}

/** Planes of blue, green and red of a region, averaged over squares of `scale` pixels. */
function toDetectorInput({ width, data }: RgbImage, scale: number, { x0, y0, x1, y1 }: PixelBox): Float32Array {
  const input = new Float32Array((3 * (x1 - x0) * (y1 - y0)) / scale / scale);
  let at = 0;
  for (let plane = 0; plane < 3; plane++) {
    const gain = 1 / (scale * scale * 255 * DEVIATION[plane]!);
    const offset = MEAN[plane]! / DEVIATION[plane]!;
    for (let y = y0; y < y1; y += scale) {
      for (let x = x0; x < x1; x += scale) {
        let sum = 0;
        for (let dy = 0; dy < scale; dy++)
          for (let dx = 0; dx < scale; dx++) sum += data[3 * ((y + dy) * width + x + dx) + 2 - plane]!;
        input[at++] = sum * gain - offset;
      }
    }
  }
  return input;
}

/** The pixels of a box as a line for the recognizer, scaled to its height. */
function cutLine({ width, data }: RgbImage, { x0, y0, x1, y1 }: PixelBox): { data: Float32Array; width: number } {
  const [boxWidth, boxHeight] = [x1 - x0, y1 - y0];
  const ideal = Math.ceil((boxWidth / boxHeight) * LINE_HEIGHT);
  const lineWidth = Math.max(LINE_WIDTH.min, Math.min(LINE_WIDTH.max, ideal));
  const line = new Float32Array(3 * LINE_HEIGHT * lineWidth);
  for (let row = 0; row < LINE_HEIGHT; row++) {
    const y = between(((row + 0.5) * boxHeight) / LINE_HEIGHT - 0.5, boxHeight);
    for (let column = 0; column < lineWidth; column++) {
      const x = between(((column + 0.5) * boxWidth) / lineWidth - 0.5, boxWidth);
      const at = 3 * ((y0 + y.low) * width + x0 + x.low);
      const [right, below] = [3 * (x.high - x.low), 3 * width * (y.high - y.low)];
      for (let plane = 0; plane < 3; plane++) {
        const from = at + 2 - plane;
        const upper = data[from]! * (1 - x.share) + data[from + right]! * x.share;
        const lower = data[from + below]! * (1 - x.share) + data[from + below + right]! * x.share;
        const value = upper * (1 - y.share) + lower * y.share;
        line[(plane * LINE_HEIGHT + row) * lineWidth + column] = value / 127.5 - 1;
      }
    }
  }
  return { data: line, width: lineWidth };
}

/** The two pixels around a position, and the share of the second. */
function between(position: number, length: number): { low: number; high: number; share: number } {
  const inside = Math.min(length - 1, Math.max(0, position));
  const low = Math.floor(inside);
  return { low, high: Math.min(length - 1, low + 1), share: inside - low };
}
