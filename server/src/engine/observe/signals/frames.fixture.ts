import { HEIGHT, WIDTH } from './kernel.ts';

const SCENE_WIDTH = 480;
const SCENE_HEIGHT = 320;

export type NoiseScene = Float64Array;

/** Numbers from 0 to 1, the same for the same seed. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

/** Smooth noise, larger than a frame: the same for the same seed. `grain` is the size of its features in pixels. */
export function noiseScene(seed: number, grain: number): NoiseScene {
  const random = createRandom(seed);
  const columns = Math.ceil(SCENE_WIDTH / grain) + 2;
  const grid = Array.from({ length: columns * (Math.ceil(SCENE_HEIGHT / grain) + 2) }, () => random() * 255);
  const scene = new Float64Array(SCENE_WIDTH * SCENE_HEIGHT);
  for (let y = 0; y < SCENE_HEIGHT; y++) {
    for (let x = 0; x < SCENE_WIDTH; x++) {
      const [column, row] = [Math.floor(x / grain), Math.floor(y / grain)];
      const [right, down] = [x / grain - column, y / grain - row];
      const at = (c: number, r: number) => grid[(row + r) * columns + column + c]!;
      scene[y * SCENE_WIDTH + x] =
        (at(0, 0) * (1 - right) + at(1, 0) * right) * (1 - down) + (at(0, 1) * (1 - right) + at(1, 1) * right) * down;
    }
  }
  return scene;
}

/**
 * Renders a scene as seen by a camera whose top left corner is at (`x`, `y`), which may be between pixels, magnified by
 * `zoom` and rotated clockwise by `roll` radians about the frame's center.
 */
export function renderScene(scene: NoiseScene, x: number, y: number, zoom = 1, roll = 0): Uint8Array {
  const [sin, cos] = [Math.sin(roll), Math.cos(roll)];
  const frame = new Uint8Array(WIDTH * HEIGHT);
  for (let row = 0; row < HEIGHT; row++) {
    for (let column = 0; column < WIDTH; column++) {
      const [fromX, fromY] = [(column - WIDTH / 2) / zoom, (row - HEIGHT / 2) / zoom];
      const atX = clamp(x + WIDTH / 2 + cos * fromX + sin * fromY, SCENE_WIDTH);
      const atY = clamp(y + HEIGHT / 2 - sin * fromX + cos * fromY, SCENE_HEIGHT);
      const [left, top] = [Math.floor(atX), Math.floor(atY)];
      const [right, down] = [atX - left, atY - top];
      const at = (c: number, r: number) => scene[(top + r) * SCENE_WIDTH + left + c]!;
      frame[row * WIDTH + column] = Math.round(
        (at(0, 0) * (1 - right) + at(1, 0) * right) * (1 - down) + (at(0, 1) * (1 - right) + at(1, 1) * right) * down,
      );
    }
  }
  return frame;
}

const clamp = (value: number, size: number) => Math.min(size - 2, Math.max(0, value));
