import { Type } from 'typebox';
import { Formed, Maybe, Name, Nullable } from '#platform/http/index';

const Scope = Type.Union([Type.Literal('user'), Type.Literal('org')], {
  description: 'Who may use it: `org` (the default), everyone in the organisation; `user`, you alone.',
});
const IntegrationName = Name({ maxLength: 255, description: 'What people call it.' });
const Bucket = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'Name of the bucket; of a Hugging Face bucket `namespace/name`.',
});
const Prefix = Type.String({
  maxLength: 1_024,
  description: 'Where in the bucket previews and imports of whole prefixes begin.',
});
const Region = Formed('^[A-Za-z0-9-]*$', 'letters, digits and hyphens', {
  maxLength: 64,
  description: 'Region of the bucket, such as `eu-central-1`.',
});
const EndpointUrl = Type.String({
  maxLength: 2_000,
  description:
    "Address of a server that speaks the provider's protocol, such as MinIO or R2. Without it the provider's own. Private addresses only where the operator allows their network.",
});
const Addressing = Type.Union([Type.Literal('path'), Type.Literal('virtual')], {
  description:
    'Whether the bucket stands in the path (`endpoint/bucket/key`) or in the host name (`bucket.endpoint/key`). Without it: in the path with an `endpoint_url`, else in the host name.',
});
const ROLE_ARN = 'the ARN of a role, such as `arn:aws:iam::123456789012:role/sightline`';
const RoleArn = Formed('^arn:[a-z-]+:iam::[0-9]{12}:role/.+$', ROLE_ARN, {
  maxLength: 2_048,
  description: 'The role to assume; it trusts this deployment as the setup says.',
});
const ServiceAccount = Type.Object(
  {
    type: Type.Literal('service_account', { description: 'Always `service_account`; no other kind is taken.' }),
    client_email: Type.String({ maxLength: 500, description: 'The account.' }),
    private_key: Type.String({ maxLength: 20_000, description: 'Its private key, PEM.' }),
    private_key_id: Type.Optional(Type.String({ maxLength: 500, description: 'Names the key.' })),
    project_id: Type.Optional(Type.String({ maxLength: 500, description: 'Its project.' })),
    token_uri: Type.Optional(Type.String({ maxLength: 2_000, description: 'Where tokens are to be had.' })),
  },
  { additionalProperties: true, description: "The service account's key file as Google gives it." },
);
const AccessKeyId = Type.String({ minLength: 1, maxLength: 255, description: 'Access key id.' });
const SecretAccessKey = Type.String({ minLength: 1, maxLength: 1_000, description: 'Secret access key.' });
const SessionToken = Type.String({ maxLength: 20_000, description: 'Session token of temporary keys.' });
const Token = Type.String({ minLength: 1, maxLength: 1_000, description: 'Hugging Face token (`hf_…`) that reads.' });

const typeOf = <T extends string>(type: T) =>
  Maybe(Type.Literal(type, { description: `May be left out; \`${type}\` where it is given.` }));

