import { fileURLToPath } from 'node:url';
import { createCanvas, GlobalFonts, ImageData, type SKRSContext2D } from '@napi-rs/canvas';
import type { Still } from './backend.ts';
import type { Box } from './index.ts';

const FAMILY = 'Sightline Sans';
const JPEG_QUALITY = 85;
/** Bright, and told apart by colour-blind eyes (Okabe and Ito). */
const COLORS = ['#f0e442', '#56b4e9', '#e69f00', '#cc79a7', '#009e73', '#d55e00'];

/** Draws boxes with their labels on a picture and encodes it as JPEG. The font comes along: a server may have none. */
export async function drawJpeg(still: Still, boxes: readonly Box[]): Promise<Buffer> {
  const canvas = createCanvas(still.width, still.height);
  const context = canvas.getContext('2d');
  const { buffer, byteOffset, byteLength } = still.data;
  const pixels = new Uint8ClampedArray(buffer as ArrayBuffer, byteOffset, byteLength);
  context.putImageData(new ImageData(pixels, still.width, still.height), 0, 0);
  if (boxes.length > 0) {
    loadFont();
    for (const box of boxes) drawBox(context, box, still);
  }
  return await canvas.encode('jpeg', JPEG_QUALITY);
}

function drawBox(context: SKRSContext2D, box: Box, { width, height }: Still): void {
  const line = Math.max(2, Math.round(Math.min(width, height) / 240));
  // Inside the picture, so that a box along its edge shows all four sides.
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
  // Above the box, or inside it where there is no room above.
  const y = top - tagHeight >= 0 ? top - tagHeight : top;
  context.fillStyle = context.strokeStyle;
  context.fillRect(x, y, tagWidth, tagHeight);
  context.fillStyle = '#000';
  context.textBaseline = 'middle';
  context.fillText(box.label, x + size * 0.35, y + tagHeight / 2, tagWidth - size * 0.7);
}

/** The same label has the same colour in every picture. */
function colorOf(label: string): string {
  let sum = 0;
  for (const character of label) sum = (sum * 31 + character.codePointAt(0)!) >>> 0;
  return COLORS[sum % COLORS.length]!;
}

function loadFont(): void {
  if (GlobalFonts.has(FAMILY)) return;
  GlobalFonts.registerFromPath(fileURLToPath(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf')), FAMILY);
}
