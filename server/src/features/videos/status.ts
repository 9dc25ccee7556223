import type { Static } from 'typebox';
import { rounded } from '#platform/numbers';
import type { VideoStatus } from './schema.ts';
import type { Video, VideoState } from './types.ts';

/** The three states in the words of lists. */
const WORDS = {
  PREPARE_IN_PROGRESS: 'processing',
  UPLOADED: 'uploaded',
  UPLOADING_FAILED: 'uploading_failed',
} as const satisfies Record<VideoState, string>;

/** The same the other way round. */
export const STATES = {
  processing: 'PREPARE_IN_PROGRESS',
  uploaded: 'UPLOADED',
  uploading_failed: 'UPLOADING_FAILED',
} as const satisfies { [S in VideoState as (typeof WORDS)[S]]: S };

/** Why a failed one failed; nothing for the others. */
function reasonOf({ problem }: Video): { error?: string; message?: string } {
  return problem === null ? {} : { error: problem.code, message: problem.message };
}

/** What every answer says of a video first. */
export const headOf = (video: Video) => ({
  video_id: video.id,
  status: WORDS[video.status],
  ...reasonOf(video),
  video_name: video.name,
  filename: video.name,
  duration_s: video.durationS,
  folder_id: video.folderId,
  folder_name: video.folderName,
  org_id: video.orgId,
  scope: video.scope,
  created_at: video.createdAt.toISOString(),
});

/**
 * The answer about one video. Existing clients poll `metadata.visual_analysis.status.status` for `UPLOADED` and count chunks; others read
 * the same at the top. An analysis never changes any of it, so that whoever waits for an upload sees its end.
 */
export function statusOf(video: Video): Static<typeof VideoStatus> {
  const visual_analysis = { status: { status: video.status, ...reasonOf(video) } };
  return {
    ...headOf(video),
    tags: video.tags,
    visual_analysis,
    metadata: {
      ...video.userMetadata,
      visual_analysis,
      chunks_total: 1,
      chunks_uploaded: video.status === 'UPLOADED' ? 1 : 0,
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
