import type { Events } from '#features/events/index';
import type { Transaction } from '#platform/db/index';
import * as rowStore from './row-store.ts';

/** Links the views of those sets whose objects are all in the library now. */
export async function linkSets(
  trx: Transaction,
  events: Pick<Events, 'publish'>,
  orgId: string,
  setIds: ReadonlySet<string>,
): Promise<void> {
  if (setIds.size === 0) return;
  const views = await rowStore.views(trx, [...setIds]);
  for (const [setId, set] of Map.groupBy(views, (row) => row.setId!)) {
    if (!set.every(({ status }) => status === 'UPLOADED')) continue;
    const front = set.find(({ videoId }) => videoId === setId);
    const there = await rowStore.heldVideos(trx, set);
    if (!front || !there.has(rowStore.shownId(front)) || there.size < 2) continue;
    const linked = set
      .map((row) => ({ role: row.view ?? 'front', label: null, videoId: rowStore.shownId(row), offsetS: 0 }))
      // One object may be two views of a set.
      .filter(({ videoId }, i, all) => there.has(videoId) && all.findIndex((view) => view.videoId === videoId) === i);
    await events.publish(trx, 'views.linked', { orgId, primaryVideoId: rowStore.shownId(front), views: linked });
  }
}
