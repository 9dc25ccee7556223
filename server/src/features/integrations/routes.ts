import type { Static } from 'typebox';
import { type App, failures } from '#platform/http/index';
import type { Credentials } from './providers/index.ts';
import type { ServiceAccount } from './providers/service-account.ts';
import {
  IntegrationAnswer,
  IntegrationChanges,
  IntegrationDeleted,
  IntegrationId,
  IntegrationList,
  IntegrationTested,
  NewGcs,
  NewHuggingFace,
  NewRole,
  NewS3,
  SetupAnswer,
  Verify,
} from './schema.ts';
import type { Integration, Integrations, Settings } from './service.ts';

const tags = ['Cloud Integrations'];

export function integrationsRoutes(app: App, integrations: Integrations): void {
  const verifyOf = ({ verify }: Static<typeof Verify>) => ({ verify: verify ?? true });

  app.get(
    '/api/cloud-integrations',
    {
      config: { scope: 'read' },
      schema: {
        operationId: 'listIntegrations',
        tags,
        summary: 'List integrations',
        description: 'Returns the saved integrations that you may use, without their secrets.',
        response: { 200: IntegrationList, ...failures() },
      },
    },
    async ({ caller }) => (await integrations.list(caller)).map((each) => answer(each, caller.userId)),
  );

  app.post(
    '/api/cloud-integrations/gcs',
    {
      config: { scope: 'write' },
      schema: {
        operationId: 'createGcsIntegration',
        tags,
        summary: 'Save a Google Cloud Storage integration',
        description: 'Tries the service account on the bucket and saves it sealed.',
        querystring: Verify,
        body: NewGcs,
        response: { 200: IntegrationAnswer, ...failures() },
      },
    },
    async ({ caller, body, query }) => {
      const credentials = { serviceAccount: accountOf(body.service_account) };
      const made = { ...settingsOf(body), type: 'gcs' as const, credentials };
      return answer(await integrations.create(caller, made, verifyOf(query)), caller.userId);
    },
  );

  app.post(
    '/api/cloud-integrations/s3',
    {
      config: { scope: 'write' },
      schema: {
        operationId: 'createS3Integration',
        tags,
        summary: 'Save an S3 integration',
        description:
          'Tries the keys on the bucket and saves them sealed. R2, MinIO and others are named by `endpoint_url`.',
        querystring: Verify,
        body: NewS3,
        response: { 200: IntegrationAnswer, ...failures() },
      },
    },
    async ({ caller, body, query }) => {
      const made = { ...settingsOf(body), type: 's3' as const, credentials: keysOf(body) };
      return answer(await integrations.create(caller, made, verifyOf(query)), caller.userId);
    },
  );

  app.post(
    '/api/cloud-integrations/hf-bucket',
    {
      config: { scope: 'write' },
      schema: {
        operationId: 'createHuggingFaceIntegration',
        tags,
        summary: 'Save a Hugging Face integration',
        description: 'Tries the token on the bucket and saves it sealed.',
        querystring: Verify,
        body: NewHuggingFace,
        response: { 200: IntegrationAnswer, ...failures() },
      },
    },
    async ({ caller, body, query }) => {
      const made = { ...settingsOf(body), type: 'hf_bucket' as const, credentials: { token: body.token } };
      return answer(await integrations.create(caller, made, verifyOf(query)), caller.userId);
    },
  );

  app.post(
    '/api/cloud-integrations/s3-storage-transfer',
    {
      config: { scope: 'write' },
      schema: {
        operationId: 'createRoleIntegration',
        tags,
        summary: 'Save a role-based S3 integration',
        description: 'Tries to assume the role and to read the bucket in it. No key is stored.',
        querystring: Verify,
        body: NewRole,
        response: { 200: IntegrationAnswer, ...failures(409) },
      },
    },
    async ({ caller, body, query }) => {
      const made = { ...settingsOf(body), type: 's3_storage_transfer' as const, credentials: null };
      return answer(await integrations.create(caller, made, verifyOf(query)), caller.userId);
    },
  );

  app.get(
    '/api/cloud-integrations/s3-storage-transfer/setup',
    {
      config: { scope: 'read' },
      schema: {
        operationId: 'getRoleSetup',
        tags,
        summary: 'Role-based S3 import setup',
        description:
          'Returns the identity of this deployment and the trust policy that a role in your AWS account needs. 409 says what the operator has to configure first.',
        response: { 200: SetupAnswer, ...failures(409) },
      },
    },
    async ({ caller }) => {
      const setup = await integrations.setup(caller);
      return {
        provider: setup.provider,
        auth_mode: setup.authMode,
        project_id: setup.projectId,
        google_service_account_email: setup.email,
        google_service_account_subject_id: setup.subjectId,
        audience: setup.provider === 'google' ? setup.audience : null,
        external_id: setup.provider === 'aws' ? setup.audience : null,
        aws_trust_policy_template: setup.trustPolicy,
      };
    },
  );

  app.get(
    '/api/cloud-integrations/:integration_id',
    {
      config: { scope: 'read' },
      schema: {
        operationId: 'getIntegration',
        tags,
        summary: 'Get an integration',
        description: 'Returns the integration without its secrets.',
        params: IntegrationId,
        response: { 200: IntegrationAnswer, ...failures(404) },
      },
    },
    async ({ caller, params }) => answer(await integrations.get(caller, params.integration_id), caller.userId),
  );

  app.patch(
    '/api/cloud-integrations/:integration_id',
    {
      config: { scope: 'write' },
      schema: {
        operationId: 'changeIntegration',
        tags,
        summary: 'Change an integration',
        description:
          'Renames it, points it elsewhere or replaces its credentials; only for who made it, or an admin key.',
        params: IntegrationId,
        querystring: Verify,
        body: IntegrationChanges,
        response: { 200: IntegrationAnswer, ...failures(404, 409) },
      },
    },
    async ({ caller, params, body, query }) => {
      const changed = await integrations.change(
        caller,
        params.integration_id,
        changesOf(body),
        credentialsOf(body),
        verifyOf(query),
      );
      return answer(changed, caller.userId);
    },
  );

  app.post(
    '/api/cloud-integrations/:integration_id/test',
    {
      config: { scope: 'read' },
      schema: {
        operationId: 'testIntegration',
        tags,
        summary: 'Try an integration',
        description:
          'Lists one object and reads one byte of it. What the provider refuses is said in the answer, which is 200.',
        params: IntegrationId,
        response: { 200: IntegrationTested, ...failures(404) },
      },
    },
    async ({ caller, params, gone }) => {
      const { ok, message, problem } = await integrations.test(caller, params.integration_id, gone);
      return { ok, message, error: problem?.code ?? null };
    },
  );

  app.delete(
    '/api/cloud-integrations/:integration_id',
    {
      config: { scope: 'write' },
      schema: {
        operationId: 'deleteIntegration',
        tags,
        summary: 'Delete an integration',
        description:
          'Deletes it with its secrets and the scheduled imports that use it; 409 while an import with it is running. Only for who made it, or an admin key.',
        params: IntegrationId,
        response: { 200: IntegrationDeleted, ...failures(404, 409) },
      },
    },
    async ({ caller, params }) => {
      await integrations.remove(caller, params.integration_id);
      return { status: 'deleted' as const, id: params.integration_id };
    },
  );
}

