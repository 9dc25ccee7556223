import { randomBytes } from 'node:crypto';
import type { Folders } from '#features/folders/index';
import { type Integrations, isTransientBucketError } from '#features/integrations/index';
import type { Database, Transaction } from '#platform/db/index';
import type { Caller, Person } from '#platform/http/index';
import { newId } from '#platform/ids';
import type { Jobs } from '#platform/jobs/index';
import { listObjects } from '../background-jobs.ts';
import { kindForKey } from '../object-kinds.ts';
import { problems } from '../problems.ts';
import { parseBucketName, parseObjectKey, parseViews, withDefaultPrefix } from '../request.ts';
import type { ObjectSelection } from '../selection.ts';
import type { BucketRequest, SourceBucket, SourceBuckets } from '../source-bucket.ts';
import { toShownVideoId } from '../transfer/row-store.ts';
import type { ImportDestination, ImportJob, ObjectKinds, RequestedObjects } from '../types.ts';
import { checkObjects, toRequestProblem } from './check-objects.ts';
import * as jobStore from './job-store.ts';
import type { NamedRows } from './named-rows.ts';
import { isImportable } from './object-lister.ts';

export type ImportStarterDeps = {
  database: Database;
  folders: Pick<Folders, 'requireWritable'>;
  integrations: Pick<Integrations, 'hold'>;
  jobs: Pick<Jobs, 'send'>;
  sources: Pick<SourceBuckets, 'withRequested'>;
  namedRows: NamedRows;
  kinds: ObjectKinds;
};

type NewImport = { jobId: string; videoIds: string[] };

/** Creates import jobs: of named objects with their rows, of selections with the job that lists the bucket. */
export function createImportStarter(deps: ImportStarterDeps) {
  const { database, folders, integrations, jobs, sources, namedRows, kinds } = deps;

  /** Folder and scope of new videos. Videos have the scope of their folder. */
  async function resolveDestination(
    caller: Person,
    { folderId, scope }: Pick<ImportDestination, 'folderId' | 'scope'>,
  ) {
    const folder = folderId === null ? null : await folders.requireWritable(caller, folderId);
    if (folder && scope && folder.scope !== scope) {
      throw problems.import_invalid(
        `The folder "${folder.name}" has the scope "${folder.scope}", so its videos cannot have the scope "${scope}".`,
      );
    }
    return { folderId, scope: folder?.scope ?? scope ?? 'user' };
  }

  /** Inserts a job. Throws `import_integration_gone` (400). */
  async function createJob(
    trx: Transaction,
    owner: { orgId: string; userId: string },
    source: Pick<SourceBucket, 'provider' | 'bucketName' | 'integration'>,
    settings: Pick<
      ImportJob,
      'folderId' | 'scope' | 'sidecars' | 'force' | 'selection' | 'multiView' | 'syncId' | 'format'
    >,
  ): Promise<jobStore.NewImportJob> {
    const { integration } = source;
    if (integration && !(await integrations.hold(trx, integration.id))) throw problems.import_integration_gone();
    const job: jobStore.NewImportJob = {
      id: `ij_${randomBytes(6).toString('hex')}`,
      orgId: owner.orgId,
      ownerId: owner.userId,
      integrationId: integration?.id ?? null,
      provider: source.provider,
      bucket: source.bucketName,
      endpoint: integration?.endpointUrl ?? '',
      public: integration === null,
      ...settings,
    };
    await jobStore.insertJob(trx, job);
    return job;
  }

  async function startNamed(
    caller: Caller,
    source: SourceBucket,
    destination: ImportDestination,
    groups: { view: string | null; key: string }[][],
    signal: AbortSignal,
  ): Promise<NewImport> {
    const place = await resolveDestination(caller, destination);
    const keys = [...new Set(groups.flat().map(({ key }) => key))];
    const checks = new Map((await checkObjects(source.bucket, keys, signal)).map((check) => [check.key, check]));
    if ([...checks.values()].every(({ problem }) => problem)) throw toRequestProblem([...checks.values()]);
    const multiView = groups.some(([first]) => first?.view != null);
    const rows = groups.flatMap((group, i) => {
      const ids = group.map(() => newId());
      return group.map(({ view, key }, j) => {
        const { info, problem } = checks.get(key)!;
        return {
          videoId: ids[j]!,
          position: j === 0 ? i + 1 : null,
          setId: multiView ? ids[0]! : null,
          view,
          key,
          name: null,
          folderId: null,
          content: null,
          version: info?.version || null,
          sizeBytes: info?.size ?? null,
          // After a transient error the object is transferred like the others.
          problem: isTransientBucketError(problem) ? null : problem,
        };
      });
    });
    const { sidecars, force } = destination;
    const settings = { ...place, sidecars, force, selection: null, multiView, syncId: null, format: null };
    const started = await database.transaction(async (trx) => {
      const job = await createJob(trx, caller, source, settings);
      return { jobId: job.id, rows: await namedRows.insert(trx, job, rows) };
    });
    const listedRows = started.rows.filter(({ position }) => position !== null);
    return { jobId: started.jobId, videoIds: listedRows.map(toShownVideoId) };
  }

  async function startSelection(
    caller: Caller,
    source: SourceBucket,
    destination: ImportDestination,
    selection: ObjectSelection,
    signal: AbortSignal,
  ): Promise<NewImport> {
    const place = await resolveDestination(caller, destination);
    const { objects, cursor } = await source.bucket.list({ prefix: selection.prefix, cursor: null }, signal);
    if (cursor === null && !objects.some((object) => isImportable(kinds, selection, object))) {
      throw problems.import_nothing_found(
        `No video in the bucket "${source.bucketName}" has the prefix "${selection.prefix}" and matches the patterns.`,
      );
    }
    const { sidecars, force } = destination;
    const settings = { ...place, sidecars, force, selection, multiView: false, syncId: null, format: null };
    const jobId = await database.transaction(async (trx) => {
      const job = await createJob(trx, caller, source, settings);
      await jobs.send(trx, listObjects, { jobId: job.id }, { orgId: job.orgId });
      return job.id;
    });
    return { jobId, videoIds: [] };
  }

  async function start(
    caller: Caller,
    request: BucketRequest,
    objects: RequestedObjects,
    destination: ImportDestination,
    signal: AbortSignal,
  ): Promise<NewImport> {
    const names =
      'names' in objects ? objects.names : 'sets' in objects ? objects.sets.flatMap(Object.values<string>) : [];
    const bucketOfNames = () => names.map(parseBucketName).find((name) => name) ?? null;
    const bucket = request.bucket ?? (request.integrationId ? null : bucketOfNames());
    return sources.withRequested(caller, { ...request, bucket }, (source) => {
      if ('selection' in objects) {
        const selection = withDefaultPrefix(objects.selection, source);
        return startSelection(caller, source, destination, selection, signal);
      }
      const groups =
        'names' in objects
          ? [...new Set(objects.names.map((name) => parseObjectKey(source, name)))].map((key) => [{ view: null, key }])
          : objects.sets.map((views) => parseViews(views, source));
      const other = 'sets' in objects && groups.flat().find(({ key }) => kindForKey(kinds, key) !== kinds[0]);
      if (other) {
        throw problems.import_invalid(`"${other.key}" is not a video. The views of a set must be videos.`);
      }
      return startNamed(caller, source, destination, groups, signal);
    });
  }

  return { resolveDestination, createJob, start };
}

export type ImportStarter = ReturnType<typeof createImportStarter>;
