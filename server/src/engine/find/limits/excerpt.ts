import type {
  AudioLevels,
  FineObjects,
  Objects,
  Observations,
  Signals,
  SparsePass,
  SubtitleText,
  Telemetry,
  Track,
  Transcript,
} from '../../observe/observations.ts';
import { MEASURES } from '../../observe/telemetry/samples.ts';
import type { Excerpt, ExcerptKind, FrameTimes, Scene, TimeWindow } from '../types.ts';

const excerpts = new WeakMap<Scene, Map<string, Excerpt>>();

/** The part of a scene in a window. */
export function excerptOf(scene: Scene, window: TimeWindow): Excerpt {
  const own = excerpts.get(scene) ?? new Map<string, Excerpt>();
  excerpts.set(scene, own);
  const key = `${window.from} ${window.to}`;
  const excerpt = own.get(key) ?? cutScene(scene, window);
  own.set(key, excerpt);
  return excerpt;
}

/** True if an interval overlaps a window. */
export const overlaps = ({ from, to }: TimeWindow, startS: number, endS: number): boolean =>
  startS <= to && endS >= from;

function cutScene(scene: Scene, window: TimeWindow): Excerpt {
  const { video } = scene.observations;
  const isWhole = window.from === Number.NEGATIVE_INFINITY && window.to === Number.POSITIVE_INFINITY;
  const cut = <Kind extends ExcerptKind>(kind: Kind): Observations[Kind] => {
    const observed = scene.observations[kind];
    return observed === null || isWhole ? observed : CUTTERS[kind](observed, window);
  };
  return {
    window,
    lengthS: Math.max(0, Math.min(video.durationS, window.to) - Math.max(0, window.from)),
    observations: {
      video,
      signals: cut('signals'),
      objects: cut('objects'),
      fineObjects: cut('fineObjects'),
      sound: cut('sound'),
      speech: cut('speech'),
      subtitles: cut('subtitles'),
      telemetry: cut('telemetry'),
      sparsePass: cut('sparsePass'),
    },
    frames: isWhole ? scene.frames : cutFrames(scene.frames, window),
    trackViews: () => scene.trackViews().filter(({ startS, endS }) => overlaps(window, startS, endS)),
    denseRanges: scene.denseRanges.flatMap(({ observations: { video: own } }) => {
      const fromS = Math.max(own.range!.fromS, window.from);
      const untilS = Math.min(own.range!.untilS, video.durationS, window.to);
      return fromS < untilS ? [{ fromS, untilS }] : [];
    }),
  };
}

type Cutters = {
  [Kind in ExcerptKind]: (observed: NonNullable<Observations[Kind]>, window: TimeWindow) => Observations[Kind];
};

const CUTTERS: Cutters = {
  signals: cutSignals,
  objects: cutObjects,
  fineObjects: cutFineObjects,
  sound: cutSound,
  speech: cutSpeech,
  subtitles: cutSubtitles,
  telemetry: ({ telemetry, ...reading }, window) => ({
    ...reading,
    telemetry: telemetry && cutTelemetry(telemetry, window),
  }),
  sparsePass: cutSparsePass,
};

type Indices = readonly [from: number, to: number];

/** First index and the one after the last of ascending times in a window. */
function indicesIn(timeS: Float64Array, { from, to }: TimeWindow): Indices {
  const first = timeS.findIndex((time) => time >= from);
  const last = timeS.findLastIndex((time) => time <= to);
  return first < 0 || last < first ? [0, 0] : [first, last + 1];
}

export function cutFrames({ timeS, pts }: FrameTimes, window: TimeWindow): FrameTimes {
  const indices = indicesIn(timeS, window);
  return { timeS: timeS.subarray(...indices), pts: pts.subarray(...indices) };
}

function cutSignals(s: Signals, window: TimeWindow): Signals {
  const indices = indicesIn(s.timeS, window);
  const colors = indicesIn(s.colorTimeS, window);
  const cells = s.regionRows * s.regionColumns;
  const isColor = (name: string) => ['colorTimeS', 'red', 'green', 'blue', 'chroma'].includes(name);
  const columns = Object.entries(s).map(([name, column]) => {
    if (typeof column === 'number') return [name, column];
    if (name === 'regions') return [name, s.regions.subarray(indices[0] * cells, indices[1] * cells)];
    return [name, column.subarray(...(isColor(name) ? colors : indices))];
  });
  return Object.fromEntries(columns) as Signals;
}

