import { Type } from 'typebox';
import { Nullable, resource } from '#platform/http/index';

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

/** Role that grants access to read a bucket on Google Cloud Storage. */
export const READER_ROLE = 'roles/storage.objectViewer';

export const ReaderSetupResource = resource(
  'ReaderSetup',
  Type.Object(
    {
      provider: Type.Literal('google', { description: 'Cloud provider of this deployment’s identity.' }),
      google_service_account_email: Type.String({ description: 'Email address of the service account.' }),
      project_id: Nullable(Type.String({ description: 'Google Cloud project of the service account.' })),
      roles: Type.Array(Type.String(), { description: 'Roles to grant to the service account on the bucket.' }),
    },
    {
      description: 'Service account to which a bucket grants access.',
      examples: [
        {
          provider: 'google',
          google_service_account_email: 'sightline@example-project.iam.gserviceaccount.com',
          project_id: 'example-project',
          roles: [READER_ROLE],
        },
      ],
    },
  ),
);
