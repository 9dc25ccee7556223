import type { Domain } from '#platform/http/index';
import type { BucketCredentials, ServiceAccount } from './providers/index.ts';
import type { IntegrationChanges } from './schema/requests.ts';
import type { IntegrationSettings } from './types.ts';

type Changes = Domain<typeof IntegrationChanges>;
/** A body of any type; each has the settings and credentials of its type. */
export type NewIntegrationBody = Changes & { name: string; bucket: string };

const NO_SETTINGS = { prefix: null, endpointUrl: null, region: null, addressing: null, roleArn: null };

export const toSettings = (body: NewIntegrationBody): IntegrationSettings => ({
  ...NO_SETTINGS,
  scope: 'org',
  name: body.name,
  bucket: body.bucket,
  ...toChanges(body),
});

/** Given settings: null leaves required settings as they are and clears optional ones. */
export function toChanges({ name, scope, bucket, roleArn, ...optional }: Changes): Partial<IntegrationSettings> {
  return {
    ...(name == null ? {} : { name }),
    ...(scope == null ? {} : { scope }),
    ...(bucket == null ? {} : { bucket }),
    ...(roleArn == null ? {} : { roleArn }),
    ...(optional.prefix === undefined ? {} : { prefix: optional.prefix || null }),
    ...(optional.region === undefined ? {} : { region: optional.region || null }),
    ...(optional.addressing === undefined ? {} : { addressing: optional.addressing }),
    ...(optional.endpointUrl === undefined ? {} : { endpointUrl: optional.endpointUrl || null }),
  };
}

/** Credentials in a body; null if it has none. */
export function toCredentials(body: Changes): BucketCredentials {
  const { serviceAccount, token, accessKeyId, secretAccessKey, sessionToken } = body;
  if (serviceAccount) return { serviceAccount: toServiceAccount(serviceAccount) };
  if (token) return { token };
  if (!accessKeyId || !secretAccessKey) return null;
  return { keys: { accessKeyId, secretAccessKey, sessionToken: sessionToken || null } };
}

/** Drops the fields of the key file that are not needed. */
const toServiceAccount = (file: ServiceAccount): ServiceAccount => {
  const { type, client_email, private_key, private_key_id, project_id, token_uri } = file;
  return { type, client_email, private_key, private_key_id, project_id, token_uri };
};
