import { DEFAULT_MIN_CONFIDENCE, type VideoEvent } from '#engine/index';
import type { Analyses } from '#features/analyses/index';
import type { DomainEvents, Events } from '#features/events/index';
import type { Videos } from '#features/videos/index';
import type { Transaction } from '#platform/db/index';
import type { ReaderOf } from '../reading.ts';
import { findSession, listEvents, listPositions, listRecordingIds } from '../store.ts';
import type { LiveEvent, RecordedPlace } from '../types.ts';
import { toCoverage } from './coverage.ts';
import { listSkippedRanges } from './skipped-ranges.ts';
import { findAnalysis } from './store.ts';

export type AnswerRecorderDeps = {
  readerOf: ReaderOf;
  videos: Pick<Videos, 'find'>;
  analyses: Pick<Analyses, 'lockVideos' | 'insertCompleted'>;
  events: Pick<Events, 'publish'>;
};

/** Of recordings whose container states none. */
const DEFAULT_TIME_BASE: [number, number] = [1, 90_000];

/**
 * Makes the events of a session those of its recordings: as an analysis of each, they are listed, reviewed, searched
 * and exported like all others. The recording and its analysis end in any order, each in a transaction that calls
 * `lock` before it changes anything and `store` at its end; the later one finds that both have ended.
 */
export function createAnswerRecorder({ readerOf, videos, analyses, events: domain }: AnswerRecorderDeps) {
  return {
    async lock(trx: Transaction, sessionId: string): Promise<void> {
      const session = await findSession(trx, sessionId);
      if (!session) return;
      await analyses.lockVideos(trx, [session.videoId, ...(await listRecordingIds(trx, sessionId))]);
    },

    async store(trx: Transaction, sessionId: string): Promise<void> {
      // Waits for a transaction that ends the other part.
      const session = await findSession(trx, sessionId, { lock: true });
      const analysis = await findAnalysis(trx, sessionId);
      if (!session?.endedAt || !analysis?.endedAt || session.query === null) return;
      const { query, ownerId } = session;
      const { plan, interpretation } = (await readerOf(session)).open(analysis.plan, query);
      const events = await listEvents(trx, sessionId);
      const skipped = listSkippedRanges(analysis.pendingRanges, analysis.skippedRanges, true);
      const answered: DomainEvents['live.answered']['events'][number][] = [];
      const recorded = await listPositions(trx, sessionId);
      const positions = Map.groupBy(recorded, ({ videoId }) => videoId);
      for (const [videoId, segments] of positions) {
        const video = videoId === null ? null : await videos.find(videoId, trx);
        if (video?.status !== 'UPLOADED') continue;
        const timeBase = video.probe?.video.timeBase ?? DEFAULT_TIME_BASE;
        const clock = { timeBase, startS: video.probe?.startS ?? 0 };
        const found = events
          .flatMap(({ id: eventId, ...event }) => {
            const first = findRecorded(recorded, event.chunkIndex);
            const placed = first && toRecordedEvent({ ...event, chunkIndex: first.sequence }, segments, clock);
            return placed ? [{ eventId, recorded: placed }] : [];
          })
          .sort((a, b) => a.recorded.startS - b.recorded.startS);
        const analysisId = await analyses.insertCompleted(trx, {
          ownerId,
          video,
          query,
          plan,
          minConfidence: DEFAULT_MIN_CONFIDENCE,
          answer: {
            interpretation,
            events: found.map(({ recorded }) => recorded),
            candidates: [],
            answer: null,
            summary: summaryOf(found.length),
            coverage: toCoverage(analysis.coverage, skipped, events).map(({ text, status, by, reason, findings }) => ({
              text,
              status,
              by,
              reason,
              findings,
            })),
          },
        });
        answered.push(...found.map(({ eventId }, position) => ({ eventId, analysisId, position })));
      }
      await domain.publish(trx, 'live.answered', { sessionId, events: answered });
    },
  };
}

export type AnswerRecorder = ReturnType<typeof createAnswerRecorder>;

/** The first segment from this sequence on, else the last one. Segments between them may not be recorded. */
function findRecorded(segments: readonly RecordedPlace[], sequence: number): RecordedPlace | undefined {
  let [low, high] = [0, segments.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (segments[middle]!.sequence < sequence) low = middle + 1;
    else high = middle;
  }
  return segments[low] ?? segments.at(-1);
}

const summaryOf = (count: number) =>
  count === 0
    ? 'Nothing was found while the stream was recorded.'
    : `${count === 1 ? '1 event was' : `${count} events were`} found while the stream was recorded.`;

type StoredFrame = Omit<VideoEvent['evidence']['frames'][number], 'timeS'> & {
  chunk_index: number;
  chunk_relative_time: number;
};
type StoredEvent = Pick<VideoEvent, 'label' | 'category' | 'severity' | 'confidence' | 'caveats'> & {
  aiAnalysis: string;
  start_s: number;
  end_s: number;
  verification?: { status: 'verified' | 'unverified' | 'refuted'; by: string; frames_s: number[] };
  evidence: {
    frames: StoredFrame[];
    tracks: { id: number; class: string; color: string | null }[];
    signals: VideoEvent['evidence']['signals'];
  };
};

/**
 * A live event as one of the recording that consists of these segments; null if it is in another one. Its times are of
 * the stream, with gaps, and become those of the recording, without them.
 */
export function toRecordedEvent(
  { chunkIndex, data }: Pick<LiveEvent, 'chunkIndex' | 'data'>,
  segments: readonly RecordedPlace[],
  { timeBase, startS: firstS }: { timeBase: [number, number]; startS: number },
): VideoEvent | null {
  const first = segments[0]!;
  const start = findRecorded(segments, chunkIndex);
  if (start?.sequence !== chunkIndex) return null;
  const event = data as unknown as StoredEvent;
  const within = ({ startS, durationS }: RecordedPlace, intoS: number) =>
    startS - first.startS + Math.min(Math.max(0, intoS), durationS);
  const at = (streamS: number) => {
    const segment = segments.findLast((each) => each.streamS <= streamS + 1e-6) ?? first;
    return within(segment, streamS - segment.streamS);
  };
  const toPts = (timeS: number) => Math.round(((firstS + timeS) * timeBase[1]) / timeBase[0]);
  const startS = within(start, event.start_s - start.streamS);
  const endS = Math.max(startS, at(event.end_s));
  const { frames, tracks, signals } = event.evidence;
  return {
    startS,
    endS,
    startPts: toPts(startS),
    endPts: toPts(endS),
    timeBase,
    label: event.label,
    category: event.category,
    severity: event.severity,
    confidence: event.confidence,
    explanation: event.aiAnalysis,
    caveats: event.caveats,
    evidence: {
      frames: frames.flatMap(({ role, boxes, chunk_index, chunk_relative_time }) => {
        const segment = findRecorded(segments, chunk_index);
        if (segment?.sequence !== chunk_index) return [];
        const timeS = within(segment, chunk_relative_time);
        return [{ role, timeS, pts: toPts(timeS), boxes }];
      }),
      tracks: tracks.map(({ class: className, ...track }) => ({ ...track, className, path: [] })),
      signals,
    },
    ...(event.verification && {
      verification: {
        status: event.verification.status,
        by: event.verification.by,
        framesS: event.verification.frames_s.map(at),
      },
    }),
  };
}
