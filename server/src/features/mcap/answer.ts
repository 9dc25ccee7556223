import { rounded } from '#platform/numbers';
import { assignRoles, type Role } from './roles.ts';
import type { ImportState, Recording } from './service.ts';
import type { FilmRow, Ingest } from './types.ts';
import { viewsOf } from './views.ts';

/** An ingest as it is told: what became of each channel, and the views that its roles make. Names that existing clients read stand beside each other. */
export function ingestAnswer({ ingest, films }: Recording) {
  const { survey } = ingest;
  const cameras = survey?.channels.filter(({ pictures }) => pictures).map(({ name }) => name) ?? [];
  const roles = survey ? assignRoles(cameras, ingest.roles) : [];
  const first = films.filter(({ status }) => status === 'completed').at(0)?.part ?? 0;
  const views = viewsOf(
    roles,
    films.filter(({ part }) => part === first),
  );
  const offsets = new Map<string, number>();
  for (const stretch of Map.groupBy(films, ({ part }) => part).values()) {
    for (const { videoId, offsetS } of viewsOf(roles, stretch)) offsets.set(videoId, offsetS);
  }
  const derived = films.map((film) => derivedVideo(film, roles, offsets));
  const ready = derived.filter(({ status }) => status === 'completed');
  const ids = ready.flatMap(({ video_id }) => video_id ?? []);
  const primary = views[0]?.videoId ?? ids[0] ?? null;
  return {
    mcap_ingest_id: ingest.id,
    status: ingest.status,
    error: ingest.problem?.message ?? null,
    error_code: ingest.problem?.code ?? null,
    filename: ingest.filename,
    source_uri: ingest.sourceUri,
    size_bytes: ingest.sizeBytes,
    sha256: ingest.sha256,
    folder_id: ingest.folderId,
    scope: ingest.scope,
    chunk_size: ingest.partS,
    derived_videos: derived,
    views: Object.fromEntries(views.map(({ role, videoId }) => [role, videoId])),
    primary_view_id: primary,
    videos: ready,
    video_ids: ids,
    videos_by_channel: Object.fromEntries(ready.map(({ channel, video_id }) => [channel, video_id!]).toReversed()),
    videos_by_role: Object.fromEntries(views.map(({ role, videoId }) => [role, videoId])),
    primary_video_id: primary,
    video_id: primary,
    recording: survey && {
      start_time: dateOf(survey.start_s),
      duration_s: survey.start_s === null || survey.end_s === null ? null : rounded(survey.end_s - survey.start_s),
      indexed: survey.indexed,
      channels: survey.channels,
      telemetry: survey.telemetry,
      notes: survey.notes,
      lost: survey.lost.map(({ channel, reason, from_s, until_s }) => ({
        channel,
        reason,
        from_s: sinceStart(ingest, from_s),
        until_s: sinceStart(ingest, until_s),
      })),
    },
    created_at: ingest.createdAt.toISOString(),
    completed_at: ingest.completedAt?.toISOString() ?? null,
  };
}

function derivedVideo(
  { channel, part, videoId, status, problem, film }: FilmRow,
  roles: readonly Role[],
  offsets: Map<string, number>,
) {
  const role = roles.find((each) => each.channel === channel);
  return {
    video_id: videoId,
    channel,
    channel_name: channel,
    role: role?.role ?? null,
    label: role?.label || null,
    part,
    status,
    error: problem?.message ?? null,
    offset_s: videoId === null ? null : (offsets.get(videoId) ?? null),
    start_time: film && dateOf(film.start_s),
    duration_s: film && rounded(film.end_s - film.start_s),
    frame_count: film?.frame_count ?? null,
    drift_ppm: film?.drift_ppm ?? null,
    gaps:
      film?.gaps.map(({ start_s, end_s }) => ({
        start_s: rounded(start_s - film.start_s),
        end_s: rounded(end_s - film.start_s),
      })) ?? [],
    reencoded: film && !film.copied,
    notes: film?.notes ?? [],
  };
}

export function importAnswer({ id, createdAt, skipped, ingests, videos }: ImportState) {
  const known = new Map(skipped.map(({ key, ingestId }) => [ingestId, key]));
  const failed = ingests.filter(({ problem }) => problem !== null);
  const [first] = failed;
  const more = failed.length > 1 ? ` (and ${failed.length - 1} more files)` : '';
  return {
    mcap_import_job_id: id,
    status: importStatus(ingests),
    error: first ? `${first.filename}: ${first.problem!.message}${more}` : null,
    total: ingests.length,
    skipped: skipped.length,
    ingests: ingests.map((ingest) => ({
      mcap_ingest_id: ingest.id,
      filename: ingest.filename,
      key: known.get(ingest.id) ?? ingest.objectKey ?? '',
      status: ingest.status,
      skipped: known.has(ingest.id) ? ('already imported' as const) : null,
      error: ingest.problem?.message ?? null,
      video_ids: videos.get(ingest.id) ?? [],
    })),
    video_ids: ingests.flatMap((ingest) => videos.get(ingest.id) ?? []),
    created_at: createdAt.toISOString(),
  };
}

/** What the files make together: the least far of those under way, then the worst of what became of them. */
function importStatus(ingests: readonly Ingest[]): 'transferring' | 'processing' | 'completed' | 'partial' | 'failed' {
  const has = (status: string) => ingests.some((ingest) => ingest.status === status);
  if (has('transferring')) return 'transferring';
  if (has('uploaded') || has('processing')) return 'processing';
  if (ingests.every(({ status }) => status === 'failed')) return 'failed';
  return has('failed') || has('partial') ? 'partial' : 'completed';
}

/** Recorders without a clock count from when they start: that is no date, and nothing after the year 9999 is. */
const dateOf = (seconds: number | null) =>
  seconds === null || seconds < 1e8 || seconds > 253_402_300_799 ? null : new Date(seconds * 1000).toISOString();
const sinceStart = ({ survey }: Ingest, seconds: number | null) =>
  seconds === null ? null : rounded(seconds - (survey?.start_s ?? 0));
