import { indexAt, round } from '../find/index.ts';
import type { Telemetry } from '../observe/observations.ts';
import type { EventOverlay } from '../types.ts';

/**
 * Telemetry shown with events: the names that clients draw maps and gauges from, with the number of useful decimals.
 */
const SHOWN = {
  gps_lat: ['latitude', 7],
  gps_lon: ['longitude', 7],
  altitude_m: ['altitudeM', 1],
  speed_mps: ['speedMps', 2],
  acceleration_mps2: ['accelerationMps2', 2],
  heading_deg: ['headingDeg', 1],
} as const;

/** Measurements at the start and the end of an event; undefined without telemetry. */
export function overlayOf(
  startS: number,
  endS: number,
  telemetry: Telemetry | null | undefined,
): EventOverlay | undefined {
  if (!telemetry) return undefined;
  const shown = Object.entries(SHOWN).flatMap(([name, [column, digits]]) => {
    const [start, end] = [startS, endS].map((timeS) => valueAt(telemetry, column, timeS));
    return start === undefined || end === undefined
      ? []
      : [[name, { start: round(start, digits), end: round(end, digits) }]];
  });
  return shown.length > 0 ? Object.fromEntries(shown) : undefined;
}

/** The value of the sample nearest to a time; undefined if that sample is too far away. */
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
