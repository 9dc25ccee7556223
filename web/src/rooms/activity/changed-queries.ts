import type { ActivityEvent } from '@sightline/sdk';
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { api } from '#api/client.ts';
import { patchLibrary, refreshLibrary } from '#rooms/videos/library/library-query.ts';

/** Videos whose status is fetched one by one; the first page of the library is refreshed in any case. */
const MAX_PATCHED = 20;
/** First parts of the keys of everything that activity keeps up to date, besides the library. */
const RESOURCES =
  'video folders analyses analysis batch batches events review-count alerts index import-jobs mcap-ingests live-sessions live-session datasets comparison'.split(
    ' ',
  );

type Change = Extract<ActivityEvent, { id: string }>;

const KEYS: Record<Change['type'], (change: Change) => QueryKey[]> = {
  video: ({ id, change }) => [
    ['video', id],
    ...(change === 'status'
      ? ['poster', 'storyboard', 'captions', 'views', 'observations', 'telemetry'].map((key) => [key, id])
      : []),
    ...(change === 'status' || change === 'changed' ? [] : [['folders']]),
  ],
  upload: () => [],
  analysis: ({ id, change, video_id, batch_id }) =>
    // The stream of a question shows the progress of its analyses.
    change === 'progress'
      ? []
      : [
          ['analyses', video_id],
          ['analysis', video_id, id],
          ['events'],
          ['datasets'],
          ['review-count'],
          ['comparison'],
          ['alerts'],
          ['index', video_id],
          // A question about speech leaves a transcript.
          ['captions', video_id],
          ...(batch_id ? [['batch', batch_id]] : []),
        ],
  batch: ({ id, change }) => [['batches'], ...(change === 'progress' ? [] : [['batch', id], ['datasets']])],
  import_job: () => [['import-jobs']],
  mcap_ingest: () => [['mcap-ingests']],
  live_session: ({ id }) => [['live-sessions'], ['live-session', id]],
};

/** Refreshes what these changes concern, and what is shown of it. */
export async function refreshChanged(queries: QueryClient, changes: readonly Change[]): Promise<void> {
  const keys = new Map(changes.flatMap((change) => KEYS[change.type](change)).map((key) => [JSON.stringify(key), key]));
  // The library counts the events of each video.
  const isListed = changes.some(
    ({ type, change }) => type === 'video' || (type === 'analysis' && change !== 'progress'),
  );
  await Promise.all([
    ...[...keys.values()].map((queryKey) => queries.invalidateQueries({ queryKey })),
    ...(isListed ? [refreshLibrary(queries).then(() => patchStatuses(queries, changes))] : []),
  ]);
}

/** Refreshes everything, because it is unknown what has changed. */
export async function refreshAll(queries: QueryClient): Promise<void> {
  await Promise.all([
    ...RESOURCES.map((resource) => queries.invalidateQueries({ queryKey: [resource] })),
    queries.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' }),
    refreshLibrary(queries),
  ]);
}

/** Shows the new status of videos further down in the library, which the refresh of its first page leaves as it was. */
async function patchStatuses(queries: QueryClient, changes: readonly Change[]): Promise<void> {
  const statuses = new Map(changes.filter(({ change }) => change === 'status').map(({ id, status }) => [id, status]));
  const outdated = new Set<string>();
  patchLibrary(queries, (video) => {
    const status = statuses.get(video.video_id);
    if (status !== undefined && status !== video.status) outdated.add(video.video_id);
    return video;
  });
  await Promise.all(
    [...outdated].slice(-MAX_PATCHED).map(async (video_id) => {
      const { data: now } = await api.GET('/api/video/{video_id}/status', { params: { path: { video_id } } });
      patchLibrary(queries, (video) => {
        if (video.video_id !== video_id || now!.status === video.status) return video;
        const { status, duration_s, message } = now!;
        return { ...video, status, duration_s, message, size_bytes: now!.metadata.size_bytes ?? null };
      });
    }),
  );
}
