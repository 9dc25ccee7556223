import { CLASSES, MOVING_OBJECT } from '../observe/objects/classes.ts';
import { createMinMax } from './min-max.ts';
import { openObjects, readFrames, scanFrames } from './objects.ts';
import { SENTENCES, selectPass } from './sources.ts';
import type { Lane, SeriesRange, StoredObservations, UnavailableField, UnavailableReason } from './types.ts';

type FrameField = { unit: string; arrays: readonly string[]; combine?: boolean; consecutive: boolean };

/** Fields of decoded frames. `consecutive` ones compare a frame with the previous one. */
const FRAME_FIELDS: Record<string, FrameField> = {
  motion: { unit: 'share of the frame, 0 to 1', arrays: ['localMotion'], consecutive: true },
  camera_motion: { unit: 'frame sizes per second', arrays: ['globalX', 'globalY'], combine: true, consecutive: true },
  brightness: { unit: 'mean luma, 0 to 255', arrays: ['luma'], consecutive: false },
  contrast: { unit: 'standard deviation of luma, 0 to 128', arrays: ['contrast'], consecutive: false },
  sharpness: { unit: 'mean squared Laplacian', arrays: ['sharpness'], consecutive: false },
  cuts: { unit: 'change of content, 0 to 100; a cut from 50', arrays: ['cut'], consecutive: true },
};
const SOUND_FIELDS: Record<string, { unit: string; array: string }> = {
  loudness: { unit: 'dB relative to full scale', array: 'levelDb' },
  peak: { unit: 'dB relative to full scale', array: 'peakDb' },
};
const COUNT = 'count:';

/** All fields but the counts. */
export const LANE_FIELDS: readonly string[] = [...Object.keys(FRAME_FIELDS), ...Object.keys(SOUND_FIELDS)];
/** Counts of classes without a list of fields: those with the most boxes. */
const DEFAULT_COUNTS = 8;
/** Values per read and array. */
const BLOCK_LENGTH = 2 ** 18;

const CLASS_NAMES = new Set([...CLASSES, MOVING_OBJECT]);

/** True for the fields of `readLanes`: those of `LANE_FIELDS`, and `count:` with a class of the detector. */
export const isLaneField = (field: string): boolean =>
  LANE_FIELDS.includes(field) || (field.startsWith(COUNT) && CLASS_NAMES.has(field.slice(COUNT.length)));

export type LanesRequest = SeriesRange & { points: number; fields: readonly string[] | null };
type Lanes = { lanes: Lane[]; unavailable: UnavailableField[]; counted: string[] };

/**
 * Values over time of the observed fields between two times, reduced to at most `points` intervals each. `counted`
 * lists the fields with a count of objects that the video has. Memory grows with the sampled frames only.
 */
export async function readLanes(stored: StoredObservations, request: LanesRequest): Promise<Lanes> {
  const counted = listCounted(stored);
  const fields = request.fields ?? [...LANE_FIELDS, ...counted.slice(0, DEFAULT_COUNTS)];
  const lanes: Lane[] = [];
  const unavailable: UnavailableField[] = [];
  const take = (field: string, result: Lane | UnavailableReason) => {
    if (typeof result !== 'string') lanes.push(result);
    else unavailable.push({ field, reason: result, message: messageOf(field, result) });
  };
  for (const field of fields) {
    if (field in FRAME_FIELDS) take(field, await readFrameLane(stored, field, request));
    else if (field in SOUND_FIELDS) take(field, await readSoundLane(stored, field, request));
  }
  const counts = fields.filter((field) => field.startsWith(COUNT));
  for (const [field, result] of await readCounts(stored, counts, request)) take(field, result);
  return { lanes, unavailable, counted };
}

const messageOf = (field: string, reason: UnavailableReason) =>
  reason === 'none_found' ? `No ${field.slice(COUNT.length)} was detected in this video.` : SENTENCES[reason];

