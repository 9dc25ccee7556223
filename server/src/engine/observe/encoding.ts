import { type Numbers, pack, unpack } from './artifact.ts';
import type { Objects, Observations, Signals, Sound, Telemetry, Track, Triage, VideoFacts } from './observations.ts';
import type { TelemetryReading } from './telemetry/index.ts';

/**
 * Observations as artifacts and back: one artifact per kind, each with the facts about its video, so that any of them can be read alone.
 * Ten minutes at 30 frames a second are 1.4 MB of signals; they load in about a millisecond.
 */

/** Shares of blocks are stored in steps of 1/255. */
const SHARE_STEPS = 255;

const SIGNAL_ARRAYS = [
  'timeS',
  'pts',
  'luma',
  'contrast',
  'dark',
  'bright',
  'colorTimeS',
  'red',
  'green',
  'blue',
  'chroma',
  'sharpness',
  'difference',
  'cut',
  'dissolve',
  'globalX',
  'globalY',
  'zoom',
  'roll',
  'advance',
  'localMotion',
] as const satisfies (keyof Signals)[];

const TRACK_ARRAYS = ['frame', 'x', 'y', 'width', 'height', 'score'] as const satisfies (keyof Track)[];

export function encodeSignals(video: VideoFacts, signals: Signals): Uint8Array {
  const { regionRows, regionColumns } = signals;
  const arrays: Record<string, Numbers> = Object.fromEntries(SIGNAL_ARRAYS.map((name) => [name, signals[name]]));
  arrays.regions = Uint8Array.from(signals.regions, (share) => Math.round(share * SHARE_STEPS));
  return pack({ kind: 'signals', facts: { video, regionRows, regionColumns }, arrays });
}

export function decodeSignals(bytes: Uint8Array): { video: VideoFacts; signals: Signals } {
  const { facts, arrays } = unpack(bytes, 'signals');
  const { video, ...grid } = facts as Pick<Signals, 'regionRows' | 'regionColumns'> & { video: VideoFacts };
  const stored = arrays.regions!;
  const regions = new Float32Array(stored.length);
  for (let at = 0; at < stored.length; at++) regions[at] = stored[at]! / SHARE_STEPS;
  return { video, signals: { ...arrays, ...grid, regions } as unknown as Signals };
}

/** `null` stands for a video without sound. */
export function encodeSound(video: VideoFacts, sound: Sound | null): Uint8Array {
  const { startS, stepS, levelDb, peakDb } = sound ?? { startS: 0, stepS: 0, levelDb: NONE, peakDb: NONE };
  return pack({ kind: 'sound', facts: { video, heard: sound !== null, startS, stepS }, arrays: { levelDb, peakDb } });
}

const NONE = new Float32Array();

export function decodeSound(bytes: Uint8Array): { video: VideoFacts; sound: Sound | null } {
  const { facts, arrays } = unpack(bytes, 'sound');
  const { video, heard, startS, stepS } = facts as {
    video: VideoFacts;
    heard: boolean;
    startS: number;
    stepS: number;
  };
  const levels = arrays as unknown as Pick<Sound, 'levelDb' | 'peakDb'>;
  return { video, sound: heard ? { startS, stepS, ...levels } : null };
}

export function encodeTriage(video: VideoFacts, { rows, columns, ...arrays }: Triage): Uint8Array {
  return pack({ kind: 'triage', facts: { video, rows, columns }, arrays });
}

export function decodeTriage(bytes: Uint8Array): { video: VideoFacts; triage: Triage } {
  const { facts, arrays } = unpack(bytes, 'triage');
  const { video, ...grid } = facts as Pick<Triage, 'rows' | 'columns'> & { video: VideoFacts };
  return { video, triage: { ...grid, ...arrays } as unknown as Triage };
}

/** `null` stands for a recording without telemetry. */
export function encodeTelemetry(video: VideoFacts, { telemetry, reason }: TelemetryReading): Uint8Array {
  const { source = '', notes = [], gapS = 0, ...arrays } = telemetry ?? {};
  return pack({
    kind: 'telemetry',
    facts: { video, measured: telemetry !== null, reason, source, notes, gapS },
    arrays,
  });
}

export function decodeTelemetry(bytes: Uint8Array): { video: VideoFacts } & TelemetryReading {
  const { facts, arrays } = unpack(bytes, 'telemetry');
  const { video, measured, reason, ...told } = facts as { video: VideoFacts; measured: boolean; reason: string | null };
  return { video, reason, telemetry: measured ? ({ ...told, ...arrays } as unknown as Telemetry) : null };
}

/** What of a track is no array, and how many of the joined arrays' entries are its own. */
type TrackFacts = Omit<Track, (typeof TRACK_ARRAYS)[number]> & { entries: number };

export function encodeObjects(video: VideoFacts, { timeS, pts, tracks, model, classes }: Objects): Uint8Array {
  const facts: TrackFacts[] = tracks.map(({ id, className, colors, enteredFrom, leftTo, stationary, frame }) => {
    return { id, className, colors, enteredFrom, leftTo, stationary, entries: frame.length };
  });
  const total = tracks.reduce((sum, { frame }) => sum + frame.length, 0);
  const joined = TRACK_ARRAYS.map((name): [string, Numbers] => {
    const all = name === 'frame' ? new Int32Array(total) : new Float32Array(total);
    let at = 0;
    for (const track of tracks) {
      all.set(track[name], at);
      at += track[name].length;
    }
    return [name, all];
  });
  const arrays = { timeS, pts, ...Object.fromEntries(joined) };
  return pack({ kind: 'objects', facts: { video, model, classes, tracks: facts }, arrays });
}

export function decodeObjects(bytes: Uint8Array): { video: VideoFacts; objects: Objects } {
  const { facts, arrays } = unpack(bytes, 'objects');
  const { video, model, classes, tracks } = facts as Pick<Objects, 'model' | 'classes'> & {
    video: VideoFacts;
    tracks: TrackFacts[];
  };
  const { timeS, pts } = arrays as unknown as Pick<Objects, 'timeS' | 'pts'>;
  let at = 0;
  const restored = tracks.map(({ entries, ...track }): Track => {
    const own = TRACK_ARRAYS.map((name) => [name, arrays[name]!.subarray(at, at + entries)]);
    at += entries;
    return { ...track, ...Object.fromEntries(own) };
  });
  return { video, objects: { model, classes, timeS, pts, tracks: restored } };
}

/** Puts together what is there. At least one artifact has to be. */
export function decodeObservations(artifacts: ReadonlyMap<string, Uint8Array>): Observations {
  const read = <T>(kind: string, decode: (bytes: Uint8Array) => T) => {
    const bytes = artifacts.get(kind);
    return bytes ? decode(bytes) : null;
  };
  const signals = read('signals', decodeSignals);
  const sound = read('sound', decodeSound);
  const objects = read('objects', decodeObjects);
  const telemetry = read('telemetry', decodeTelemetry);
  const triage = read('triage', decodeTriage);
  const video = (signals ?? objects ?? triage ?? sound ?? telemetry)?.video;
  if (!video) throw new Error('There are no observations to put together.');
  return {
    video,
    signals: signals?.signals ?? null,
    sound: sound?.sound ?? null,
    objects: objects?.objects ?? null,
    triage: triage?.triage ?? null,
    telemetry: telemetry?.telemetry ?? null,
    telemetryReason: telemetry?.reason ?? null,
  };
}
