import { Type } from 'typebox';
import { Maybe, Name, Nullable, PatternString, resource, Timestamp } from '#platform/http/index';
import type { ServiceAccount } from './providers/index.ts';

const Scope = Type.Union([Type.Literal('user'), Type.Literal('org')], {
  description: 'Who may use the integration: `org` (everyone in the organization, the default) or `user` (only you).',
});
const IntegrationName = Name({ maxLength: 255, description: 'Display name.' });
const Bucket = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'Name of the bucket; for Hugging Face, `namespace/name`.',
});
const Prefix = Type.String({
  maxLength: 1_024,
  description: 'Default prefix of previews and imports.',
});
const Region = PatternString('^[A-Za-z0-9-]*$', 'letters, digits and hyphens', {
  maxLength: 64,
  description: 'Region of the bucket, such as `eu-central-1`.',
});
const EndpointUrl = Type.String({
  maxLength: 2_000,
  description:
    'URL of a compatible server, such as MinIO or R2. Default: the server of the provider. Private addresses require that the operator allows them.',
});
const Addressing = Type.Union([Type.Literal('path'), Type.Literal('virtual')], {
  description:
    'Position of the bucket name in URLs: `path` (`endpoint/bucket/key`) or `virtual` (`bucket.endpoint/key`). Default: `path` with an `endpoint_url`, else `virtual`.',
});
const ROLE_ARN = 'the ARN of a role, such as `arn:aws:iam::123456789012:role/sightline`';
const RoleArn = PatternString('^arn:[a-z-]+:iam::[0-9]{12}:role/.+$', ROLE_ARN, {
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
const ServiceAccountKey = resource('ServiceAccountKey', Type.Unsafe<ServiceAccount>(ServiceAccountFields));
const AccessKeyId = Type.String({ minLength: 1, maxLength: 255, description: 'Access key id.' });
const SecretAccessKey = Type.String({ minLength: 1, maxLength: 1_000, description: 'Secret access key.' });
const SessionToken = Type.String({ maxLength: 20_000, description: 'Session token of temporary keys.' });
const Token = Type.String({
  minLength: 1,
  maxLength: 1_000,
  description: 'Hugging Face token (`hf_…`) with read access.',
});

const typeField = <T extends string>(type: T) =>
  Maybe(Type.Literal(type, { description: `Optional; always \`${type}\`.` }));

export const NewGcs = resource(
  'NewGcsIntegration',
  Type.Object(
    {
      name: IntegrationName,
      type: typeField('gcs'),
      scope: Maybe(Scope),
      service_account: ServiceAccountKey,
      bucket: Bucket,
      prefix: Maybe(Prefix),
      endpoint_url: Maybe(EndpointUrl),
    },
    {
      description: 'A bucket of Google Cloud Storage.',
      examples: [
        {
          name: 'Fleet recordings',
          type: 'gcs',
          service_account: {
            type: 'service_account',
            client_email: 'reader@example.iam.gserviceaccount.com',
            private_key: '-----BEGIN PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----\n',
          },
          bucket: 'fleet-recordings',
          prefix: 'drives/',
        },
      ],
    },
  ),
);

export const NewS3 = resource(
  'NewS3Integration',
  Type.Object(
    {
      name: IntegrationName,
      type: typeField('s3'),
      scope: Maybe(Scope),
      access_key_id: AccessKeyId,
      secret_access_key: SecretAccessKey,
      session_token: Maybe(SessionToken),
      region: Maybe(Region),
      endpoint_url: Maybe(EndpointUrl),
      addressing: Maybe(Addressing),
      bucket: Bucket,
      prefix: Maybe(Prefix),
    },
    {
      description: 'A bucket of S3 or a compatible server. `region` is required without an `endpoint_url`.',
      examples: [
        {
          name: 'Fleet recordings',
          type: 's3',
          access_key_id: 'AKIAEXAMPLE',
          secret_access_key: 'the secret',
          region: 'eu-central-1',
          bucket: 'fleet-recordings',
        },
      ],
    },
  ),
);

export const NewHuggingFace = resource(
  'NewHuggingFaceIntegration',
  Type.Object(
    {
      name: IntegrationName,
      type: typeField('hf_bucket'),
      scope: Maybe(Scope),
      token: Token,
      bucket: Bucket,
      prefix: Maybe(Prefix),
      endpoint_url: Maybe(EndpointUrl),
    },
    {
      description: 'A bucket of the Hugging Face hub.',
      examples: [{ name: 'Open drives', type: 'hf_bucket', token: 'hf_…', bucket: 'example/drives' }],
    },
  ),
);

export const NewRole = resource(
  'NewRoleIntegration',
  Type.Object(
    {
      name: IntegrationName,
      type: typeField('s3_storage_transfer'),
      scope: Maybe(Scope),
      bucket: Bucket,
      role_arn: RoleArn,
      prefix: Maybe(Prefix),
      region: Maybe(Region),
      endpoint_url: Maybe(EndpointUrl),
      addressing: Maybe(Addressing),
    },
    {
      description: 'A bucket of S3 that is read by assuming a role; no keys are stored.',
      examples: [
        {
          name: 'Partner recordings',
          bucket: 'partner-recordings',
          role_arn: 'arn:aws:iam::123456789012:role/sightline-reader',
          region: 'eu-central-1',
        },
      ],
    },
  ),
);

export const IntegrationChanges = resource(
  'IntegrationChanges',
  Type.Object(
    {
      name: Maybe(IntegrationName),
      scope: Maybe(Scope),
      bucket: Maybe(Bucket),
      prefix: Maybe(Prefix),
      region: Maybe(Region),
      endpoint_url: Maybe(EndpointUrl),
      addressing: Maybe(Addressing),
      role_arn: Maybe(RoleArn),
      service_account: Type.Optional(ServiceAccountKey),
      access_key_id: Type.Optional(AccessKeyId),
      secret_access_key: Type.Optional(SecretAccessKey),
      session_token: Maybe(SessionToken),
      token: Type.Optional(Token),
    },
    {
      description:
        'Settings to change. Omitted settings stay; null clears `prefix`, `region`, `endpoint_url` and `addressing`. Credentials are replaced as a whole.',
      examples: [{ name: 'Fleet recordings 2026', prefix: 'drives/2026/' }],
    },
  ),
);

export const VerifyQuery = Type.Object({
  verify: Type.Optional(
    Type.Boolean({
      description:
        'If true (the default), the integration is tested first and only saved if the bucket can be listed and read.',
    }),
  ),
});

export const IntegrationParams = Type.Object({
  integration_id: Type.String({ minLength: 1, maxLength: 255, description: 'Id of the integration.' }),
});

const EXAMPLE = {
  id: '019a0b1c2d3e7f008000000000000021',
  name: 'Fleet recordings',
  type: 's3' as const,
  scope: 'org' as const,
  bucket: 'fleet-recordings',
  prefix: 'drives/',
  region: 'eu-central-1',
  endpoint_url: null,
  addressing: null,
  role_arn: null,
  created_at: '2026-11-21T09:30:00.000Z',
  last_used: null,
  is_owner: true,
  created_by: '019a0b1c2d3e7f008000000000000001',
  created_by_display_name: 'Ada',
};

export const IntegrationResource = resource(
  'Integration',
  Type.Object(
    {
      id: Type.String({ description: 'Id of the integration.' }),
      name: IntegrationName,
      type: Type.Union(
        [Type.Literal('gcs'), Type.Literal('s3'), Type.Literal('hf_bucket'), Type.Literal('s3_storage_transfer')],
        {
          description:
            'Type of access: `gcs`, `s3` (with keys), `hf_bucket`, or `s3_storage_transfer` (S3 with a role).',
        },
      ),
      scope: Scope,
      bucket: Bucket,
      prefix: Nullable(Prefix),
      region: Nullable(Region),
      endpoint_url: Nullable(EndpointUrl),
      addressing: Nullable(Addressing),
      role_arn: Nullable(Type.String({ description: 'Role to assume.' })),
      created_at: Timestamp({ description: 'Creation time, ISO 8601, UTC.' }),
      last_used: Nullable(Timestamp({ description: 'Time of the last use by an import; null if it was never used.' })),
      is_owner: Type.Boolean({ description: 'True if you created it.' }),
      created_by: Type.String({ description: 'User who created it.' }),
      created_by_display_name: Type.String({ description: 'Name of that user.' }),
    },
    { description: 'A saved integration. Secrets are never returned.', examples: [EXAMPLE] },
  ),
);

export const IntegrationList = resource(
  'IntegrationList',
  Type.Array(IntegrationResource, {
    description: 'Integrations that you may use, oldest first; with an admin key, all of the organization.',
    examples: [[EXAMPLE]],
  }),
);

export const IntegrationTestResult = resource(
  'IntegrationTest',
  Type.Object(
    {
      ok: Type.Boolean({ description: 'True if the bucket can be listed and read.' }),
      message: Type.String({ description: 'Result of the test in words.' }),
      error: Nullable(Type.String({ description: 'Error code; null if the test succeeded.' })),
    },
    {
      description: 'Result of a test.',
      examples: [{ ok: true, message: 'The bucket can be listed and "drives/a.mp4" can be read.', error: null }],
    },
  ),
);

export const DeletedIntegration = resource(
  'DeletedIntegration',
  Type.Object(
    {
      status: Type.Literal('deleted', { description: 'Always `deleted`.' }),
      id: Type.String({ description: 'Id of the deleted integration.' }),
    },
    { description: 'The deleted integration.', examples: [{ status: 'deleted', id: EXAMPLE.id }] },
  ),
);

export const RoleSetupResource = resource(
  'RoleSetup',
  Type.Object(
    {
      provider: Type.Union([Type.Literal('google'), Type.Literal('aws')], {
        description: 'Cloud provider of this deployment’s identity.',
      }),
      auth_mode: Type.Union([Type.Literal('web_identity'), Type.Literal('assume_role')], {
        description:
          '`web_identity` (AssumeRoleWithWebIdentity with a token of the service account) or `assume_role` (AssumeRole with an external id).',
      }),
      project_id: Nullable(Type.String({ description: 'Google Cloud project of the service account.' })),
      google_service_account_email: Nullable(Type.String({ description: 'Email address of the service account.' })),
      google_service_account_subject_id: Nullable(
        Type.String({ description: 'Unique id of the service account: the subject of its tokens.' }),
      ),
      audience: Nullable(Type.String({ description: 'Audience of the tokens; unique to your organization.' })),
      external_id: Nullable(
        Type.String({ description: 'External id for `assume_role`; unique to your organization.' }),
      ),
      aws_trust_policy_template: Type.Object(
        {},
        {
          additionalProperties: true,
          description:
            'Trust policy for the role in your AWS account; use it unchanged. The role needs s3:ListBucket and s3:GetObject.',
        },
      ),
    },
    {
      description: 'Identity that the role must trust.',
      examples: [
        {
          provider: 'google',
          auth_mode: 'web_identity',
          project_id: 'example-project',
          google_service_account_email: 'sightline@example-project.iam.gserviceaccount.com',
          google_service_account_subject_id: '100000000000000000001',
          audience: 'sightline-019a0b1c2d3e7f008000000000000000',
          external_id: null,
          aws_trust_policy_template: {
            Version: '2012-10-17',
            Statement: [
              {
                Effect: 'Allow',
                Principal: { Federated: 'accounts.google.com' },
                Action: 'sts:AssumeRoleWithWebIdentity',
                Condition: {
                  StringEquals: {
                    'accounts.google.com:sub': '100000000000000000001',
                    'accounts.google.com:oaud': 'sightline-019a0b1c2d3e7f008000000000000000',
                  },
                },
              },
            ],
          },
        },
      ],
    },
  ),
);
