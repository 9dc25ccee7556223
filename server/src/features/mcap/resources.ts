import type { Domain } from '#platform/http/index';
import { rounded } from '#platform/numbers';
import type { DerivedVideo, IngestResource } from './ingest-schema.ts';
import { listCameras } from './lifecycle.ts';
import type { ImportWithIngests, IngestWithVideos } from './service.ts';
import type { ChannelVideo, IngestStatus, McapIngest } from './types.ts';
import { assignRoles, buildViews, type ChannelRole } from './views/index.ts';

/**
 * Builds the resource of an ingest: the result of each channel, and the views of its roles. Some fields are duplicates
 * for existing clients.
 */
export function toIngestResource({ ingest, videos }: IngestWithVideos): Domain<typeof IngestResource> {
  const { survey, roles: statedRoles } = ingest;
  const roles = survey ? assignRoles(listCameras(ingest)!, statedRoles) : [];
  const firstPart = videos.find(({ status }) => status === 'completed')?.part ?? 0;
  const viewsByPart = new Map(
    Map.groupBy(videos, ({ part }) => part)
      .entries()
      .map(([part, ofPart]) => [part, buildViews(roles, ofPart)]),
  );
  const offsets = new Map([...viewsByPart.values()].flat().map(({ videoId, offsetS }) => [videoId, offsetS]));
  const views = viewsByPart.get(firstPart) ?? [];
  const videosByRole = Object.fromEntries(views.map(({ role, videoId }) => [role, videoId]));
  const derivedVideos = videos.map((video) => toDerivedVideo(video, roles, offsets));
  const completed = derivedVideos.filter(({ status }) => status === 'completed');
  const videoIds = completed.flatMap(({ videoId }) => videoId ?? []);
  const primary = views[0]?.videoId ?? videoIds[0] ?? null;
  return {
    ...ingest,
    mcapIngestId: ingest.id,
    error: ingest.problem?.message ?? null,
    errorCode: ingest.problem?.code ?? null,
    chunkSize: ingest.chunkSizeS,
    derivedVideos,
    views: videosByRole,
    primaryViewId: primary,
    videos: completed,
    videoIds,
    videosByChannel: Object.fromEntries(completed.map(({ channel, videoId }) => [channel, videoId!]).toReversed()),
    videosByRole,
    primaryVideoId: primary,
    videoId: primary,
    recording: survey && {
      ...survey,
      startTime: toDate(survey.start_s),
      durationS: survey.start_s === null || survey.end_s === null ? null : rounded(survey.end_s - survey.start_s),
      lost: survey.lost.map(({ channel, reason, from_s, until_s }) => ({
        channel,
        reason,
        fromS: toSecondsFromStart(ingest, from_s),
        untilS: toSecondsFromStart(ingest, until_s),
      })),
    },
  };
}

function toDerivedVideo(
  { channel, part, videoId, status, problem, facts }: ChannelVideo,
  roles: readonly ChannelRole[],
  offsets: ReadonlyMap<string, number>,
): Domain<typeof DerivedVideo> {
  const role = roles.find((each) => each.channel === channel);
  return {
    videoId,
    channel,
    channelName: channel,
    role: role?.role ?? null,
    label: role?.label || null,
    part,
    status,
    error: problem?.message ?? null,
    offsetS: videoId === null ? null : (offsets.get(videoId) ?? null),
    startTime: facts && toDate(facts.start_s),
    durationS: facts && rounded(facts.end_s - facts.start_s),
    frameCount: facts?.frame_count ?? null,
    driftPpm: facts?.drift_ppm ?? null,
    gaps:
      facts?.gaps.map(({ start_s, end_s }) => ({
        startS: rounded(start_s - facts.start_s),
        endS: rounded(end_s - facts.start_s),
      })) ?? [],
    reencoded: facts && !facts.copied,
    notes: facts?.notes ?? [],
  };
}

export function toImportResource({ id, createdAt, skipped, ingests, videos }: ImportWithIngests) {
  const keysOfSkipped = new Map(skipped.map(({ key, ingestId }) => [ingestId, key]));
  const [first, ...others] = ingests.filter(({ problem }) => problem !== null);
  const more = others.length > 0 ? ` (and ${others.length} more files)` : '';
  return {
    mcapImportJobId: id,
    status: toImportStatus(ingests),
    error: first ? `${first.filename}: ${first.problem!.message}${more}` : null,
    total: ingests.length,
    skipped: skipped.length,
    ingests: ingests.map((ingest) => ({
      mcapIngestId: ingest.id,
      filename: ingest.filename,
      key: keysOfSkipped.get(ingest.id) ?? ingest.objectKey ?? '',
      status: ingest.status,
      skipped: keysOfSkipped.has(ingest.id) ? ('already imported' as const) : null,
      error: ingest.problem?.message ?? null,
      videoIds: videos.get(ingest.id) ?? [],
    })),
    videoIds: ingests.flatMap((ingest) => videos.get(ingest.id) ?? []),
    createdAt,
  };
}

/** Status of an import: the earliest state of the unfinished files, otherwise the worst result. */
function toImportStatus(ingests: readonly McapIngest[]) {
  const has = (status: IngestStatus) => ingests.some((ingest) => ingest.status === status);
  if (has('transferring')) return 'transferring';
  if (has('uploaded') || has('processing')) return 'processing';
  if (ingests.every(({ status }) => status === 'failed')) return 'failed';
  return has('failed') || has('partial') ? 'partial' : 'completed';
}

/** Null if it is no date: recorders without a clock count from their start. So is a time after the year 9999. */
const toDate = (seconds: number | null) =>
  seconds === null || seconds < 1e8 || seconds > 253_402_300_799 ? null : new Date(seconds * 1000);

const toSecondsFromStart = ({ survey }: McapIngest, seconds: number | null) =>
  seconds === null ? null : rounded(seconds - (survey?.start_s ?? 0));
