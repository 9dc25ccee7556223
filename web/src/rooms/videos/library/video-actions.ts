import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { SightlineError, type VideoResults } from '@sightline/sdk';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { api } from '#api/client.ts';
import { useToasts } from '#ui/overlays/toasts.tsx';
import { type LibraryVideo, patchLibrary, refreshLibrary } from './library-query.ts';

/** The most videos of one request. */
const BATCH_SIZE = 500;
const PARALLEL_CHANGES = 6;

type Outcome = { done: string[]; failure: SightlineError | null };

/** Sends ids in requests of at most `BATCH_SIZE` and collects the results of each video. */
async function inBatches(
  ids: readonly string[],
  send: (ids: string[]) => Promise<{ data?: VideoResults }>,
): Promise<Outcome> {
  const outcome: Outcome = { done: [], failure: null };
  for (let start = 0; start < ids.length; start += BATCH_SIZE) {
    const { results } = (await send(ids.slice(start, start + BATCH_SIZE))).data!;
    for (const result of results) {
      if (result.ok) outcome.done.push(result.video_id);
      else outcome.failure ??= new SightlineError(result.status ?? 500, result);
    }
  }
  return outcome;
}

/** Removes videos from all lists at once. */
function dropFromLists(queries: QueryClient, ids: readonly string[]): void {
  const removed = new Set(ids);
  patchLibrary(queries, (video) => (removed.has(video.video_id) ? null : video));
}

/** Changes of many videos. Each shows its result, with a way back where there is one. */
export function useVideoActions() {
  const { t } = useLingui();
  const queries = useQueryClient();
  const { show, showError } = useToasts();
  const refresh = () =>
    Promise.all([refreshLibrary(queries), queries.invalidateQueries({ queryKey: ['folders'] })]).catch(showError);

  /** Runs a change, reports failures of single videos, and returns those that succeeded. */
  async function run(change: () => Promise<Outcome>): Promise<string[]> {
    try {
      const { done, failure } = await change();
      if (failure) showError(failure);
      return done;
    } catch (error) {
      showError(error);
      return [];
    }
  }

  async function restore(ids: readonly string[]): Promise<void> {
    const done = await run(() =>
      inBatches(ids, (video_ids) => api.POST('/api/videos/restore', { body: { video_ids } })),
    );
    dropTrash(done);
    if (done.length > 0) show(t`${plural(done.length, { one: '# video restored', other: '# videos restored' })}`);
    await refresh();
  }
  const dropTrash = (ids: readonly string[]) => {
    const restored = new Set(ids);
    patchLibrary(queries, (video, { trash }) => (trash && restored.has(video.video_id) ? null : video));
  };

  return {
    restore,

    /** Deletes videos; with `erase`, without a period to restore them. */
    async remove(ids: readonly string[], erase = false): Promise<void> {
      const done = await run(() =>
        inBatches(ids, (video_ids) => api.POST('/api/videos/delete', { body: { video_ids, erase } })),
      );
      dropFromLists(queries, done);
      if (done.length > 0) {
        const text = t`${plural(done.length, { one: '# video deleted', other: '# videos deleted' })}`;
        show(text, erase ? undefined : () => void restore(done));
      }
      await refresh();
    },

    /** Moves videos into a folder, or out of theirs. */
    async move(videos: readonly LibraryVideo[], folderId: string | null, folderName: string | null): Promise<void> {
      const moveTo = (ids: readonly string[], folder_id: string | null) =>
        inBatches(ids, (video_ids) => api.POST('/api/videos/move', { body: { video_ids, folder_id } }));
      const done = new Set(
        await run(() =>
          moveTo(
            videos.map(({ video_id }) => video_id),
            folderId,
          ),
        ),
      );
      patchLibrary(queries, (video, { folder }) => {
        if (!done.has(video.video_id)) return video;
        return folder && folder !== folderId ? null : { ...video, folder_id: folderId, folder_name: folderName };
      });
      const moved = videos.filter(({ video_id }) => done.has(video_id));
      if (moved.length > 0) {
        show(t`${plural(moved.length, { one: '# video moved', other: '# videos moved' })}`, () => {
          const back = Map.groupBy(moved, ({ folder_id }) => folder_id);
          void Promise.all(
            [...back].map(([from, group]) =>
              run(() =>
                moveTo(
                  group.map(({ video_id }) => video_id),
                  from,
                ),
              ),
            ),
          ).then(refresh);
        });
      }
      await refresh();
    },

    /** Adds and removes tags. */
    async tag(videos: readonly LibraryVideo[], add: readonly string[], remove: readonly string[]): Promise<void> {
      const changed = new Map<string, string[]>();
      const waiting = [...videos];
      let failure: SightlineError | null = null;
      const changeNext = async () => {
        for (let video = waiting.pop(); video; video = waiting.pop()) {
          const tags = [...new Set([...video.tags, ...add])].filter((tag) => !remove.includes(tag));
          const params = { path: { video_id: video.video_id } };
          try {
            const { data } = await api.PATCH('/api/video/{video_id}', { params, body: { tags } });
            changed.set(video.video_id, data!.tags);
          } catch (error) {
            if (!(error instanceof SightlineError)) throw error;
            failure ??= error;
          }
        }
      };
      await run(async () => {
        await Promise.all(Array.from({ length: PARALLEL_CHANGES }, changeNext));
        return { done: [...changed.keys()], failure };
      });
      patchLibrary(queries, (video, { tag }) => {
        const tags = changed.get(video.video_id);
        if (!tags) return video;
        return tag && !tags.includes(tag) ? null : { ...video, tags };
      });
      if (changed.size > 0) show(t`${plural(changed.size, { one: '# video tagged', other: '# videos tagged' })}`);
    },
  };
}
