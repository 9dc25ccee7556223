/** Positions in WGS 84 degrees at times in seconds, as parallel arrays. */
export type GeoTrack = { times: readonly number[]; latitude: readonly number[]; longitude: readonly number[] };
export type Point = { x: number; y: number };
/** A track in pixels of a drawing, north up; `metersPerPixel` is its scale. */
export type DrawnTrack = { points: Point[]; metersPerPixel: number };

const METERS_PER_DEGREE = 111_320;

/** Places a track in a drawing of `width` × `height` with a margin. Distances are true in the middle of the track. */
export function drawTrack(track: GeoTrack, width: number, height: number, margin: number): DrawnTrack {
  const middle = (Math.min(...track.latitude) + Math.max(...track.latitude)) / 2;
  const shrink = Math.cos((middle * Math.PI) / 180);
  const first = track.longitude[0] ?? 0;
  // The shorter way around: a track may cross 180° of longitude.
  const east = track.longitude.map((each) => ((((each - first + 180) % 360) + 360) % 360) - 180);
  const xs = east.map((each) => each * shrink * METERS_PER_DEGREE);
  const ys = track.latitude.map((each) => -each * METERS_PER_DEGREE);
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const metersPerPixel = Math.max(
    (right - left) / (width - 2 * margin),
    (bottom - top) / (height - 2 * margin),
    // A parked car jitters by less than this: its track is a point.
    0.05,
  );
  const center = { x: (left + right) / 2, y: (top + bottom) / 2 };
  const points = xs.map((x, index) => ({
    x: width / 2 + (x - center.x) / metersPerPixel,
    y: height / 2 + (ys[index]! - center.y) / metersPerPixel,
  }));
  return { points, metersPerPixel };
}

/** The point at a time, between its neighbors. */
export function pointAt(times: readonly number[], points: readonly Point[], time: number): Point | undefined {
  let [low, high] = [0, times.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle]! <= time) low = middle;
    else high = middle - 1;
  }
  const [from, to] = [points[low], points[low + 1]];
  if (!from || !to || time <= times[low]!) return from;
  const share = (time - times[low]!) / (times[low + 1]! - times[low]!);
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}

/** The longest round distance in meters that is not wider than `pixels`. */
export function scaleBar(metersPerPixel: number, pixels: number): { meters: number; width: number } {
  const power = 10 ** Math.floor(Math.log10(metersPerPixel * pixels));
  const factor = [5, 2, 1].find((each) => each * power <= metersPerPixel * pixels) ?? 1;
  return { meters: factor * power, width: (factor * power) / metersPerPixel };
}
