import type { Static } from 'typebox';
import { actorOf } from '#features/audit/index';
import { type App, failures } from '#platform/http/index';
import { changesOf, credentialsOf, settingsOf } from './body.ts';
import type { ProviderType } from './providers/index.ts';
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
import type { Integration, Integrations } from './service.ts';

const tags = ['Cloud Integrations'];

export function integrationsRoutes(app: App, integrations: Integrations): void {
  const verifyOf = ({ verify }: Static<typeof Verify>) => verify ?? true;

  const save = (
    path: string,
    type: ProviderType,
    body: typeof NewGcs | typeof NewS3 | typeof NewHuggingFace | typeof NewRole,
    described: { operationId: string; summary: string; description: string },
  ) =>
    app.post(
      `/api/cloud-integrations/${path}`,
      {
        config: { scope: 'write' },
        schema: {
          ...described,
          tags,
          querystring: Verify,
          body,
          response: { 200: IntegrationAnswer, ...failures(409) },
        },
      },
      async (request) => {
        const { caller, body, query } = request;
        const made = { ...settingsOf(body), type, credentials: credentialsOf(body) };
        const options = { verify: verifyOf(query), by: actorOf(request) };
        return answer(await integrations.create(caller, made, options), caller.userId);
      },
    );

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

  save('gcs', 'gcs', NewGcs, {
    operationId: 'createGcsIntegration',
    summary: 'Save a Google Cloud Storage integration',
    description: 'Tries the service account on the bucket and saves it sealed.',
  });
  save('s3', 's3', NewS3, {
    operationId: 'createS3Integration',
    summary: 'Save an S3 integration',
    description:
      'Tries the keys on the bucket and saves them sealed. R2, MinIO and others are named by `endpoint_url`.',
  });
  save('hf-bucket', 'hf_bucket', NewHuggingFace, {
    operationId: 'createHuggingFaceIntegration',
    summary: 'Save a Hugging Face integration',
    description: 'Tries the token on the bucket and saves it sealed.',
  });
  save('s3-storage-transfer', 's3_storage_transfer', NewRole, {
    operationId: 'createRoleIntegration',
    summary: 'Save a role-based S3 integration',
    description: 'Tries to assume the role and to read the bucket in it. No key is stored.',
  });

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
    async (request) => {
      const { caller, params, body, query } = request;
      const options = { verify: verifyOf(query), by: actorOf(request) };
      const { integration_id: id } = params;
      const changed = await integrations.change(caller, id, changesOf(body), credentialsOf(body), options);
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
    async (request) => {
      const { caller, params, gone } = request;
      const tried = await integrations.test(caller, params.integration_id, actorOf(request), gone);
      const { ok, message, problem } = tried;
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
    async (request) => {
      const { integration_id: id } = request.params;
      await integrations.remove(request.caller, id, actorOf(request));
      return { status: 'deleted' as const, id };
    },
  );
}

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
