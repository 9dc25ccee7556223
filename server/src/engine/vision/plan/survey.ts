import type { TimeSpan } from './windows.ts';

/** A contact sheet: small frames in rows, at these times in seconds. */
export type Sheet = { times: number[] };

export const COLUMNS = 3;
const CELLS = 9;
export const SHEETS_PER_CALL = 4;
/** Longest side of a cell in pixels. */
export const CELL_SIDE = 256;
const MIN_STEP_S = 2;
/** An hour at one frame every two seconds. */
const MAX_CELLS = 1800;

/** Contact sheets over a range, by call. Longer ranges are sampled less often, so that a survey has a limit. */
export function planSurvey({ from, to }: TimeSpan): Sheet[][] {
  const step = Math.max(MIN_STEP_S, (to - from) / MAX_CELLS);
  const times = Array.from({ length: Math.floor((to - from) / step) }, (_, i) => from + (i + 0.5) * step);
  const sheets: Sheet[] = [];
  for (let i = 0; i < times.length; i += CELLS) sheets.push({ times: times.slice(i, i + CELLS) });
  const calls: Sheet[][] = [];
  for (let i = 0; i < sheets.length; i += SHEETS_PER_CALL) calls.push(sheets.slice(i, i + SHEETS_PER_CALL));
  return calls;
}

/** Size of a cell for frames of this size. */
export function cellOf({ width, height }: { width: number; height: number }) {
  const scale = CELL_SIDE / Math.max(1, width, height);
  return { width: Math.max(16, Math.round(width * scale)), height: Math.max(16, Math.round(height * scale)) };
}

/** Size of a sheet in pixels. */
export function sheetSize({ times }: Sheet, cell: { width: number; height: number }) {
  return { width: COLUMNS * cell.width, height: Math.ceil(times.length / COLUMNS) * cell.height };
}
