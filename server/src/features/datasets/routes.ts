import { create as contentDisposition } from 'content-disposition';
import type { EventFilter } from '#features/analyses/index';
import { toCalendarFilter } from '#features/videos/index';
import { type App, jsonText, parseDateTime, routes, tokenOf } from '#platform/http/index';
import type { NewClip } from './clips/index.ts';
import {
  DatasetChange,
  DatasetDownload,
  DatasetDownloadQuery,
  DatasetFile,
  DatasetFileQuery,
  DatasetList,
  DatasetListRequest,
  DatasetParams,
  DatasetRequest,
  DatasetResource,
  DeletedDataset,
} from './schema.ts';
import type { Datasets, DownloadOptions } from './service.ts';
import type { SplitShares } from './splits.ts';

const PATH = '/api/data-curation/datasets';

export function datasetsRoutes(app: App, datasets: Datasets): void {
  const route = routes(app, { tag: 'Datasets', scope: 'read' });

  route.post(
    PATH,
    {
      id: 'createDataset',
      summary: 'Create a dataset',
      description:
        'Names a set of batches, of videos without analyses, and of clips. Batches that have not ended are accepted: the dataset is `ready` when they have.',
      body: DatasetRequest,
      response: DatasetResource,
      errors: [404],
    },
    ({ caller, body }) =>
      datasets.create(caller, {
        name: body.name,
        searchDescription: body.searchDescription ?? '',
        scope: body.scope ?? 'user',
        batchIds: body.batchIds ?? [],
        videoIds: body.videoIds ?? [],
        clips: toClips(body.clips),
        clipsOfEvents: toFilter(body.clipsOfEvents),
        analysisType: body.analysisType ?? undefined,
      }),
  );

  route.post(
    `${PATH}/list`,
    {
      id: 'listDatasets',
      scope: 'read',
      summary: 'List datasets',
      description: 'Lists your datasets, or those that are shared in the organization, newest first.',
      body: DatasetListRequest,
      response: DatasetList,
    },
    ({ caller, body: { scope, before, limit } }) =>
      datasets.list(caller, { scope: scope ?? 'user', before: before ?? null, limit: limit ?? 100 }),
  );

  route.get(
    `${PATH}/:dataset_id`,
    {
      id: 'getDataset',
      summary: 'Get a dataset',
      description: 'Returns a dataset with its clips, its status and its counts as of now.',
      params: DatasetParams,
      response: DatasetResource,
      errors: [404],
    },
    ({ caller, params }) => datasets.show(caller, params.datasetId),
  );

  route.patch(
    `${PATH}/:dataset_id`,
    {
      id: 'changeDataset',
      summary: 'Change a dataset',
      description: 'Renames your dataset, or adds and removes batches, videos and clips.',
      params: DatasetParams,
      body: DatasetChange,
      response: DatasetResource,
      errors: [404],
    },
    ({ caller, params, body: { addClips, addClipsOfEvents, ...changes } }) =>
      datasets.change(caller, params.datasetId, {
        ...withoutNulls(changes),
        addClips: toClips(addClips),
        addClipsOfEvents: toFilter(addClipsOfEvents),
      }),
  );

  route.delete(
    `${PATH}/:dataset_id`,
    {
      id: 'deleteDataset',
      summary: 'Delete a dataset',
      description: 'Deletes your dataset. Its batches, analyses and videos stay.',
      params: DatasetParams,
      response: DeletedDataset,
      errors: [404],
    },
    async ({ caller, params: { datasetId } }) => {
      await datasets.remove(caller, datasetId);
      return { status: 'deleted' as const, id: datasetId };
    },
  );

  route.get(
    `${PATH}/:dataset_id/download`,
    {
      id: 'downloadDataset',
      summary: 'Get the URL of a dataset',
      description:
        'Returns a URL from which the dataset is downloaded without a key. The file is written while it is read: it has the verdicts and corrections of that moment. With `val_share` or `test_share`, each video has a `split`, by its id: the same in every dataset, and for all views of an event.',
      params: DatasetParams,
      query: DatasetDownloadQuery,
      response: DatasetDownload,
      errors: [404],
    },
    async ({ caller, params, query }) => ({
      downloadUrl: await datasets.sign(caller, params.datasetId, toOptions(query)),
    }),
  );

  route.get(
    `${PATH}/:dataset_id/file`,
    {
      id: 'getDatasetFile',
      scope: 'public',
      countedAs: 'file',
      summary: 'Download a dataset',
      description: 'The dataset as JSON, by its signed URL. It is streamed, so its size is not known in advance.',
      params: DatasetParams,
      query: DatasetFileQuery,
      response: DatasetFile,
      errors: [400, 403, 404, 429, 500, 503],
    },
    async ({ method, params, query: { token, by, ...query } }, reply) => {
      const { filename, json } = await datasets.open(params.datasetId, tokenOf({ token, by }), toOptions(query));
      reply.header('content-disposition', contentDisposition(filename)).header('cache-control', 'no-store');
      // Fastify would read the file to its end for a HEAD.
      return jsonText(reply, method === 'HEAD' ? [] : json);
    },
  );
}

type SplitRequest = {
  valShare?: number | null | undefined;
  testShare?: number | null | undefined;
  seed?: string | null | undefined;
};

type DownloadQuery = SplitRequest & { approval?: DownloadOptions['approval'] | undefined };

const toOptions = ({ approval, ...shares }: DownloadQuery): DownloadOptions => ({
  approval: approval ?? null,
  splits: toShares(shares),
});

/** Videos are split if a share is given. */
export function toShares({ valShare, testShare, seed }: SplitRequest): SplitShares | null {
  if (valShare == null && testShare == null) return null;
  return { valShare: valShare ?? 0, testShare: testShare ?? 0, seed: seed ?? '' };
}

type RequestedClip = Omit<NewClip, 'label'> & { label?: string | null | undefined };

const toClips = (clips: readonly RequestedClip[] | null | undefined): NewClip[] =>
  (clips ?? []).map((clip) => ({ ...clip, label: clip.label ?? null }));

type DateField = 'createdAfter' | 'createdBefore' | 'recordedAfter' | 'recordedBefore';
type RequestedFilter = Omit<EventFilter, DateField> & { [Field in DateField]?: string | null | undefined };

const toFilter = (filter: RequestedFilter | null | undefined): EventFilter | null =>
  filter
    ? {
        ...filter,
        ...toCalendarFilter(filter),
        createdAfter: filter.createdAfter ? parseDateTime(filter.createdAfter) : null,
        createdBefore: filter.createdBefore ? parseDateTime(filter.createdBefore) : null,
      }
    : null;

/** A field that is null is unchanged, as one that is absent. */
const withoutNulls = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };
