import { create as contentDisposition } from 'content-disposition';
import { type App, jsonText, routes, tokenOf } from '#platform/http/index';
import { toShares } from '../routes.ts';
import {
  DatasetVersionDownload,
  DatasetVersionFile,
  DatasetVersionList,
  DatasetVersionRequest,
  DatasetVersionResource,
  DeletedDatasetVersion,
  VersionFileQuery,
  VersionParams,
  VersionsParams,
} from './schema.ts';
import type { DatasetVersions } from './service.ts';

const PATH = '/api/datasets/:dataset_id/versions';

export function datasetVersionsRoutes(app: App, versions: DatasetVersions): void {
  const route = routes(app, { tag: 'Datasets', scope: 'read' });

  route.post(
    PATH,
    {
      id: 'createDatasetVersion',
      scope: 'write',
      summary: 'Freeze a version of a dataset',
      description:
        'Copies the events of your dataset with their verdicts, times and splits, as they are now. Read the version until its status is `ready`. Its file is then the same, byte for byte, at every download, whatever reviewers change or whatever is added; only videos that are deleted leave it. A dataset has at most 100 versions.',
      params: VersionsParams,
      body: DatasetVersionRequest,
      response: DatasetVersionResource,
      errors: [404, 409],
    },
    ({ caller, params, body: { name, approval, labels, types, minConfidence, ...shares } }) =>
      versions.create(caller, params.datasetId, {
        name: name ?? null,
        splits: toShares(shares),
        filter: {
          approval: approval ?? null,
          labels: labels ?? null,
          types: types ?? null,
          minConfidence: minConfidence ?? null,
        },
      }),
  );

  route.get(
    PATH,
    {
      id: 'listDatasetVersions',
      summary: 'List the versions of a dataset',
      description: 'Lists all versions of a dataset that you may read, newest first.',
      params: VersionsParams,
      response: DatasetVersionList,
      errors: [404],
    },
    async ({ caller, params }) => ({ versions: await versions.list(caller, params.datasetId) }),
  );

  route.get(
    `${PATH}/:version`,
    {
      id: 'getDatasetVersion',
      summary: 'Get a version of a dataset',
      description: 'Returns a version with its checksum, and with the number of its videos that were deleted since.',
      params: VersionParams,
      response: DatasetVersionResource,
      errors: [404],
    },
    ({ caller, params }) => versions.get(caller, params.datasetId, params.version),
  );

  route.delete(
    `${PATH}/:version`,
    {
      id: 'deleteDatasetVersion',
      scope: 'write',
      summary: 'Delete a version of a dataset',
      description: 'Deletes a version of your dataset. Its number is not used again. Versions end with their dataset.',
      params: VersionParams,
      response: DeletedDatasetVersion,
      errors: [404],
    },
    async ({ caller, params: { datasetId, version } }) => {
      await versions.remove(caller, datasetId, version);
      return { status: 'deleted' as const, datasetId, number: version };
    },
  );

  route.get(
    `${PATH}/:version/download`,
    {
      id: 'downloadDatasetVersion',
      summary: 'Get the URL of a version of a dataset',
      description: 'Returns a URL from which the version is downloaded without a key.',
      params: VersionParams,
      response: DatasetVersionDownload,
      errors: [404],
    },
    async ({ caller, params }) => ({ downloadUrl: await versions.sign(caller, params.datasetId, params.version) }),
  );

  route.get(
    `${PATH}/:version/file`,
    {
      id: 'getDatasetVersionFile',
      scope: 'public',
      countedAs: 'file',
      summary: 'Download a version of a dataset',
      description: 'The version as JSON, by its signed URL. It has the form of the download of its dataset.',
      params: VersionParams,
      query: VersionFileQuery,
      response: DatasetVersionFile,
      errors: [400, 403, 404, 429, 500, 503],
    },
    async ({ method, params, query }, reply) => {
      const { filename, json } = await versions.open(params.datasetId, params.version, tokenOf(query));
      reply.header('content-disposition', contentDisposition(filename)).header('cache-control', 'no-store');
      // Fastify would read the file to its end for a HEAD.
      return jsonText(reply, method === 'HEAD' ? [] : json);
    },
  );
}
