import type { DatasetEvents, Datasets } from '#features/datasets/index';
import { MAX_VIDEOS } from '#features/datasets/index';
import type { VideoPage, Videos } from '#features/videos/index';
import type { Caller } from '#platform/http/index';
import { problems } from '../problems.ts';

type Dataset = Awaited<ReturnType<Datasets['get']>>;
type Taxonomies = Awaited<ReturnType<DatasetEvents['listTaxonomies']>>;

/** A dataset with the fields by which its events are classified. */
export type StudioDataset = Dataset & { taxonomies: Taxonomies };

export type NewStudioDataset = {
  title: string;
  description: string | null;
  vertical: string | null;
  batchIds: string[];
  folderIds: readonly string[];
};

/**
 * Datasets as `client.studio` of the published SDK has them. Functions with an id throw the problems of `Datasets.get`.
 */
export interface Studio {
  /**
   * Creates a dataset of batches, or of the videos that are in folders now. Throws `dataset_contents_unclear` (400) or
   * the problems of `Datasets.create`.
   */
  create(caller: Caller, dataset: NewStudioDataset): Promise<StudioDataset>;
  get(caller: Caller, id: string): Promise<StudioDataset>;
  /** The 100 newest datasets of the caller. */
  listOwn(caller: Caller): Promise<StudioDataset[]>;
  /** All events that match a query by at least `minShare`, the best first. */
  select(
    caller: Caller,
    id: string,
    request: { query: string; minShare: number },
    signal: AbortSignal,
  ): Promise<RankedEvents & { isTruncated: boolean }>;
  /** The state of a taxonomy that has ended. Throws `taxonomy_not_found` (404) or `taxonomy_processing` (409). */
  publishTaxonomy(caller: Caller, id: string, taxonomyId: string, signal: AbortSignal): Promise<Taxonomies[number]>;
}

type RankedEvents = Awaited<ReturnType<DatasetEvents['search']>>;

export type StudioDeps = {
  datasets: Pick<Datasets, 'create' | 'get' | 'list'>;
  datasetEvents: Pick<DatasetEvents, 'listTaxonomies' | 'search' | 'taxonomy'>;
  videos: Pick<Videos, 'list'>;
};

const MAX_LISTED = 100;
const VIDEO_PAGE = 200;
const MAX_SELECTED = 5_000;

export function createStudio({ datasets, datasetEvents, videos }: StudioDeps): Studio {
  /** Ids of the videos of a folder, as many as a dataset may have and one more. */
  async function listVideos(caller: Caller, folderId: string): Promise<string[]> {
    const ids: string[] = [];
    for (let cursor: string | null = null; ids.length <= MAX_VIDEOS; ) {
      const page: VideoPage = await videos.list(caller, { folderId, limit: VIDEO_PAGE, cursor });
      ids.push(...page.videos.map(({ id }) => id));
      cursor = page.nextCursor;
      if (cursor === null) break;
    }
    return ids;
  }

  const withTaxonomies = async (caller: Caller, dataset: Dataset): Promise<StudioDataset> => ({
    ...dataset,
    taxonomies: await datasetEvents.listTaxonomies(caller, dataset),
  });

  return {
    async create(caller, { title, description, vertical, batchIds, folderIds }) {
      if (batchIds.length > 0 === folderIds.length > 0) throw problems.dataset_contents_unclear();
      const videoIds: string[] = [];
      for (const folderId of new Set(folderIds)) videoIds.push(...(await listVideos(caller, folderId)));
      const made = await datasets.create(caller, {
        name: title,
        searchDescription: description ?? '',
        scope: 'user',
        vertical,
        batchIds,
        videoIds,
      });
      return withTaxonomies(caller, made);
    },

    get: async (caller, id) => withTaxonomies(caller, await datasets.get(caller, id)),

    async listOwn(caller) {
      const found = await datasets.list(caller, { scope: 'user', before: null, limit: MAX_LISTED });
      return Promise.all(found.map((dataset) => withTaxonomies(caller, dataset)));
    },

    async select(caller, id, { query, minShare }, signal) {
      const request = { query, limit: MAX_SELECTED, where: null };
      const found = await datasetEvents.search(caller, id, request, signal);
      return {
        ...found,
        events: found.events.filter(({ score }) => (score ?? 0) >= minShare),
        isTruncated: found.total >= MAX_SELECTED,
      };
    },

    async publishTaxonomy(caller, id, taxonomyId, signal) {
      const taxonomy = await datasetEvents.taxonomy(caller, id, taxonomyId, { waitS: 0, signal });
      if (taxonomy.status === 'processing') throw problems.taxonomy_processing();
      return taxonomy;
    },
  };
}
