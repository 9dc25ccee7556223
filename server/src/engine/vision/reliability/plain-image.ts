/** Images of a single color that models are tested with: their content is known for certain. */
export const PLAIN_COLORS = { red: '#d02020', green: '#20a020', blue: '#2040d0', yellow: '#e8d020' } as const;
export type PlainColor = keyof typeof PLAIN_COLORS;

export const PLAIN_SIZE = { width: 256, height: 144 };

const drawn = new Map<string, Promise<Buffer>>();

/** A JPEG of one color. */
export function drawPlainImage(color: PlainColor, size = PLAIN_SIZE): Promise<Buffer> {
  const key = `${color} ${size.width} × ${size.height}`;
  const image = drawn.get(key) ?? draw(color, size);
  drawn.set(key, image);
  return image;
}

async function draw(color: PlainColor, { width, height }: typeof PLAIN_SIZE): Promise<Buffer> {
  const { createCanvas } = await import('@napi-rs/canvas');
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.fillStyle = PLAIN_COLORS[color];
  context.fillRect(0, 0, canvas.width, canvas.height);
  return canvas.encode('jpeg', 90);
}
