import { type ColumnReader, createColumn, createColumnLog, float32, float64, type SavedColumns } from '../columns.ts';
import type { Signals } from './observation.ts';

/** Size of the color frames, and seconds between them: colors change slowly, and color frames are expensive. */
export const COLOR_WIDTH = 32;
export const COLOR_HEIGHT = 18;
export const COLOR_INTERVAL_S = 0.5;

/** Collects the mean colors and the chroma of small RGB frames. */
export function createColorCollector(saved: readonly SavedColumns[] = []) {
  const timeS = createColumn(float64);
  const means = [createColumn(float32), createColumn(float32), createColumn(float32)] as const;
  const chroma = createColumn(float32);
  const log = createColumnLog({ timeS, red: means[0], green: means[1], blue: means[2], chroma });
  log.restore(saved);
  return {
    save: log.save,
    addFrame(rgb: Uint8Array, at: number): void {
      const sums: [number, number, number] = [0, 0, 0];
      let spread = 0;
      for (let pixel = 0; pixel < rgb.length; pixel += 3) {
        const [r, g, b] = [rgb[pixel]!, rgb[pixel + 1]!, rgb[pixel + 2]!];
        sums[0] += r;
        sums[1] += g;
        sums[2] += b;
        spread += Math.max(r, g, b) - Math.min(r, g, b);
      }
      const pixels = rgb.length / 3;
      timeS.push(at);
      for (const [channel, sum] of sums.entries()) means[channel]!.push(sum / pixels);
      chroma.push(spread / pixels);
    },
    collect(read: ColumnReader): Pick<Signals, 'colorTimeS' | 'red' | 'green' | 'blue' | 'chroma'> {
      const [red, green, blue] = [read(means[0]), read(means[1]), read(means[2])];
      return { colorTimeS: read(timeS), red, green, blue, chroma: read(chroma) };
    },
  };
}
