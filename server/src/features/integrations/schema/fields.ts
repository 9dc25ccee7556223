import { Type } from 'typebox';
import { Maybe, Name, PatternString, resource } from '#platform/http/index';
import type { ServiceAccount } from '../providers/index.ts';

export const Scope = Type.Union([Type.Literal('user'), Type.Literal('org')], {
  description: 'Who may use the integration: `org` (everyone in the organization, the default) or `user` (only you).',
});
export const IntegrationName = Name({ maxLength: 255, description: 'Display name.' });
export const Bucket = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'Name of the bucket; for Hugging Face, `namespace/name`.',
});
export const Prefix = Type.String({
  maxLength: 1_024,
  description: 'Default prefix of previews and imports.',
});
export const Region = PatternString('^[A-Za-z0-9-]*$', 'letters, digits and hyphens', {
  maxLength: 64,
  description: 'Region of the bucket, such as `eu-central-1`.',
});
export const EndpointUrl = Type.String({
  maxLength: 2_000,
  description:
    'URL of a compatible server, such as MinIO or R2. Default: the server of the provider. Private addresses require that the operator allows them.',
});
export const Addressing = Type.Union([Type.Literal('path'), Type.Literal('virtual')], {
  description:
    'Position of the bucket name in URLs: `path` (`endpoint/bucket/key`) or `virtual` (`bucket.endpoint/key`). Default: `path` with an `endpoint_url`, else `virtual`.',
});
const ROLE_ARN = 'the ARN of a role, such as `arn:aws:iam::123456789012:role/sightline`';
export const RoleArn = PatternString('^arn:[a-z-]+:iam::[0-9]{12}:role/.+$', ROLE_ARN, {
  maxLength: 2_048,
  description: 'Role to assume. Its trust policy must be the one that the setup returns.',
});
const ServiceAccountFields = Type.Object(
  {
    type: Type.Literal('service_account', { description: 'Always `service_account`; other kinds are not supported.' }),
    client_email: Type.String({ maxLength: 500, description: 'Email address of the account.' }),
    private_key: Type.String({ maxLength: 20_000, description: 'Private key, PEM.' }),
    private_key_id: Type.Optional(Type.String({ maxLength: 500, description: 'Id of the private key.' })),
    project_id: Type.Optional(Type.String({ maxLength: 500, description: 'Project of the account.' })),
    token_uri: Type.Optional(Type.String({ maxLength: 2_000, description: 'URL of the token endpoint.' })),
  },
  { additionalProperties: true, description: 'JSON key file of the service account.' },
);
/** Keeps the field names of Google's key file. */
export const ServiceAccountKey = resource('ServiceAccountKey', Type.Unsafe<ServiceAccount>(ServiceAccountFields));
export const AccessKeyId = Type.String({ minLength: 1, maxLength: 255, description: 'Access key id.' });
export const SecretAccessKey = Type.String({ minLength: 1, maxLength: 1_000, description: 'Secret access key.' });
export const SessionToken = Type.String({ maxLength: 20_000, description: 'Session token of temporary keys.' });
export const Token = Type.String({
  minLength: 1,
  maxLength: 1_000,
  description: 'Hugging Face token (`hf_…`) with read access.',
});

export const typeField = <T extends string>(type: T) =>
  Maybe(Type.Literal(type, { description: `Optional; always \`${type}\`.` }));
