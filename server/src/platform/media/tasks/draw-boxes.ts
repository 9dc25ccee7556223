import { fileURLToPath } from 'node:url';
import { createCanvas, GlobalFonts, ImageData, type SKRSContext2D } from '@napi-rs/canvas';
import type { StillFrame } from '../engine/index.ts';

/** A rectangle in fractions of the frame's width and height, from the top left. */
export type FrameRectangle = { x: number; y: number; width: number; height: number };
export type LabeledBox = FrameRectangle & { label?: string };

const FAMILY = 'Sightline Sans';
const JPEG_QUALITY = 85;
/** Bright colors that color-blind people can distinguish (Okabe and Ito). */
const COLORS = ['#f0e442', '#56b4e9', '#e69f00', '#cc79a7', '#009e73', '#d55e00'];

/**
 * Draws boxes with labels on a frame and encodes it, or the part in `crop`, as JPEG. The font is bundled because
 * servers may have none.
 */
export async function encodeJpegWithBoxes(
  still: StillFrame,
  boxes: readonly LabeledBox[],
  crop: FrameRectangle | null = null,
): Promise<Buffer> {
  const { x, y, width, height } = crop ?? { x: 0, y: 0, width: 1, height: 1 };
  const [left, top] = [Math.floor(x * still.width), Math.floor(y * still.height)];
  const right = Math.max(left + 1, Math.min(still.width, Math.ceil((x + width) * still.width)));
  const bottom = Math.max(top + 1, Math.min(still.height, Math.ceil((y + height) * still.height)));
  const canvas = createCanvas(right - left, bottom - top);
  const context = canvas.getContext('2d');
  const { buffer, byteOffset, byteLength } = still.data;
  const pixels = new Uint8ClampedArray(buffer as ArrayBuffer, byteOffset, byteLength);
  context.putImageData(new ImageData(pixels, still.width, still.height), -left, -top);
  if (boxes.length > 0) {
    loadFont();
    context.translate(-left, -top);
    for (const box of boxes) drawBox(context, box, still);
  }
  return await canvas.encode('jpeg', JPEG_QUALITY);
}

function drawBox(context: SKRSContext2D, box: LabeledBox, { width, height }: StillFrame): void {
  const line = Math.max(2, Math.round(Math.min(width, height) / 240));
  // Inside the frame, so that all four sides of a box at its edge are visible.
  const left = Math.max(line / 2, box.x * width);
  const top = Math.max(line / 2, box.y * height);
  const right = Math.min(width - line / 2, (box.x + box.width) * width);
  const bottom = Math.min(height - line / 2, (box.y + box.height) * height);
  context.lineWidth = line;
  context.strokeStyle = colorOf(box.label ?? '');
  context.strokeRect(left, top, right - left, bottom - top);
  if (!box.label) return;

  const size = Math.max(11, Math.round(Math.min(width, height) / 28));
  context.font = `${size}px "${FAMILY}"`;
  const tagWidth = Math.min(width, context.measureText(box.label).width + size * 0.7);
  const tagHeight = Math.round(size * 1.4);
  const x = Math.max(0, Math.min(left - line / 2, width - tagWidth));
  // Above the box, or inside it if there is no space above.
  const y = top - tagHeight >= 0 ? top - tagHeight : top;
  context.fillStyle = context.strokeStyle;
  context.fillRect(x, y, tagWidth, tagHeight);
  context.fillStyle = '#000';
  context.textBaseline = 'middle';
  context.fillText(box.label, x + size * 0.35, y + tagHeight / 2, tagWidth - size * 0.7);
}

/** Color of a label, the same in every frame. */
function colorOf(label: string): string {
  let sum = 0;
  for (const character of label) sum = (sum * 31 + character.codePointAt(0)!) >>> 0;
  return COLORS[sum % COLORS.length]!;
}

function loadFont(): void {
  if (GlobalFonts.has(FAMILY)) return;
  GlobalFonts.registerFromPath(fileURLToPath(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf')), FAMILY);
}