async function readFrameLane(
  stored: StoredObservations,
  field: string,
  range: LanesRequest,
): Promise<Lane | UnavailableReason> {
  const { unit, arrays: names, combine, consecutive } = FRAME_FIELDS[field]!;
  const selected = selectPass(stored, 'signals');
  if (!selected) return 'not_observed';
  const { arrays, pass } = selected;
  if (pass === 'sparse' && consecutive) return 'needs_every_frame';
  const reduced = createMinMax(range);
  const first = await arrays.findIndex('timeS', range.fromS);
  const end = await arrays.findIndex('timeS', range.toS + 1e-9);
  for (let at = first; at < end; at += BLOCK_LENGTH) {
    const to = Math.min(end, at + BLOCK_LENGTH);
    const [times, values, others] = await Promise.all(['timeS', ...names].map((name) => arrays.read(name, at, to)));
    for (let i = 0; i < times!.length; i++) {
      reduced.add(times![i]!, combine ? Math.hypot(values![i]!, others![i]!) : values![i]!);
    }
  }
  return { field, unit, pass, ...reduced.series };
}

async function readSoundLane(
  stored: StoredObservations,
  field: string,
  range: LanesRequest,
): Promise<Lane | UnavailableReason> {
  const { unit, array } = SOUND_FIELDS[field]!;
  const selected = selectPass(stored, 'sound');
  if (!selected) return 'not_observed';
  const { heard, startS, stepS } = selected.arrays.facts as { heard: boolean; startS: number; stepS: number };
  if (!heard) return 'no_audio';
  const reduced = createMinMax(range);
  const first = Math.max(0, Math.floor((range.fromS - startS) / stepS));
  const end = Math.min(selected.arrays.length(array), Math.ceil((range.toS - startS) / stepS) + 1);
  for (let at = first; at < end; at += BLOCK_LENGTH) {
    const values = await selected.arrays.read(array, at, Math.min(end, at + BLOCK_LENGTH));
    for (let i = 0; i < values.length; i++) reduced.add(startS + (at + i) * stepS, values[i]!);
  }
  return { field, unit, pass: selected.pass, ...reduced.series };
}

/** Fields of the classes that the video has, those with the most boxes first. */
function listCounted(stored: StoredObservations): string[] {
  const boxes = new Map<string, number>();
  for (const { className, entries } of openObjects(stored)?.tracks ?? []) {
    boxes.set(className, (boxes.get(className) ?? 0) + entries);
  }
  const ordered = [...boxes].toSorted(([a, n], [b, m]) => m - n || a.localeCompare(b));
  return ordered.map(([name]) => `${COUNT}${name}`);
}

async function readCounts(stored: StoredObservations, fields: readonly string[], range: LanesRequest) {
  if (fields.length === 0) return [];
  const objects = openObjects(stored);
  const missing: UnavailableReason = selectPass(stored, 'signals') ? 'no_detector' : 'not_observed';
  if (!objects) return fields.map((field) => [field, missing] as const);
  const { first, timesS } = await readFrames(objects, range);
  const results: (readonly [string, Lane | UnavailableReason])[] = [];
  for (const field of fields) {
    const tracks = objects.tracks.filter(({ className }) => field === `${COUNT}${className}`);
    if (tracks.length === 0) {
      results.push([field, 'none_found']);
      continue;
    }
    const counts = new Uint16Array(timesS.length);
    await scanFrames(tracks, (_track, frames) => {
      for (let i = 0; i < frames.length; i++) {
        const at = frames[i]! - first;
        if (at >= 0 && at < counts.length) counts[at]!++;
      }
    });
    const reduced = createMinMax(range);
    for (let i = 0; i < counts.length; i++) reduced.add(timesS[i]!, counts[i]!);
    results.push([field, { field, unit: 'objects', pass: objects.pass, ...reduced.series }]);
  }
  return results;
}
