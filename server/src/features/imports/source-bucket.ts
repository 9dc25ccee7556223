import {
  type Bucket,
  type Integration,
  type Integrations,
  integrationProblems,
  integrationTypesFor,
  type ProviderName,
} from '#features/integrations/index';
import type { Caller } from '#platform/http/index';
import { problems } from './problems.ts';
import type { ImportJob } from './types.ts';

/** The bucket as a request names it. */
export type BucketRequest = { provider: ProviderName; bucket: string | null; integrationId: string | null };
/** An open bucket; close it. `integration` is null for one that is read without. */
export type SourceBucket = {
  provider: ProviderName;
  bucketName: string;
  integration: Integration | null;
  bucket: Bucket;
};

type Deps = {
  integrations: Pick<
    Integrations,
    'requireUsable' | 'open' | 'openPublic' | 'openAsReader' | 'canUseReader' | 'findForBucket'
  >;
};

/** Opens the buckets that imports read. */
export function createSourceBuckets({ integrations }: Deps) {
  async function openIntegration(integration: Integration): Promise<Bucket> {
    const found = await integrations.open(integration.id);
    if (!found) throw problems.import_integration_gone();
    return found.bucket;
  }

  /**
   * Opens the bucket of a request: with the named integration, else with the one saved for the bucket, else as a public
   * bucket (Hugging Face) or as the deployment's own account (Google Cloud Storage).
   */
  async function openRequested(
    caller: Caller,
    { provider, bucket, integrationId }: BucketRequest,
  ): Promise<SourceBucket> {
    const types = integrationTypesFor(provider);
    if (integrationId) {
      const integration = await integrations.requireUsable(caller, integrationId);
      if (!types.includes(integration.type)) {
        throw problems.import_invalid(
          `The integration "${integration.name}" has the type ${integration.type}, which this endpoint does not import from.`,
        );
      }
      if (bucket && bucket !== integration.bucket) {
        throw problems.import_invalid(
          `The integration "${integration.name}" is for the bucket "${integration.bucket}", not "${bucket}".`,
        );
      }
      return { provider, bucketName: integration.bucket, integration, bucket: await openIntegration(integration) };
    }
    if (!bucket) throw problems.import_invalid('The field `integration_id` or `bucket` is required.');
    const integration = await integrations.findForBucket(caller, types, bucket);
    if (integration) {
      return { provider, bucketName: bucket, integration, bucket: await openIntegration(integration) };
    }
    if (provider === 'gcs' && (await integrations.canUseReader(caller))) {
      const own = integrations.openAsReader(bucket, caller.orgId);
      return { provider, bucketName: bucket, integration: null, bucket: own };
    }
    if (provider !== 'hf_bucket') throw integrationProblems.integration_missing();
    return { provider, bucketName: bucket, integration: null, bucket: integrations.openPublic(bucket, caller.orgId) };
  }

  return {
    /**
     * Opens the bucket of a request for the duration of `use`.
     * Throws `integration_not_found` (404), `integration_missing` or `import_invalid` (400).
     */
    async withRequested<T>(
      caller: Caller,
      request: BucketRequest,
      use: (source: SourceBucket) => Promise<T>,
    ): Promise<T> {
      const source = await openRequested(caller, request);
      try {
        return await use(source);
      } finally {
        source.bucket.close();
      }
    },

    /**
     * Opens the bucket of a job. Throws `import_integration_gone` (400) if its integration was deleted and
     * `import_bucket_changed` (400) if the integration now opens another bucket.
     */
    async openForJob(
      job: Pick<ImportJob, 'provider' | 'bucket' | 'integrationId' | 'orgId' | 'public'>,
    ): Promise<Bucket> {
      if (job.public) {
        const { openAsReader, openPublic } = integrations;
        return (job.provider === 'gcs' ? openAsReader : openPublic)(job.bucket, job.orgId);
      }
      const found = job.integrationId ? await integrations.open(job.integrationId) : null;
      if (!found) throw problems.import_integration_gone();
      const { name, bucket } = found.integration;
      if (bucket === job.bucket) return found.bucket;
      found.bucket.close();
      throw problems.import_bucket_changed(
        `The integration "${name}" now opens the bucket "${bucket}", but this import reads "${job.bucket}". Start a new import, or change the integration back and retry this one.`,
      );
    },
  };
}

export type SourceBuckets = ReturnType<typeof createSourceBuckets>;
