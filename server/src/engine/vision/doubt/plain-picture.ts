/** Pictures of a single color that models are tested with: their content is known for certain. */
export const PLAIN_COLORS = { red: '#d02020', green: '#20a020', blue: '#2040d0', yellow: '#e8d020' } as const;
export type PlainColor = keyof typeof PLAIN_COLORS;

export const PLAIN_SIZE = { width: 256, height: 144 };

const drawn = new Map<PlainColor, Promise<Buffer>>();

/** A JPEG of one color. */
export function drawPlainPicture(color: PlainColor): Promise<Buffer> {
  const picture = drawn.get(color) ?? draw(color);
  drawn.set(color, picture);
  return picture;
}

async function draw(color: PlainColor): Promise<Buffer> {
  const { createCanvas } = await import('@napi-rs/canvas');
  const canvas = createCanvas(PLAIN_SIZE.width, PLAIN_SIZE.height);
  const context = canvas.getContext('2d');
  context.fillStyle = PLAIN_COLORS[color];
  context.fillRect(0, 0, canvas.width, canvas.height);
  return canvas.encode('jpeg', 90);
}
