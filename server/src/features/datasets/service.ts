import type { Analyses, Approval, EventFilter } from '#features/analyses/index';
import type { Batches } from '#features/batches/index';
import type { UrlTokens } from '#features/keys/index';
import type { Videos } from '#features/videos/index';
import { canManage, canRead } from '#platform/access/index';
import type { Database, Transaction } from '#platform/db/index';
import { type Caller, toWire } from '#platform/http/index';
import { newId } from '#platform/ids';
import {
  type Clip,
  checkClips,
  clipStore,
  clipsOfEvents,
  DatasetClip,
  MAX_CLIPS,
  type NewClip,
} from './clips/index.ts';
import { type DownloadedBatch, downloadJson, type SplitOfVideo } from './download.ts';
import { problems } from './problems.ts';
import { DatasetResource, DatasetSplits } from './schema.ts';
import { type SplitShares, splitOf } from './splits.ts';
import { describeState } from './state.ts';
import * as store from './store.ts';
import type { Dataset, DatasetWithState } from './types.ts';

export type NewDataset = Pick<Dataset, 'name' | 'searchDescription' | 'scope' | 'batchIds' | 'videoIds'> &
  Partial<Pick<Dataset, 'analysisType' | 'vertical'>> & {
    clips?: readonly NewClip[];
    /** Events whose ranges are clips, too; null: none. */
    clipsOfEvents?: EventFilter | null;
  };

/** Absent: unchanged. Removed ids need not exist. */
export type DatasetChanges = Partial<Pick<Dataset, 'name' | 'searchDescription'>> & {
  addBatchIds?: readonly string[];
  removeBatchIds?: readonly string[];
  addVideoIds?: readonly string[];
  removeVideoIds?: readonly string[];
  addClips?: readonly NewClip[];
  /** Events whose ranges are added as clips; null: none. */
  addClipsOfEvents?: EventFilter | null;
  removeClipIds?: readonly string[];
};

export type DatasetWithClips = DatasetWithState & { clips: Clip[] };

/** Options of a download. */
export type DownloadOptions = {
  /** Only events in this review state. */
  approval: Approval | null;
  /** Adds the split of each video. */
  splits: SplitShares | null;
};

export interface Datasets {
  /**
   * Creates a dataset. Throws `dataset_empty`, `dataset_too_large`, `dataset_contents_personal`, `dataset_clip_invalid`
   * (400), or the problems of the batches and videos rooms for the first invalid id.
   */
  create(caller: Caller, dataset: NewDataset): Promise<DatasetWithClips>;
  /** Throws `dataset_not_found` (404) or `dataset_forbidden` (403), as all functions below. */
  get(caller: Caller, id: string): Promise<DatasetWithState>;
  /** A dataset with all of its clips. */
  show(caller: Caller, id: string): Promise<DatasetWithClips>;
  /** A dataset without an access check, for workers; null if it does not exist. */
  find(id: string): Promise<DatasetWithState | null>;
  /** The caller's datasets (`user`) or those that are shared (`org`), newest first, before the id `before`. */
  list(
    caller: Caller,
    page: { scope: 'user' | 'org'; before: string | null; limit: number },
  ): Promise<DatasetWithState[]>;
  /** Changes a dataset of the caller. Throws as `create` does, too. */
  change(caller: Caller, id: string, changes: DatasetChanges): Promise<DatasetWithClips>;
  /** Deletes a dataset of the caller; its batches and videos stay. */
  remove(caller: Caller, id: string): Promise<void>;
  /**
   * Signed URL of the download; null while a batch of the dataset is processed. Throws `dataset_shares_invalid` (400).
   */
  sign(caller: Caller, id: string, options: DownloadOptions): Promise<string | null>;
  /**
   * The download behind a signed URL as JSON text in chunks, read while it is consumed. Throws `dataset_token_invalid`
   * (403), `dataset_not_found` (404) or `dataset_shares_invalid` (400).
   */
  open(id: string, token: string, options: DownloadOptions): Promise<{ filename: string; json: AsyncIterable<string> }>;
  /** Handler of a domain event of the videos room; `compose.ts` subscribes it. */
  onVideoErased(trx: Transaction, event: { videoId: string }): Promise<void>;
}

const MAX_BATCHES = 200;
export const MAX_VIDEOS = 10_000;
const URL_MS = 24 * 3600 * 1000;
const PURPOSE = 'dataset';

