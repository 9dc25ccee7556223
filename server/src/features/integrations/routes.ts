import type { FastifyRequest } from 'fastify';
import { actorOf } from '#features/audit/index';
import { type App, type Caller, type Domain, routes } from '#platform/http/index';
import type { ProviderType } from './providers/index.ts';
import { type NewIntegrationBody, toChanges, toCredentials, toSettings } from './request.ts';
import {
  IntegrationChanges,
  IntegrationParams,
  NewGcs,
  NewHuggingFace,
  NewRole,
  NewS3,
  VerifyQuery,
} from './schema/requests.ts';
import { DeletedIntegration, IntegrationList, IntegrationResource, IntegrationTestResult } from './schema/resources.ts';
import { READER_ROLE, ReaderSetupResource, RoleSetupResource } from './schema/role-setup.ts';
import type { Integration, Integrations } from './types.ts';

type CreateRequest = Pick<FastifyRequest, 'caller' | 'ip' | 'headers'> & {
  query: Domain<typeof VerifyQuery>;
  body: NewIntegrationBody;
};

export function integrationsRoutes(app: App, integrations: Integrations): void {
  const route = routes(app, { tag: 'Cloud Integrations', scope: 'read' });

  const saved = { query: VerifyQuery, response: IntegrationResource, errors: [409, 502, 504] };
  const create = (type: ProviderType) => async (request: CreateRequest) => {
    const { caller, body, query } = request;
    const integration = { ...toSettings(body), type, credentials: toCredentials(body) };
    const options = { verify: query.verify ?? true, by: actorOf(request) };
    return toResource(await integrations.create(caller, integration, options), caller);
  };

  route.get(
    '/api/cloud-integrations',
    {
      id: 'listIntegrations',
      summary: 'List integrations',
      description: 'Returns the saved integrations that you may use, without their secrets.',
      response: IntegrationList,
    },
    async ({ caller }) => (await integrations.list(caller)).map((integration) => toResource(integration, caller)),
  );

  route.post(
    '/api/cloud-integrations/gcs',
    {
      ...saved,
      id: 'createGcsIntegration',
      summary: 'Save a Google Cloud Storage integration',
      description: 'Tests the service account and saves it encrypted.',
      body: NewGcs,
    },
    create('gcs'),
  );

  route.post(
    '/api/cloud-integrations/s3',
    {
      ...saved,
      id: 'createS3Integration',
      summary: 'Save an S3 integration',
      description:
        'Tests the keys and saves them encrypted. Set `endpoint_url` for compatible servers such as R2 and MinIO.',
      body: NewS3,
    },
    create('s3'),
  );

  route.post(
    '/api/cloud-integrations/hf-bucket',
    {
      ...saved,
      id: 'createHuggingFaceIntegration',
      summary: 'Save a Hugging Face integration',
      description: 'Tests the token and saves it encrypted.',
      body: NewHuggingFace,
    },
    create('hf_bucket'),
  );

  route.post(
    '/api/cloud-integrations/s3-storage-transfer',
    {
      ...saved,
      id: 'createRoleIntegration',
      summary: 'Save a role-based S3 integration',
      description: 'Tests that the role can be assumed and can read the bucket. No keys are stored.',
      body: NewRole,
    },
    create('s3_storage_transfer'),
  );

  route.get(
    '/api/cloud-integrations/s3-storage-transfer/setup',
    {
      id: 'getRoleSetup',
      summary: 'Role-based S3 import setup',
      description:
        'Returns the identity of this deployment and the trust policy for a role in your AWS account. 409 if the operator has not configured an identity.',
      response: RoleSetupResource,
      errors: [409],
    },
    ({ caller }) => integrations.getRoleSetup(caller),
  );

  route.get(
    '/api/cloud-integrations/gcs-storage-transfer/setup',
    {
      id: 'getReaderSetup',
      summary: 'Keyless import setup of Google Cloud Storage',
      description:
        'Returns the Google service account of this deployment. Grant it the roles once on your bucket; no key changes hands and nothing is stored. Imports with an admin key then read the bucket without an integration, if the deployment has one organization only. 501 if the operator has not configured one.',
      response: ReaderSetupResource,
      errors: [409, 501],
    },
    async () => ({ provider: 'google' as const, roles: [READER_ROLE], ...(await integrations.getReaderSetup()) }),
  );

  route.get(
    '/api/cloud-integrations/:integration_id',
    {
      id: 'getIntegration',
      summary: 'Get an integration',
      description: 'Returns the integration without its secrets.',
      params: IntegrationParams,
      response: IntegrationResource,
      errors: [404],
    },
    async ({ caller, params }) => toResource(await integrations.get(caller, params.integrationId), caller),
  );

  route.patch(
    '/api/cloud-integrations/:integration_id',
    {
      id: 'changeIntegration',
      summary: 'Change an integration',
      description: 'Changes the name, the bucket or the credentials. Requires the creator or an admin key.',
      params: IntegrationParams,
      query: VerifyQuery,
      body: IntegrationChanges,
      response: IntegrationResource,
      errors: [404, 409, 502, 504],
    },
    async (request) => {
      const { caller, params, body, query } = request;
      const options = { verify: query.verify ?? true, by: actorOf(request) };
      const changes = toChanges(body);
      return toResource(
        await integrations.change(caller, params.integrationId, changes, toCredentials(body), options),
        caller,
      );
    },
  );

  route.post(
    '/api/cloud-integrations/:integration_id/test',
    {
      id: 'testIntegration',
      scope: 'read',
      summary: 'Test an integration',
      description:
        'Lists objects and reads one byte. The response is 200 even if the provider rejects the request; see `ok`.',
      params: IntegrationParams,
      response: IntegrationTestResult,
      errors: [404],
    },
    async (request) =>
      integrations.test(request.caller, request.params.integrationId, actorOf(request), request.disconnected),
  );

  route.delete(
    '/api/cloud-integrations/:integration_id',
    {
      id: 'deleteIntegration',
      summary: 'Delete an integration',
      description:
        'Deletes the integration, its secrets and its scheduled imports. Requires the creator or an admin key. 409 while an import uses it.',
      params: IntegrationParams,
      response: DeletedIntegration,
      errors: [404, 409],
    },
    async (request) => {
      const { integrationId: id } = request.params;
      await integrations.remove(request.caller, id, actorOf(request));
      return { status: 'deleted' as const, id };
    },
  );
}

const toResource = (integration: Integration, { userId }: Caller) => ({
  ...integration,
  lastUsed: integration.lastUsedAt,
  isOwner: integration.createdBy === userId,
  createdByDisplayName: integration.createdByName,
});
