import { lazy } from '#platform/lazy';
import { openGcs } from './gcs.ts';
import { withRetry } from './retry.ts';
import { createServiceAccount } from './service-account.ts';
import type { Bucket, BucketCredentials, BucketLocation, ProviderBucket, ProviderDeps } from './types.ts';

/** Returns the bucket without sending a request yet. */
export function openBucket(location: BucketLocation, credentials: BucketCredentials, deps: ProviderDeps): Bucket {
  const { minimumRate } = deps.net;
  return withRetry({ ...openProviderBucket(location, credentials, deps), minimumRate });
}

function openProviderBucket(
  location: BucketLocation,
  credentials: BucketCredentials,
  { net, identity, hubUrl, gcsUrl }: ProviderDeps,
): ProviderBucket {
  const { type, bucket, endpointUrl } = location;
  switch (type) {
    case 'gcs':
      return credentials && 'serviceAccount' in credentials
        ? openGcs(
            { bucket, gcsUrl: endpointUrl ?? gcsUrl },
            () => createServiceAccount(credentials.serviceAccount, net.fetch),
            net,
          )
        : // Tokens of this deployment go to Google only, never to an endpoint that a user chose.
          openGcs({ bucket, gcsUrl }, () => identity.createReader(), net);
    case 'hf_bucket':
      return openOnUse(async () => {
        const token = credentials && 'token' in credentials ? credentials.token : null;
        const { openHuggingFace } = await import('./hugging-face.ts');
        return openHuggingFace({ bucket, hubUrl: endpointUrl ?? hubUrl }, token, net);
      });
    case 's3':
    case 's3_storage_transfer':
      return openOnUse(async () => {
        const keys = type === 's3' && credentials && 'keys' in credentials ? credentials.keys : null;
        return (await import('./s3.ts')).openS3(location, keys, net, identity);
      });
  }
}

/** A bucket whose client is loaded for the first request. */
function openOnUse(load: () => Promise<ProviderBucket>): ProviderBucket {
  const open = lazy(load);
  return {
    list: async (page, signal) => (await open()).list(page, signal),
    stat: async (key, signal) => (await open()).stat(key, signal),
    open: async (key, from, signal) => (await open()).open(key, from, signal),
    // Clients share their connections, which stay open.
    close() {},
  };
}
