import type { Observations } from '../../observe/observations.ts';
import type { Fact } from '../../plan/index.ts';
import { findSignals } from '../frame/index.ts';
import { always } from '../limits/index.ts';
import { findSound } from '../sound/index.ts';
import { readBurnedInClock } from '../text/index.ts';
import type { Scene, StepResult } from '../types.ts';
import type { FileValue, KnownFact } from './fact-values.ts';

/** A fact, or the reason why it is not known. */
type FactValue = KnownFact | { unavailable: string };

/** Reads a fact about the recording from its observations. Speeds are in m/s, times in seconds. */
function readFact(fact: Fact, scene: Scene): FactValue {
  const { video, signals, telemetry } = scene.observations;
  const { durationS, width, height } = video;
  switch (fact) {
    case 'duration':
      return { fact, seconds: durationS, by: 'file' };
    case 'resolution':
    case 'orientation':
      return width > 0 && height > 0
        ? { fact, width, height, by: 'file' }
        : { unavailable: 'the recording has no frames' };
    case 'frame_rate': {
      const timeS = signals?.timeS ?? new Float64Array();
      const lengthS = (timeS.at(-1) ?? 0) - (timeS[0] ?? 0);
      if (lengthS <= 0) return { unavailable: NOT_DECODED };
      return { fact, perSecond: (timeS.length - 1) / lengthS, by: 'file' };
    }
    case 'frame_count':
      return signals ? { fact, frames: signals.timeS.length, by: 'file' } : { unavailable: NOT_DECODED };
    case 'audio_track':
      return readAudioTrack(scene);
    case 'shot_count': {
      const changes = findSignals({ kind: 'signal', signal: 'scene_change' }, scene);
      if ('unavailable' in changes) return { unavailable: NOT_DECODED };
      const isSure = changes.matches.every(({ confidence }) => confidence >= SURE_CHANGE);
      if (!isSure) return { unavailable: 'some changes of the scene may not be cuts; ask for "cuts" to see them' };
      return { fact, shots: changes.matches.length + 1, by: 'signals' };
    }
    case 'mean_speed':
    case 'top_speed':
      return readSpeed(fact, telemetry);
    default:
      return readFileFact(fact, scene.observations);
  }
}

/** Below this confidence, a change of the scene is not counted as the start of another shot. */
const SURE_CHANGE = 0.5;
const NOT_DECODED = 'only some frames of this video have been decoded';
const NOT_READ = 'the facts of this file have not been read';

function readFileFact(fact: FileValue['fact'], { file, video, telemetry, text }: Observations): FactValue {
  if (!file) return { unavailable: NOT_READ };
  const by = 'file';
  switch (fact) {
    case 'codec':
      return { fact, codec: file.codec, audioCodec: file.audio?.codec ?? null, by };
    case 'container':
      return { fact, container: file.container, by };
    case 'file_size':
      return { fact, bytes: file.sizeBytes, by };
    case 'bit_rate':
      return video.durationS > 0
        ? { fact, bitsPerSecond: (file.sizeBytes * 8) / video.durationS, by }
        : { unavailable: 'the recording has no length' };
    case 'dynamic_range':
      return { fact, hdr: file.hdr, bits: bitsOf(file.pixelFormat), by };
    case 'recorded_at':
      return file.createdAt === null ? readClock(text) : { fact, createdAt: file.createdAt, by };
    case 'camera_model':
      if (file.camera !== null) return { fact, camera: file.camera, by };
      // Only cameras of this make write such a track.
      if (telemetry?.telemetry?.source === 'GoPro track') return { fact, camera: 'GoPro', by: 'telemetry' };
      return { unavailable: 'the file does not state its camera' };
  }
}

/** The clock in the frames, if the text of the video was read. */
function readClock(text: Observations['text']): FactValue {
  const clock = text && readBurnedInClock(text);
  if (clock) return { fact: 'recorded_at', clock: clock.reading, timeS: clock.timeS, by: 'text' };
  const hint = text ? '' : '; a clock in the picture is recognized once text was read in the video ("any text")';
  return { unavailable: `the file does not state when it was recorded${hint}` };
}

/** Bits per sample of a pixel format: 10 of "yuv420p10le", 8 where the name states none. */
const bitsOf = (pixelFormat: string) => Number(/p(?:0)?(10|12|14|16)(?:le|be)?$/.exec(pixelFormat)?.[1] ?? 8);

function readAudioTrack(scene: Scene): FactValue {
  const { video, file, sound } = scene.observations;
  const isSilent = sound === null || sound.levelDb.length === 0 ? null : !isAudible(scene);
  const codec = file?.audio?.codec ?? null;
  return { fact: 'audio_track', hasAudio: video.hasAudio, codec, isSilent, by: 'file' };
}

/** True if anything in the audio track is louder than silence. */
export function isAudible(scene: Scene): boolean {
  const found = findSound({ kind: 'sound', sound: 'sound' }, scene);
  return 'unavailable' in found || found.matches.length > 0;
}

function readSpeed(fact: 'mean_speed' | 'top_speed', reading: Observations['telemetry']): FactValue {
  const telemetry = reading?.telemetry;
  if (!telemetry) {
    const cause = reading?.reason ?? 'the video has no telemetry';
    return { unavailable: `${cause}, and speed cannot be measured in the frames` };
  }
  const known = [...telemetry.speedMps.entries()].filter(([, speed]) => Number.isFinite(speed));
  const [first] = known;
  if (!first) return { unavailable: `the telemetry of this video (${telemetry.source}) does not contain speed` };
  const [at, top] = known.reduce((best, each) => (each[1] > best[1] ? each : best), first);
  const mean = known.reduce((sum, [, speed]) => sum + speed, 0) / known.length;
  return { fact, speedMps: fact === 'top_speed' ? top : mean, timeS: telemetry.timeS[at]!, by: 'telemetry' };
}

/** Evaluates a step for a fact: it has no events, only an answer in words. */
export function findFact(fact: Fact, scene: Scene): StepResult {
  const value = readFact(fact, scene);
  if ('unavailable' in value) return value;
  return { matches: [], by: [value.by], limits: always(), frames: scene.frames, fact: value };
}
