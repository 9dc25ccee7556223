import { Type } from 'typebox';
import { Nullable, resource, Timestamp } from '#platform/http/index';
import { Addressing, Bucket, EndpointUrl, IntegrationName, Prefix, Region, Scope } from './fields.ts';

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
