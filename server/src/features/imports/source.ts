import type { Bucket, Integration, Integrations, ProviderName } from '#features/integrations/index';
import { bytesOf, integrationProblems, typesOf, uriOf } from '#features/integrations/index';
import type { Caller } from '#platform/http/index';
import { Problem } from '#platform/problem';
import { problems } from './problems.ts';
import type { ImportJob, Row, Source } from './types.ts';

/** What a request says of the bucket. */
export type Wanted = { provider: ProviderName; bucket: string | null; integrationId: string | null };
export type Origin = { provider: ProviderName; bucketName: string; integration: Integration | null; bucket: Bucket };

type Deps = { integrations: Pick<Integrations, 'use' | 'open' | 'openPublic' | 'forBucket'> };

/** Opens the buckets that imports come from. */
export function createSources({ integrations }: Deps) {
  async function opened(integration: Integration): Promise<Bucket> {
    const found = await integrations.open(integration.id);
    if (!found) throw problems.import_integration_gone();
    return found.bucket;
  }

  return {
    /**
     * The bucket that a request means, open: by the integration it names, else by the one saved for the bucket, else, for Hugging Face, as one
     * that is open to all. Throws `integration_not_found` (404), `integration_missing` or `import_invalid` (400).
     */
    async wanted(caller: Caller, { provider, bucket, integrationId }: Wanted): Promise<Origin> {
      const types = typesOf(provider);
      if (integrationId) {
        const integration = await integrations.use(caller, integrationId);
        if (!types.includes(integration.type)) {
          throw problems.import_invalid(`The integration "${integration.name}" is of the type ${integration.type}.`);
        }
        if (bucket && bucket !== integration.bucket) {
          throw problems.import_invalid(
            `The integration "${integration.name}" is for the bucket "${integration.bucket}".`,
          );
        }
        return { provider, bucketName: integration.bucket, integration, bucket: await opened(integration) };
      }
      if (!bucket) throw problems.import_invalid('The field `integration_id` or `bucket` is required.');
      const integration = await integrations.forBucket(caller, types, bucket);
      if (integration) return { provider, bucketName: bucket, integration, bucket: await opened(integration) };
      if (provider !== 'hf_bucket') throw integrationProblems.integration_missing();
      return { provider, bucketName: bucket, integration: null, bucket: integrations.openPublic(bucket, caller.orgId) };
    },

    /** The bucket of a job, open. Throws `import_integration_gone` or `import_bucket_changed` when its integration was deleted or leads elsewhere. */
    async ofJob(job: Pick<ImportJob, 'provider' | 'bucket' | 'integrationId' | 'orgId' | 'public'>): Promise<Bucket> {
      if (job.public) return integrations.openPublic(job.bucket, job.orgId);
      const found = job.integrationId ? await integrations.open(job.integrationId) : null;
      if (!found) throw problems.import_integration_gone();
      const { name, bucket } = found.integration;
      if (bucket === job.bucket) return found.bucket;
      found.bucket.close();
      throw problems.import_bucket_changed(
        `The integration "${name}" leads to the bucket "${bucket}" now, and this import is of "${job.bucket}": begin a new import, or change it back and try this one again.`,
      );
    },
  };
}

export type Sources = ReturnType<typeof createSources>;

type Read = Pick<Row, 'readVersion' | 'sizeBytes'>;

/** An open bucket as those see it that take objects in, and what objects were as they were read. */
export function readerOf(bucket: Bucket, row: Row, signal: AbortSignal): Source & { facts: ReadonlyMap<string, Read> } {
  const facts = new Map<string, Read>();
  return {
    facts,
    bytes: (key) =>
      bytesOf(bucket, key, signal, {
        listed: key === row.key ? row.sizeBytes : null,
        onOpen: ({ version, size }) => facts.set(key, { readVersion: version || null, sizeBytes: size }),
      }),
    async small(key, maxBytes) {
      const chunks: Buffer[] = [];
      let size = 0;
      try {
        for await (const chunk of bytesOf(bucket, key, signal)) {
          size += chunk.length;
          if (size > maxBytes) throw integrationProblems.bucket_refused(`"${key}" is larger than ${maxBytes} bytes.`);
          chunks.push(chunk);
        }
      } catch (error) {
        if (error instanceof Problem && error.code === 'object_not_found') return null;
        throw error;
      }
      return Buffer.concat(chunks);
    },
  };
}

/** The key of an object that is named by its key or by its address. Throws `import_invalid` (400) when it lies elsewhere. */
export function keyOf({ provider, bucketName }: Pick<Origin, 'provider' | 'bucketName'>, name: string): string {
  const scheme = /^(s3|gs|hf):\/\//.exec(name)?.[0];
  if (!scheme) return name;
  const own = uriOf(provider, bucketName, '');
  if (name.startsWith(own) && name.length > own.length) return name.slice(own.length);
  throw problems.import_invalid(
    `"${name}" does not lie in the bucket "${bucketName}": one request imports from one bucket.`,
  );
}

/** The bucket that an address names; null for a mere key. */
export function bucketOf(name: string): string | null {
  return /^hf:\/\/buckets\/([^/]+\/[^/]+)\//.exec(name)?.[1] ?? /^(?:s3|gs):\/\/([^/]+)\//.exec(name)?.[1] ?? null;
}