export const NewGcs = Type.Object(
  {
    name: IntegrationName,
    type: typeOf('gcs'),
    scope: Maybe(Scope),
    service_account: ServiceAccount,
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
);

export const NewS3 = Type.Object(
  {
    name: IntegrationName,
    type: typeOf('s3'),
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
    description:
      'A bucket of S3 or of a server that speaks its protocol. Without an `endpoint_url`, `region` is needed.',
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
);

export const NewHuggingFace = Type.Object(
  {
    name: IntegrationName,
    type: typeOf('hf_bucket'),
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
);

export const NewRole = Type.Object(
  {
    name: IntegrationName,
    type: typeOf('s3_storage_transfer'),
    scope: Maybe(Scope),
    bucket: Bucket,
    role_arn: RoleArn,
    prefix: Maybe(Prefix),
    region: Maybe(Region),
    endpoint_url: Maybe(EndpointUrl),
    addressing: Maybe(Addressing),
  },
  {
    description: 'A bucket of S3 that is read in a role: no key is stored.',
    examples: [
      {
        name: 'Partner recordings',
        bucket: 'partner-recordings',
        role_arn: 'arn:aws:iam::123456789012:role/sightline-reader',
        region: 'eu-central-1',
      },
    ],
  },
);

export const IntegrationChanges = Type.Object(
  {
    name: Maybe(IntegrationName),
    scope: Maybe(Scope),
    bucket: Maybe(Bucket),
    prefix: Maybe(Prefix),
    region: Maybe(Region),
    endpoint_url: Maybe(EndpointUrl),
    addressing: Maybe(Addressing),
    role_arn: Maybe(RoleArn),
    service_account: Type.Optional(ServiceAccount),
    access_key_id: Type.Optional(AccessKeyId),
    secret_access_key: Type.Optional(SecretAccessKey),
    session_token: Maybe(SessionToken),
    token: Type.Optional(Token),
  },
  {
    description:
      'What is to change; what is left out stays, null empties `prefix`, `region`, `endpoint_url` and `addressing`. Credentials are replaced as a whole.',
    examples: [{ name: 'Fleet recordings 2026', prefix: 'drives/2026/' }],
  },
);

export const Verify = Type.Object({
  verify: Type.Optional(
    Type.Boolean({
      description:
        'Whether the integration is tried first: one object listed, one byte read. Default true; what the provider refuses is then not saved.',
    }),
  ),
});

export const IntegrationId = Type.Object({
  integration_id: Type.String({ minLength: 1, maxLength: 255, description: 'Identifier of the integration.' }),
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

export const IntegrationAnswer = Type.Object(
  {
    id: Type.String({ description: 'Identifier of the integration.' }),
    name: IntegrationName,
    type: Type.Union(
      [Type.Literal('gcs'), Type.Literal('s3'), Type.Literal('hf_bucket'), Type.Literal('s3_storage_transfer')],
      {
        description:
          'What it opens: a bucket of Google Cloud Storage, of S3 with keys, of Hugging Face, or of S3 in a role.',
      },
    ),
    scope: Scope,
    bucket: Bucket,
    prefix: Nullable(Prefix),
    region: Nullable(Region),
    endpoint_url: Nullable(EndpointUrl),
    addressing: Nullable(Addressing),
    role_arn: Nullable(Type.String({ description: 'The role that is assumed.' })),
    created_at: Type.String({ format: 'date-time', description: 'When it was made, ISO 8601, UTC.' }),
    last_used: Nullable(
      Type.String({ format: 'date-time', description: 'When an import last used it; null while unused.' }),
    ),
    is_owner: Type.Boolean({ description: 'Whether you made it.' }),
    created_by: Type.String({ description: 'The user who made it.' }),
    created_by_display_name: Type.String({ description: "That user's name." }),
  },
  { description: 'A saved integration. Its secrets are never shown.', examples: [EXAMPLE] },
);

export const IntegrationList = Type.Array(IntegrationAnswer, {
  description: 'The integrations that you may use, oldest first; for an admin key all of the organisation.',
  examples: [[EXAMPLE]],
});

export const IntegrationTested = Type.Object(
  {
    ok: Type.Boolean({ description: 'Whether the bucket could be listed and an object of it read.' }),
    message: Type.String({ description: 'What was found, or why not, in a sentence.' }),
    error: Nullable(Type.String({ description: 'The code of the reason; null when it works.' })),
  },
  {
    description: 'What a try came to.',
    examples: [{ ok: true, message: 'The bucket can be listed and "drives/a.mp4" can be read.', error: null }],
  },
);

export const IntegrationDeleted = Type.Object(
  {
    status: Type.Literal('deleted', { description: 'Always `deleted`.' }),
    id: Type.String({ description: 'Identifier of the integration that was.' }),
  },
  { description: 'It is gone.', examples: [{ status: 'deleted', id: EXAMPLE.id }] },
);

export const SetupAnswer = Type.Object(
  {
    provider: Type.Union([Type.Literal('google'), Type.Literal('aws')], {
      description: 'Whose identity this deployment has.',
    }),
    auth_mode: Type.Union([Type.Literal('web_identity'), Type.Literal('assume_role')], {
      description:
        '`web_identity`: AssumeRoleWithWebIdentity with a token of the service account; `assume_role`: AssumeRole with an external id.',
    }),
    project_id: Nullable(Type.String({ description: 'Google Cloud project of the service account.' })),
    google_service_account_email: Nullable(Type.String({ description: 'The service account.' })),
    google_service_account_subject_id: Nullable(
      Type.String({ description: 'Its unique id: the subject of its tokens.' }),
    ),
    audience: Nullable(Type.String({ description: 'Audience of the tokens: that of your organisation alone.' })),
    external_id: Nullable(Type.String({ description: 'External id of your organisation, for `assume_role`.' })),
    aws_trust_policy_template: Type.Object(
      {},
      {
        additionalProperties: true,
        description:
          'The trust policy of the role in your AWS account, as it stands. Give the role s3:ListBucket and s3:GetObject.',
      },
    ),
  },
  {
    description: 'What a role has to trust.',
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
);
