/** A thumbnail of the storyboard: the area of its image for a range of the video, in seconds. */
export type Tile = { start: number; end: number; x: number; y: number; width: number; height: number };
export type Storyboard = { tiles: readonly Tile[]; image: HTMLImageElement };

const CUE = /^((?:\d+:)?\d+:[\d.]+) --> ((?:\d+:)?\d+:[\d.]+).*\r?\n(\S+)#xywh=(\d+),(\d+),(\d+),(\d+)/gm;

const seconds = (clock: string): number => clock.split(':').reduce((total, part) => total * 60 + Number(part), 0);

/** Reads the WebVTT of a storyboard. `image` is the address of its one image, as written there. */
export function parseStoryboard(vtt: string): { image: string | null; tiles: Tile[] } {
  let image: string | null = null;
  const tiles: Tile[] = [];
  for (const [, start, end, address, ...area] of vtt.matchAll(CUE)) {
    image ??= address!;
    const [x, y, width, height] = area.map(Number) as [number, number, number, number];
    tiles.push({ start: seconds(start!), end: seconds(end!), x, y, width, height });
  }
  return { image, tiles };
}

/** The thumbnail of a time; the last one after the end. */
export function tileAt(tiles: readonly Tile[], time: number): Tile | undefined {
  let [low, high] = [0, tiles.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (tiles[middle]!.start <= time) low = middle;
    else high = middle - 1;
  }
  return tiles[low];
}

/** Loads a storyboard from the signed URL of its WebVTT. */
export async function loadStoryboard(url: string, signal?: AbortSignal): Promise<Storyboard | null> {
  const response = await fetch(url, { signal: signal ?? null });
  if (!response.ok) return null;
  const { image: address, tiles } = parseStoryboard(await response.text());
  if (!address) return null;
  const image = new Image();
  image.src = new URL(address, response.url).href;
  await image.decode();
  return { tiles, image };
}

/** Draws the thumbnail of a time over a whole canvas, whose size in pixels becomes that of the thumbnail. */
export function drawTile(canvas: HTMLCanvasElement, { tiles, image }: Storyboard, time: number): void {
  const tile = tileAt(tiles, time);
  if (!tile) return;
  if (canvas.width !== tile.width || canvas.height !== tile.height) {
    canvas.width = tile.width;
    canvas.height = tile.height;
  }
  canvas.getContext('2d')?.drawImage(image, tile.x, tile.y, tile.width, tile.height, 0, 0, tile.width, tile.height);
}
