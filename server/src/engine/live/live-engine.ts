import type { Media } from '#platform/media/index';
import { answerScene } from '../answer.ts';
import { createScene, DEFAULT_MIN_CONFIDENCE, type Scene } from '../find/index.ts';
import { prepareDetector } from '../observe/objects/observer.ts';
import type { VideoFacts } from '../observe/observations.ts';
import type { WeightsFinder } from '../observe/weights.ts';
import type { Plan, PlannedSearch } from '../plan/index.ts';
import type { Coverage, VideoEvent } from '../types.ts';
import { isLeftToModel, type VisionProfiles } from '../vision/index.ts';
import { type AbsenceQuery, toAbsenceQuery } from './absences/absence-query.ts';
import { type AbsenceFinding, findAbsences } from './absences/find-absences.ts';
import type { WindowEvent } from './event-updates.ts';
import { createModelLook, type ModelLook, type ModelLookDeps } from './model-look.ts';
import type { ObserveSegmentArgs, ObserveSegmentResult } from './observe-segment.ts';
import type { SegmentTail } from './observed-segment.ts';
import { toSightedEvents } from './sightings.ts';
import type { StreamWindow } from './stream-window.ts';

/**
 * The engine for livestreams: segments are observed one by one, with the same result as one pass over all of them,
 * and a plan is answered over a window of the latest ones. `updateEvents` reports each event once.
 */
export type LiveEngine = {
  /**
   * Observes one segment, a file that can be decoded alone. Throws a Problem if it cannot be decoded; aborting kills
   * the decoding process. Detects every `detectionIntervalS` seconds; null disables the detector.
   */
  observe(path: string, options: SegmentOptions): Promise<ObserveSegmentResult>;
  /** Shows chunks of a stream to the default vision-language model; see `ModelLook`. */
  createModelLook(options: Omit<ModelLookDeps, 'media' | 'looks'>): ModelLook;
  /** True if the plan needs the detector. */
  needsDetector(plan: Plan): boolean;
  /**
   * Events of the plan in the window, in seconds of the stream, and the coverage of each part. Parts that ask for an
   * absence of some length, or until some time of day, have no events: `trackAbsences` follows what is found of them.
   */
  answer(plan: Plan, window: StreamWindow): LiveFindings;
};

export type LiveFindings = { events: WindowEvent[]; coverage: LiveCoverage[]; absences: AbsenceFinding[] };

/** A row of coverage. `search` is the part of the prompt that it belongs to. */
export type LiveCoverage = Coverage & { search: string };

export type SegmentOptions = {
  detectionIntervalS: number | null;
  /** End of the previous segment, and its length in seconds; null after a gap. */
  previous: { tail: SegmentTail; durationS: number } | null;
  /** Facts from an earlier segment with the same tracks. */
  video?: VideoFacts;
  signal: AbortSignal;
};

export type LiveEngineDeps = { media: Media; weights: WeightsFinder; looks: Pick<VisionProfiles, 'get'> };

const TASK = new URL('./observe-segment.ts', import.meta.url);
/** Segments are a few seconds long: a process that takes longer than this hangs. */
const TIMEOUT_S = 60;

export function createLiveEngine({ media, weights, looks }: LiveEngineDeps): LiveEngine {
  return {
    createModelLook: (options) => createModelLook({ ...options, media, looks }),

    async observe(path, { detectionIntervalS: intervalS, previous, video, signal }) {
      const ready = intervalS === null ? null : await prepareDetector({ weights }, { usual: true });
      const args: ObserveSegmentArgs = {
        path,
        video: video ?? (await probeFacts(path, signal)),
        previousTail: previous && shiftTail(previous.tail, previous.durationS),
        detector: ready && 'settings' in ready && intervalS !== null ? { ...ready.settings, intervalS } : null,
      };
      const runOptions = { signal, timeoutS: TIMEOUT_S, live: true };
      const reads = [path, ...(ready && 'settings' in ready ? [ready.settings.weights] : [])];
      return media.run<ObserveSegmentResult>({ module: TASK, name: 'observeSegment', args, reads }, runOptions);
    },

    needsDetector: (plan) =>
      plan.searches.some(({ steps }) => steps.some(({ what }) => what.kind === 'object' || what.kind === 'notable')),

    answer(plan, window) {
      const observations = window.observations();
      if (!observations) return { events: [], coverage: [], absences: [] };
      const scene = createScene(observations);
      const startS = window.startS();
      const answers = plan.searches.map((search): LiveFindings => {
        const query = toAbsenceQuery(search, plan);
        if (query && !isLeftToModel(search)) return answerAbsence(query, search, plan, scene);
        // The first, last or longest event is only known at the end of the stream.
        const { window: ownWindow, places: _, ...anywhere } = search;
        const searchPlan = { ...plan, window: null, searches: [{ ...anywhere, pick: null }] };
        const answer = answerScene(searchPlan, scene);
        const { events, coverage } = isLeftToModel(search) ? withSightings(answer, search.text, window, scene) : answer;
        const notes = [search.pick ? EACH_REPORTED : [], plan.window || ownWindow ? ALL_SEARCHED : []].flat();
        return {
          absences: [],
          events: events.map((event) => ({ search: search.text, event: inStream(event, startS) })),
          coverage: coverage.map((row) => ({
            ...(notes.length > 0 ? withNotes(row, notes) : row),
            search: search.text,
          })),
        };
      });
      return {
        events: answers.flatMap(({ events }) => events),
        coverage: answers.flatMap(({ coverage }) => coverage),
        absences: answers.flatMap(({ absences }) => absences.map((each) => absenceInStream(each, startS))),
      };
    },
  };

  async function probeFacts(path: string, signal: AbortSignal): Promise<VideoFacts> {
    const { video, durationS, audio } = await media.probe(path, { signal });
    const { width, height, timeBase } = video;
    return { durationS, width, height, timeBase, hasAudio: audio !== null };
  }
}

