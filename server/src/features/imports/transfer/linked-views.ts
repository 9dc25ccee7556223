import type { Events } from '#features/events/index';
import type { Transaction } from '#platform/db/index';
import * as rowStore from './row-store.ts';

/** Publishes `views.linked` for those of the sets whose objects are all in the library. */
export async function publishCompleteSets(
  trx: Transaction,
  events: Pick<Events, 'publish'>,
  orgId: string,
  setIds: ReadonlySet<string>,
): Promise<void> {
  if (setIds.size === 0) return;
  const views = await rowStore.listViews(trx, [...setIds]);
  for (const [setId, set] of Map.groupBy(views, (row) => row.setId!)) {
    if (!set.every(({ status }) => status === 'UPLOADED')) continue;
    const front = set.find(({ videoId }) => videoId === setId);
    const existing = await rowStore.lockExistingVideos(trx, set);
    if (!front || !existing.has(rowStore.toShownVideoId(front)) || existing.size < 2) continue;
    const linked = set
      .map((row) => ({ role: row.view ?? 'front', label: null, videoId: rowStore.toShownVideoId(row), offsetS: 0 }))
      // One object may be two views of a set.
      .filter(
        ({ videoId }, i, all) => existing.has(videoId) && all.findIndex((view) => view.videoId === videoId) === i,
      );
    await events.publish(trx, 'views.linked', { orgId, primaryVideoId: rowStore.toShownVideoId(front), views: linked });
  }
}