type DatasetsDeps = {
  database: Database;
  analyses: Pick<Analyses, 'eventIndex' | 'listBatchAnalyses' | 'streamBatchDocuments'>;
  batches: Pick<Batches, 'getMany' | 'summary'>;
  videos: Pick<Videos, 'getMany'>;
  /** The primary video of each of the videos that is one of several views of an event. */
  scenesOf: (videoIds: readonly string[]) => Promise<Map<string, string>>;
  urlTokens: UrlTokens;
  /** Public URL of the API, without a trailing slash. */
  publicUrl: string;
};

export function createDatasets(deps: DatasetsDeps): Datasets {
  const { database, analyses, batches, videos, scenesOf, urlTokens, publicUrl } = deps;
  const { db } = database;

  async function requireReadable(caller: Caller, id: string): Promise<Dataset> {
    const dataset = await store.findDataset(db, id);
    if (!dataset) throw problems.dataset_not_found();
    if (!canRead(caller, dataset)) throw problems.dataset_forbidden();
    return dataset;
  }

  async function requireManageable(caller: Caller, id: string): Promise<Dataset> {
    const dataset = await requireReadable(caller, id);
    if (!canManage(caller, dataset)) throw problems.dataset_forbidden();
    return dataset;
  }

  /** Readers of a dataset see its contents, so a shared dataset has only what all members may see. */
  async function checkContents(
    caller: Caller,
    {
      scope,
      batchIds,
      videoIds,
      clips,
    }: Pick<Dataset, 'scope' | 'batchIds' | 'videoIds'> & { clips: readonly NewClip[] },
  ): Promise<void> {
    const clipped = await videos.getMany(caller, distinct(clips.map(({ videoId }) => videoId)));
    checkClips(clips, clipped);
    const listed = [...(await batches.getMany(caller, batchIds)), ...(await videos.getMany(caller, videoIds))];
    const contents = [...listed, ...clipped];
    if (scope === 'org' && contents.some((each) => each.scope === 'user')) throw problems.dataset_contents_personal();
  }

  const findClips = async (caller: Caller, filter: EventFilter | null | undefined): Promise<NewClip[]> =>
    filter ? clipsOfEvents(analyses.eventIndex, caller, filter) : [];

  async function withState(datasets: readonly Dataset[]): Promise<DatasetWithState[]> {
    const batchIds = [...new Set(datasets.flatMap((dataset) => dataset.batchIds))];
    const videoIds = [...new Set(datasets.flatMap((dataset) => dataset.videoIds))];
    const counts = await store.countBatches(db, batchIds);
    const existing = new Set((await store.findVideos(db, videoIds)).map(({ id }) => id));
    const clips = await clipStore.countClips(
      db,
      datasets.map(({ id }) => id),
    );
    return datasets.map((dataset) => describeState(dataset, counts, existing, clips.get(dataset.id) ?? 0));
  }

  /** All views of an event are in one split. */
  async function readSplits(videoIds: readonly string[], shares: SplitShares | null): Promise<SplitOfVideo> {
    if (!shares) return null;
    const scenes = await scenesOf(videoIds);
    return (videoId) => splitOf(scenes.get(videoId) ?? videoId, shares);
  }

  async function* readBatches(
    batchIds: readonly string[],
    shares: SplitShares | null,
  ): AsyncGenerator<DownloadedBatch> {
    for (const id of batchIds) {
      const metadata = await batches.summary(id);
      if (!metadata) continue;
      const videoIds = (await analyses.listBatchAnalyses(id)).map(({ videoId }) => videoId);
      const documents = analyses.streamBatchDocuments(id, videoIds);
      yield { metadata, documents, splitOf: await readSplits(videoIds, shares) };
    }
  }

  async function* readClips(id: string, shares: SplitShares | null): AsyncGenerator<object[]> {
    for await (const page of clipStore.streamClips(db, id)) {
      const splitOf = await readSplits(distinct(page.map(({ videoId }) => videoId)), shares);
      yield page.map((clip) => ({ ...toWire(DatasetClip, clip), ...(splitOf && { split: splitOf(clip.videoId) }) }));
    }
  }

  const datasets: Datasets = {
    async create(caller, { analysisType, vertical = null, clips: requested = [], clipsOfEvents: filter, ...given }) {
      const clips = [...requested, ...(await findClips(caller, filter))];
      const dataset = { ...given, batchIds: distinct(given.batchIds), videoIds: distinct(given.videoIds) };
      checkSize({ ...dataset, clipCount: clips.length });
      await checkContents(caller, { ...dataset, clips });
      const id = newId();
      await database.transaction(async (trx) => {
        await store.insertDataset(trx, {
          ...dataset,
          id,
          orgId: caller.orgId,
          ownerId: caller.userId,
          vertical,
          analysisType: analysisType ?? (dataset.batchIds.length > 0 ? 'ask' : 'unanalyzed'),
        });
        await clipStore.insertClips(trx, id, clips);
      });
      return datasets.show(caller, id);
    },

    async get(caller, id) {
      const [dataset] = await withState([await requireReadable(caller, id)]);
      return dataset!;
    },

    async show(caller, id) {
      const dataset = await datasets.get(caller, id);
      const clips = (await Array.fromAsync(clipStore.streamClips(db, id))).flat();
      return { ...dataset, clips };
    },

    async find(id) {
      const found = await store.findDataset(db, id);
      return found && (await withState([found]))[0]!;
    },

    list: async (caller, page) => withState(await store.listDatasets(db, caller, page)),

    async change(caller, id, changes) {
      const { addBatchIds = [], addVideoIds = [], removeBatchIds = [], removeVideoIds = [] } = changes;
      const { addClips: requested = [], addClipsOfEvents: filter, removeClipIds = [], ...texts } = changes;
      const { scope } = await requireManageable(caller, id);
      const addClips = [...requested, ...(await findClips(caller, filter))];
      const added = { batchIds: distinct(addBatchIds), videoIds: distinct(addVideoIds), clips: addClips };
      await checkContents(caller, { scope, ...added });
      await database.transaction(async (trx) => {
        // Read again under a lock: two changes at once are both applied.
        const current = await store.lockDataset(trx, id);
        if (!current) throw problems.dataset_not_found();
        const changed = {
          name: texts.name ?? current.name,
          searchDescription: texts.searchDescription ?? current.searchDescription,
          batchIds: without([...current.batchIds, ...addBatchIds], removeBatchIds),
          videoIds: without([...current.videoIds, ...addVideoIds], removeVideoIds),
        };
        await clipStore.deleteClips(trx, id, removeClipIds);
        await clipStore.insertClips(trx, id, addClips);
        checkSize({ ...changed, clipCount: await clipStore.countAll(trx, id) });
        await store.updateDataset(trx, id, changed);
      });
      return datasets.show(caller, id);
    },

    async remove(caller, id) {
      await requireManageable(caller, id);
      await store.deleteDataset(db, id);
    },

    async sign(caller, id, { approval, splits }) {
      checkShares(splits);
      const { status } = await datasets.get(caller, id);
      if (status === 'processing') return null;
      const token = urlTokens.sign(PURPOSE, id, new Date(Date.now() + URL_MS), caller);
      const query = new URLSearchParams();
      for (const [name, value] of Object.entries({ approval, ...(splits && toWire(DatasetSplits, splits)) }))
        if (value !== null) query.set(name, String(value));
      return `${publicUrl}/api/data-curation/datasets/${id}/file?${[`token=${token}`, ...(query.size > 0 ? [query] : [])].join('&')}`;
    },

    async open(id, token, { approval, splits }) {
      if ((await urlTokens.verify(PURPOSE, id, token)) !== 'ok') throw problems.dataset_token_invalid();
      checkShares(splits);
      const found = await datasets.find(id);
      if (!found) throw problems.dataset_not_found();
      const json = downloadJson({
        metadata: toWire(DatasetResource, found),
        batches: readBatches(found.batchIds, splits),
        videos: await store.findVideos(db, found.videoIds),
        approval,
        splits: splits && toWire(DatasetSplits, splits),
        splitOf: await readSplits(found.videoIds, splits),
        clips: readClips(id, splits),
      });
      return { filename: `${found.name}.json`, json };
    },

    onVideoErased: (trx, { videoId }) => clipStore.deleteClipsOfVideo(trx, videoId),
  };
  return datasets;
}

const distinct = (ids: readonly string[]) => [...new Set(ids)];

const without = (ids: readonly string[], removed: readonly string[]) =>
  distinct(ids).filter((id) => !removed.includes(id));

type Size = Pick<Dataset, 'batchIds' | 'videoIds'> & { clipCount: number };

function checkSize({ batchIds, videoIds, clipCount }: Size): void {
  if (batchIds.length + videoIds.length + clipCount === 0) throw problems.dataset_empty();
  if (batchIds.length > MAX_BATCHES || videoIds.length > MAX_VIDEOS || clipCount > MAX_CLIPS)
    throw problems.dataset_too_large();
}

/** Throws `dataset_shares_invalid` (400) if the splits leave nothing for `train`. */
export function checkShares(splits: SplitShares | null): void {
  if (splits && splits.valShare + splits.testShare >= 1) throw problems.dataset_shares_invalid();
}