function answerAbsence(query: AbsenceQuery, search: PlannedSearch, plan: Plan, scene: Scene): LiveFindings {
  const { finding, coverage } = findAbsences(query, search, plan, scene);
  return { events: [], coverage: coverage.map((row) => ({ ...row, search: search.text })), absences: [finding] };
}

const absenceInStream = (finding: AbsenceFinding, startS: number): AbsenceFinding => ({
  ...finding,
  absent: finding.absent.map((each) => ({ ...each, fromS: each.fromS + startS, untilS: each.untilS + startS })),
  present: finding.present.map(({ fromS, untilS }) => ({ fromS: fromS + startS, untilS: untilS + startS })),
  lastSeen: finding.lastSeen && { ...finding.lastSeen, timeS: finding.lastSeen.timeS + startS },
});

const EACH_REPORTED = ['the requested one is only known at the end of the stream: each event is reported'];
const ALL_SEARCHED = ['the requested part of the video is only known at the end of the stream: all of it is searched'];

/** The events that a model saw of a part of the prompt, with its coverage. Unchanged if it was not shown a chunk. */
function withSightings(answer: LiveAnswer, text: string, window: StreamWindow, scene: Scene): LiveAnswer {
  const sightings = window.sightings().filter(({ states }) => states.some((each) => each.text === text));
  const last = sightings.at(-1);
  if (!last) return answer;
  const startS = window.startS();
  const { timeBase } = scene.observations.video;
  const frameAt = (timeS: number) => scene.frameTimeAt(timeS - startS);
  const inWindow = sightings.map((each) => ({ ...each, fromS: Math.max(startS, each.fromS) }));
  const sighted = toSightedEvents(text, inWindow, { endS: window.endS(), timeBase, frameAt });
  const events = sighted.filter(({ confidence }) => confidence >= DEFAULT_MIN_CONFIDENCE);
  const isKnown = last.states.some((each) => each.text === text && each.state !== 'unknown');
  const doubted = sighted.length - events.length;
  const left = doubted === 0 ? '' : `; ${doubted} below a confidence of ${DEFAULT_MIN_CONFIDENCE} left out`;
  const reason = isKnown ? `${SOME_CHUNKS}${left}` : `${last.by}: ${last.reason}`;
  const row: Coverage = {
    text,
    reason,
    findings: events.length,
    ...(isKnown ? { status: 'partly', by: [last.by] } : { status: 'not_looked_for', by: [] }),
  };
  return { events, coverage: [row] };
}

const SOME_CHUNKS =
  'a model is shown a chunk of the stream at times, if something changed: shorter events may be missed, and edges are those of chunks';
type LiveAnswer = { events: VideoEvent[]; coverage: Coverage[] };

/** Adds notes to the coverage of a part that was searched. */
function withNotes(row: Coverage, notes: readonly string[]): Coverage {
  if (row.status === 'not_looked_for') return row;
  return { ...row, status: 'partly', reason: [row.reason ?? [], notes].flat().join('; ') };
}

/** The tail of a segment, in the time of the next one. */
function shiftTail({ frames, lastDetectionS: detectedS }: SegmentTail, seconds: number): SegmentTail {
  return {
    frames: frames.map((frame) => ({ ...frame, timeS: frame.timeS - seconds })).filter(({ timeS }) => timeS < 0),
    lastDetectionS: detectedS === null ? null : detectedS - seconds,
  };
}

function inStream(event: VideoEvent, startS: number): VideoEvent {
  const { evidence } = event;
  const at = (timeS: number) => Math.round((timeS + startS) * 1e6) / 1e6;
  return {
    ...event,
    startS: at(event.startS),
    endS: at(event.endS),
    evidence: {
      ...evidence,
      frames: evidence.frames.map((frame) => ({ ...frame, timeS: at(frame.timeS) })),
      tracks: evidence.tracks.map(({ path, ...track }) => ({
        ...track,
        path: path.map(([t, x, y]): [number, number, number] => [at(t), x, y]),
      })),
    },
  };
}