function cutObjects(objects: Objects, window: TimeWindow): Objects {
  const indices = indicesIn(objects.timeS, window);
  return {
    ...objects,
    timeS: objects.timeS.subarray(...indices),
    pts: objects.pts.subarray(...indices),
    tracks: cutTracks(objects.tracks, indices),
  };
}

/** The tracks of fine objects index the frames of `objects`, which their own times are some of. */
function cutFineObjects(fine: FineObjects, window: TimeWindow): FineObjects {
  return { ...fine, timeS: fine.timeS.subarray(...indicesIn(fine.timeS, window)), tracks: [] };
}

function cutTracks(tracks: readonly Track[], [first, end]: Indices): Track[] {
  return tracks.flatMap((track): Track[] => {
    const from = track.frame.findIndex((frame) => frame >= first);
    const to = track.frame.findLastIndex((frame) => frame < end) + 1;
    if (from < 0 || to <= from) return [];
    const { x, y, width, height, score } = track;
    return [
      {
        ...track,
        frame: track.frame.subarray(from, to).map((frame) => frame - first),
        x: x.subarray(from, to),
        y: y.subarray(from, to),
        width: width.subarray(from, to),
        height: height.subarray(from, to),
        score: score.subarray(from, to),
      },
    ];
  });
}

function cutSound(levels: AudioLevels, { from, to }: TimeWindow): AudioLevels {
  const { startS, stepS, levelDb, peakDb } = levels;
  const first = Math.max(0, Math.floor((from - startS) / stepS));
  const end = Math.max(first, Math.min(levelDb.length, Math.ceil((to - startS) / stepS)));
  return {
    startS: startS + first * stepS,
    stepS,
    levelDb: levelDb.subarray(first, end),
    peakDb: peakDb.subarray(first, end),
  };
}

function cutSpeech(speech: Transcript, window: TimeWindow): Transcript {
  const { texts, languages, startS, endS, confidence, voiceStartS, voiceEndS } = speech;
  const isIn = (i: number) => overlaps(window, startS[i]!, endS[i]!);
  const isVoiceIn = (i: number) => overlaps(window, voiceStartS[i]!, voiceEndS[i]!);
  return {
    ...speech,
    texts: texts.filter((_, i) => isIn(i)),
    languages: languages?.filter((_, i) => isIn(i)) ?? null,
    startS: startS.filter((_, i) => isIn(i)),
    endS: endS.filter((_, i) => isIn(i)),
    confidence: confidence.filter((_, i) => isIn(i)),
    voiceStartS: voiceStartS.filter((_, i) => isVoiceIn(i)),
    voiceEndS: voiceEndS.filter((_, i) => isVoiceIn(i)),
  };
}

function cutSubtitles(subtitles: SubtitleText, window: TimeWindow): SubtitleText {
  const { texts, startS, endS } = subtitles;
  const isIn = (i: number) => overlaps(window, startS[i]!, endS[i]!);
  return {
    ...subtitles,
    texts: texts.filter((_, i) => isIn(i)),
    startS: startS.filter((_, i) => isIn(i)),
    endS: endS.filter((_, i) => isIn(i)),
  };
}

function cutTelemetry(telemetry: Telemetry, window: TimeWindow): Telemetry {
  const indices = indicesIn(telemetry.timeS, window);
  const measures = MEASURES.map((name) => [name, telemetry[name].subarray(...indices)]);
  return { ...telemetry, ...Object.fromEntries(measures), timeS: telemetry.timeS.subarray(...indices) };
}

function cutSparsePass(pass: SparsePass, window: TimeWindow): SparsePass {
  return {
    signals: cutSignals(pass.signals, window),
    objects: pass.objects && cutObjects(pass.objects, window),
    sound: pass.sound && cutSound(pass.sound, window),
    quiet: pass.quiet.flatMap(({ startS, endS }) => {
      const [from, to] = [Math.max(startS, window.from), Math.min(endS, window.to)];
      return from < to ? [{ startS: from, endS: to }] : [];
    }),
  };
}