type Changes = Static<typeof IntegrationChanges>;

/** What any of the bodies may say of where the bucket is. */
type Told = Static<typeof NewHuggingFace> | Static<typeof NewGcs> | Static<typeof NewS3> | Static<typeof NewRole>;

function settingsOf(body: Told): Settings {
  const { region, addressing, role_arn } = body as Partial<Static<typeof NewRole>>;
  return {
    scope: body.scope ?? 'org',
    name: body.name,
    bucket: body.bucket,
    prefix: body.prefix ?? null,
    endpointUrl: body.endpoint_url ?? null,
    region: region ?? null,
    addressing: addressing ?? null,
    roleArn: role_arn ?? null,
  };
}

function changesOf({ name, scope, bucket, role_arn, ...emptied }: Changes): Partial<Settings> {
  return {
    ...(name == null ? {} : { name }),
    ...(scope == null ? {} : { scope }),
    ...(bucket == null ? {} : { bucket }),
    ...(role_arn == null ? {} : { roleArn: role_arn }),
    ...(emptied.prefix === undefined ? {} : { prefix: emptied.prefix }),
    ...(emptied.region === undefined ? {} : { region: emptied.region }),
    ...(emptied.addressing === undefined ? {} : { addressing: emptied.addressing }),
    ...(emptied.endpoint_url === undefined ? {} : { endpointUrl: emptied.endpoint_url }),
  };
}

function credentialsOf(body: Changes): Credentials {
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

function answer(integration: Integration, userId: string) {
  return {
    id: integration.id,
    name: integration.name,
    type: integration.type,
    scope: integration.scope,
    bucket: integration.bucket,
    prefix: integration.prefix,
    region: integration.region,
    endpoint_url: integration.endpointUrl,
    addressing: integration.addressing,
    role_arn: integration.roleArn,
    created_at: integration.createdAt.toISOString(),
    last_used: integration.lastUsed?.toISOString() ?? null,
    is_owner: integration.createdBy === userId,
    created_by: integration.createdBy,
    created_by_display_name: integration.creator,
  };
}
