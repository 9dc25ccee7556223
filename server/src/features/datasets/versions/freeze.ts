import { createHash } from 'node:crypto';
import type { Batches } from '#features/batches/index';
import type { Database } from '#platform/db/index';
import { toWire } from '#platform/http/index';
import { DatasetResource } from '../schema.ts';
import { type Split, splitOf } from '../splits.ts';
import type { DatasetWithState } from '../types.ts';
import * as store from './store.ts';
import type { VersionHead } from './types.ts';
import { versionJson } from './version-json.ts';

export type FreezeDeps = {
  database: Database;
  batches: Pick<Batches, 'summary'>;
  /** A dataset without an access check; null if it does not exist. */
  findDataset(id: string): Promise<DatasetWithState | null>;
  /** The primary video of each of the videos that is one of several views of an event. */
  scenesOf: (videoIds: readonly string[]) => Promise<Map<string, string>>;
};

/**
 * Copies the content of a dataset into a version, in one transaction; does nothing if the version has ended or was
 * deleted.
 */
export async function freezeContents(deps: FreezeDeps, versionId: string, signal: AbortSignal): Promise<void> {
  const { database, batches, findDataset, scenesOf } = deps;
  await database.transaction(async (trx) => {
    const version = await store.lockProcessing(trx, versionId);
    const dataset = version && (await findDataset(version.datasetId));
    if (!dataset) return;
    const summaries = [];
    for (const id of dataset.batchIds) summaries.push(...[await batches.summary(id)].flatMap((each) => each ?? []));
    const batchIds = summaries.map(({ batch_id }) => batch_id);
    const contents = { datasetId: dataset.id, batchIds, videoIds: dataset.videoIds };
    const { filter, splits: shares } = version;
    let splits: Map<string, Split> | null = null;
    if (shares) {
      const videoIds = await store.listContents(trx, contents);
      const scenes = await scenesOf(videoIds);
      splits = new Map(videoIds.map((id) => [id, splitOf(scenes.get(id) ?? id, shares)]));
    }
    await store.insertRows(trx, versionId, { ...contents, filter, splits });
    const head: VersionHead = {
      dataset: JSON.stringify(toWire(DatasetResource, dataset)),
      batches: summaries.map((summary) => JSON.stringify(summary)),
      hasClips: true,
    };
    const frozen = await store.setHead(trx, versionId, head);

    const hash = createHash('sha256');
    let sizeBytes = 0;
    for await (const text of versionJson({ ...frozen, missingVideos: 0 }, head, store.streamRows(trx, versionId))) {
      signal.throwIfAborted();
      hash.update(text);
      sizeBytes += Buffer.byteLength(text);
    }
    await store.endVersion(trx, versionId, { status: 'ready', sha256: hash.digest('hex'), sizeBytes });
  });
}
