import { indexAt, round } from '../find/index.ts';
import type { Overlay } from '../index.ts';
import type { Telemetry } from '../observe/observations.ts';

/** What is shown of telemetry, under the names that clients draw maps and gauges from, with the decimals worth showing. */
const SHOWN = {
  gps_lat: ['latitude', 7],
  gps_lon: ['longitude', 7],
  altitude_m: ['altitudeM', 1],
  speed_mps: ['speedMps', 2],
  acceleration_mps2: ['accelerationMps2', 2],
  heading_deg: ['headingDeg', 1],
} as const;

/** What was measured when something began and ended; undefined where nothing was. */
export function overlayOf(startS: number, endS: number, telemetry: Telemetry | null | undefined): Overlay | undefined {
  if (!telemetry) return undefined;
  const shown = Object.entries(SHOWN).flatMap(([name, [column, digits]]) => {
    const [start, end] = [startS, endS].map((timeS) => valueAt(telemetry, column, timeS));
    return start === undefined || end === undefined
      ? []
      : [[name, { start: round(start, digits), end: round(end, digits) }]];
  });
  return shown.length > 0 ? Object.fromEntries(shown) : undefined;
}

/** The sample nearest to a time, if it is near enough to stand for it. */
function valueAt(
  telemetry: Telemetry,
  column: (typeof SHOWN)[keyof typeof SHOWN][0],
  timeS: number,
): number | undefined {
  const before = indexAt(telemetry.timeS, timeS);
  const near = [before, before + 1]
    .map((i) => ({
      far: Math.abs((telemetry.timeS[i] ?? Number.POSITIVE_INFINITY) - timeS),
      value: telemetry[column][i],
    }))
    .filter(({ far, value }) => far <= telemetry.gapS / 2 && !Number.isNaN(value ?? Number.NaN));
  return near.sort((a, b) => a.far - b.far)[0]?.value;
}
