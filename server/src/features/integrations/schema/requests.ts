import { Type } from 'typebox';
import { Maybe, resource } from '#platform/http/index';
import {
  AccessKeyId,
  Addressing,
  Bucket,
  EndpointUrl,
  IntegrationName,
  Prefix,
  Region,
  RoleArn,
  Scope,
  SecretAccessKey,
  ServiceAccountKey,
  SessionToken,
  Token,
  typeField,
} from './fields.ts';

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
