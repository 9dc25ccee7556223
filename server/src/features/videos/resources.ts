import type { Domain } from '#platform/http/index';
import { rounded } from '#platform/numbers';
import { type Chunk, listChunks } from './chunks.ts';
import { chooseClock } from './clock/index.ts';
import type { LibraryVideo } from './listing/index.ts';
import type { VideoStatus } from './schema.ts';
import { STATUS_BY_STATE } from './states.ts';
import type { Video, VideoResult } from './types.ts';

/** Fields that only a failed video has. */
function toFailureReason({ problem }: Video): { error?: string; message?: string } {
  return problem === null ? {} : { error: problem.code, message: problem.message };
}

/** Fields that every representation of a video has. */
const toSharedFields = (video: Video) => ({
  videoId: video.id,
  status: STATUS_BY_STATE[video.status],
  ...toFailureReason(video),
  videoName: video.name,
  filename: video.name,
  durationS: video.durationS,
  folderId: video.folderId,
  folderName: video.folderName,
  orgId: video.orgId,
  scope: video.scope,
  createdAt: video.createdAt,
  recordedAt: video.recordedAt,
  timeZone: video.timeZone,
});

/** The source of `recordedAt`, and those that contradict it; null without a source. */
function toClock({ clock }: Video) {
  const chosen = clock && chooseClock(clock);
  if (!chosen) return null;
  const { source, isZoneKnown, rate, conflicts } = chosen;
  return { source, zoneKnown: isZoneKnown, shiftS: clock.settings?.shiftS ?? 0, rate, conflicts };
}

export const toVideoSummary = (video: Video) => ({ ...toSharedFields(video), sizeBytes: video.sizeBytes });

export function toLibraryVideo(video: Video): Domain<typeof LibraryVideo> {
  return {
    ...toVideoSummary(video),
    source: video.source,
    cameraId: video.cameraId,
    clock: toClock(video),
    tags: video.tags,
    metadata: video.userMetadata,
    hold: video.hold,
    restorableUntil: video.eraseAfter,
  };
}

/**
 * Full representation of one video. Existing clients poll `metadata.visual_analysis.status.status` for `UPLOADED` and
 * count chunks; newer clients read `status`. Analyses change none of these fields, so that clients see when the
 * upload ends.
 */
export function toVideoStatus(video: Video): Domain<typeof VideoStatus> {
  const visualAnalysis = { status: { status: video.status, ...toFailureReason(video) } };
  const chunks = listChunks(video);
  return {
    ...toSharedFields(video),
    cameraId: video.cameraId,
    tags: video.tags,
    clock: toClock(video),
    hold: video.hold,
    visualAnalysis,
    metadata: {
      ...video.userMetadata,
      visual_analysis: visualAnalysis,
      chunks_total: Math.max(1, chunks.length),
      chunks_uploaded: chunks.length,
      chunk_ids: chunks.map(({ id }) => id),
      duration_s: video.durationS,
      source: video.source,
      source_uri: video.sourceUri,
      size_bytes: video.sizeBytes,
      sha256: video.sha256,
      width: video.width,
      height: video.height,
      frame_rate: video.frameRate === null ? null : rounded(video.frameRate),
      container: video.probe?.container ?? null,
      video_codec: video.probe?.video.codec ?? null,
      audio_codec: video.probe?.audio?.codec ?? null,
      recorded_at: video.probe?.createdAt ?? null,
      ...video.metadata,
    },
  };
}

/** Status of a chunk: that of its video, with its own range. */
export function toChunkStatus(video: Video, { id, index, startS, endS }: Chunk): Domain<typeof VideoStatus> {
  const status = toVideoStatus(video);
  const name = `${video.name} (chunk ${index + 1})`;
  const range = { start_time_s: startS, end_time_s: endS, duration_s: endS - startS, parent_video_id: video.id };
  return {
    ...status,
    videoId: id,
    videoName: name,
    filename: name,
    durationS: endS - startS,
    metadata: {
      ...status.metadata,
      ...range,
      chunks_total: 1,
      chunks_uploaded: 1,
      chunk_ids: [],
      size_bytes: null,
      sha256: null,
    },
  };
}

export function toVideoResults(results: readonly VideoResult[]) {
  return {
    results: results.map(({ videoId, problem }) => ({
      videoId,
      ok: problem === null,
      ...(problem ? { status: problem.status, error: problem.code, message: problem.message } : {}),
    })),
  };
}
