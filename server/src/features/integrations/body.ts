import type { Static } from 'typebox';
import type { Credentials } from './providers/index.ts';
import type { ServiceAccount } from './providers/service-account.ts';
import type { IntegrationChanges, NewGcs, NewHuggingFace, NewRole, NewS3 } from './schema.ts';
import type { Settings } from './service.ts';

type Changes = Static<typeof IntegrationChanges>;

/** What any of the bodies may say of where the bucket is. */
type Told = Static<typeof NewHuggingFace> | Static<typeof NewGcs> | Static<typeof NewS3> | Static<typeof NewRole>;

export function settingsOf(body: Told): Settings {
  const { region, addressing, role_arn } = body as Partial<Static<typeof NewRole>>;
  return {
    scope: body.scope ?? 'org',
    name: body.name,
    bucket: body.bucket,
    prefix: body.prefix || null,
    endpointUrl: body.endpoint_url || null,
    region: region || null,
    addressing: addressing ?? null,
    roleArn: role_arn ?? null,
  };
}

export function changesOf({ name, scope, bucket, role_arn, ...emptied }: Changes): Partial<Settings> {
  return {
    ...(name == null ? {} : { name }),
    ...(scope == null ? {} : { scope }),
    ...(bucket == null ? {} : { bucket }),
    ...(role_arn == null ? {} : { roleArn: role_arn }),
    ...(emptied.prefix === undefined ? {} : { prefix: emptied.prefix || null }),
    ...(emptied.region === undefined ? {} : { region: emptied.region || null }),
    ...(emptied.addressing === undefined ? {} : { addressing: emptied.addressing }),
    ...(emptied.endpoint_url === undefined ? {} : { endpointUrl: emptied.endpoint_url || null }),
  };
}

/** What of a body opens the bucket; null where it says nothing of that. */
export function credentialsOf(body: Partial<Changes>): Credentials {
  if (body.service_account) return { serviceAccount: accountOf(body.service_account) };
  if (body.token) return { token: body.token };
  const { access_key_id, secret_access_key, session_token } = body;
  return access_key_id && secret_access_key ? keysOf({ access_key_id, secret_access_key, session_token }) : null;
}

const keysOf = (body: Pick<Static<typeof NewS3>, 'access_key_id' | 'secret_access_key' | 'session_token'>) => ({
  keys: {
    accessKeyId: body.access_key_id,
    secretAccessKey: body.secret_access_key,
    sessionToken: body.session_token || null,
  },
});

/** What is used of the file; the rest is not kept. */
const accountOf = ({ type, client_email, private_key, private_key_id, project_id, token_uri }: ServiceAccount) => ({
  type,
  client_email,
  private_key,
  private_key_id,
  project_id,
  token_uri,
});
