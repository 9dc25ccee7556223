import { openGcs } from './gcs.ts';
import { openHuggingFace } from './hugging-face.ts';
import { withRetry } from './retry.ts';
import { openS3 } from './s3.ts';
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
      return openHuggingFace(
        { bucket, hubUrl: endpointUrl ?? hubUrl },
        credentials && 'token' in credentials ? credentials.token : null,
        net,
      );
    case 's3':
      return openS3(location, credentials && 'keys' in credentials ? credentials.keys : null, net, identity);
    case 's3_storage_transfer':
      return openS3(location, null, net, identity);
  }
}
