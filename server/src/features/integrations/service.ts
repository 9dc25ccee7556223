import { type AuditActor, recordAction } from '#features/audit/index';
import type { Events } from '#features/events/index';
import { canManage, canRead, canUse, isAdmin } from '#platform/access/index';
import type { Database, Transaction } from '#platform/db/index';
import { type Caller, httpProblems } from '#platform/http/index';
import { newId } from '#platform/ids';
import type { GuardedFetch } from '#platform/net/index';
import type { Sealer } from '#platform/secrets/index';
import { testBucket, toTestResult, verifyBucket } from './connection-test.ts';
import { problems } from './problems.ts';
import {
  type Bucket,
  type BucketCredentials,
  type BucketLocation,
  type CloudIdentity,
  openBucket,
  type ProviderType,
} from './providers/index.ts';
import * as store from './store.ts';
import type { Integration, IntegrationSettings, Integrations } from './types.ts';

export type IntegrationsDeps = {
  database: Database;
  events: Pick<Events, 'publish'>;
  sealer: Sealer;
  net: Pick<GuardedFetch, 'check' | 'fetch' | 'agents' | 'minimumRate'>;
  identity: CloudIdentity;
  /** URL of the Hugging Face hub, or of a mirror. */
  hubUrl: string;
  /** URL of Google Cloud Storage, or of an emulator. */
  gcsUrl: string;
};

/** Field of `BucketCredentials` by type; roles have no credentials. */
const CREDENTIALS_FIELD = { gcs: 'serviceAccount', s3: 'keys', hf_bucket: 'token', s3_storage_transfer: '' } as const;
const REENCRYPT_BATCH = 100;

export function createIntegrations(deps: IntegrationsDeps): Integrations {
  const { database, events, sealer, net, identity, hubUrl, gcsUrl } = deps;
  const { db } = database;
  const toContext = (id: string) => `integration ${id}`;

  /** Throws `integration_not_found` (404) or `integration_forbidden` (403). */
  async function findVisible(caller: Caller, id: string): Promise<store.StoredIntegration> {
    const integration = await store.findIntegration(db, id);
    if (!integration) throw problems.integration_not_found();
    if (!canRead(caller, toOwned(integration))) throw problems.integration_forbidden();
    return integration;
  }

  /** The same, if the caller may change it. */
  async function findChangeable(caller: Caller, id: string): Promise<store.StoredIntegration> {
    const integration = await findVisible(caller, id);
    if (!canManage(caller, toOwned(integration))) throw problems.integration_forbidden();
    return integration;
  }

  const decrypt = ({ id, encryptedCredentials }: store.StoredIntegration): BucketCredentials =>
    encryptedCredentials && (sealer.open(toContext(id), encryptedCredentials) as BucketCredentials);

  const open = (location: BucketLocation, credentials: BucketCredentials): Bucket =>
    openBucket(location, credentials, { net, identity, hubUrl, gcsUrl });

  /** Checks settings without a request to the provider. */
  async function check({ type, region, endpointUrl, roleArn, bucket }: IntegrationSettings & { type: ProviderType }) {
    if (endpointUrl) await net.check(endpointUrl);
    if (type === 's3' && !region && !endpointUrl) {
      throw problems.integration_invalid(
        'An S3 bucket requires its `region`, or the `endpoint_url` of a compatible server.',
      );
    }
    if (type === 's3_storage_transfer' && !roleArn) {
      throw problems.integration_invalid('The field `role_arn` is required.');
    }
    if (type === 'hf_bucket' && !isHubBucket(bucket)) {
      throw problems.integration_invalid('The name of a Hugging Face bucket has the form `namespace/name`.');
    }
    if (type !== 'hf_bucket' && !/^[A-Za-z0-9][\w.-]*$/.test(bucket)) {
      throw problems.integration_invalid(
        'The bucket name is invalid. Give the name alone, without `s3://` or `gs://` and without a path.',
      );
    }
  }

  const integrations: Integrations = {
    async list(caller) {
      const all = await store.listIntegrations(db, caller.orgId);
      return all.filter((integration) => canRead(caller, toOwned(integration))).map(withoutCredentials);
    },
    get: async (caller, id) => withoutCredentials(await findVisible(caller, id)),
    async requireUsable(user, id) {
      const integration = await store.findIntegration(db, id);
      if (!integration) throw problems.integration_not_found();
      if (!canUse(user, toOwned(integration))) throw problems.integration_forbidden();
      if (user.folderId) throw httpProblems.key_limited();
      return withoutCredentials(integration);
    },

    async create(caller, { type, credentials, ...given }, { verify, by }) {
      const settings = { ...given, name: given.name.trim() };
      const location = { ...settings, type, orgId: caller.orgId };
      await check(location);
      if (verify) await verifyBucket(open(location, credentials), settings.prefix);
      const id = newId();
      const encrypted = credentials && sealer.seal(toContext(id), credentials);
      await database.transaction(async (trx) => {
        const integration = { id, orgId: caller.orgId, createdBy: caller.userId, type, ...settings };
        await store.insertIntegration(trx, integration, encrypted);
        await record(trx, by, 'created', location, id);
      });
      return integrations.get(caller, id);
    },

    async change(caller, id, changes, newCredentials, { verify, by }) {
      const current = await findChangeable(caller, id);
      const settings = { ...pickSettings(current), ...changes };
      settings.name = settings.name.trim();
      const location = { ...settings, type: current.type, orgId: current.orgId };
      const isEndpointChanged = settings.endpointUrl !== current.endpointUrl;
      if (current.encryptedCredentials && !newCredentials && isEndpointChanged) {
        throw problems.integration_invalid(
          'Stored credentials are not sent to another server. Give the credentials together with the new `endpoint_url`.',
        );
      }
      await check(location);
      if (newCredentials && !(CREDENTIALS_FIELD[current.type] in newCredentials)) {
        throw problems.integration_invalid(
          `The given credentials are not those of an integration of the type \`${current.type}\`.`,
        );
      }
      if (verify) await verifyBucket(open(location, newCredentials ?? decrypt(current)), settings.prefix);
      const encrypted = newCredentials ? sealer.seal(toContext(id), newCredentials) : current.encryptedCredentials;
      await database.transaction(async (trx) => {
        if (settings.bucket !== current.bucket || isEndpointChanged) {
          if (!(await store.lockIntegration(trx, id))) throw problems.integration_not_found();
          await events.publish(trx, 'integration.moved', { integrationId: id, orgId: caller.orgId });
        }
        await store.updateIntegration(trx, id, settings, encrypted);
        await record(trx, by, 'changed', location, id, { credentials: newCredentials !== null });
      });
      return integrations.get(caller, id);
    },

    async remove(caller, id, by) {
      const integration = await findChangeable(caller, id);
      await database.transaction(async (trx) => {
        if (!(await store.lockIntegration(trx, id))) throw problems.integration_not_found();
        await events.publish(trx, 'integration.deleted', { integrationId: id, orgId: caller.orgId });
        await store.deleteIntegration(trx, id);
        await record(trx, by, 'deleted', integration, id);
      });
    },

    async test(caller, id, by, signal) {
      const integration = await findVisible(caller, id);
      const result = await toTestResult(async () =>
        testBucket(open(integration, decrypt(integration)), integration.prefix, signal),
      );
      await database.transaction((trx) => record(trx, by, 'tested', integration, id, { ok: result.ok }));
      return result;
    },

    getRoleSetup: ({ orgId }) => identity.getSetup(orgId),
    getReaderSetup: () => identity.getReader(),

    async find(id) {
      const integration = await store.findIntegration(db, id);
      return integration && withoutCredentials(integration);
    },
    async open(id) {
      const integration = await store.findIntegration(db, id);
      if (!integration) return null;
      const bucket = open(integration, decrypt(integration));
      // Outside of the request's transaction: it may stay open while the bucket is used.
      await database.outsideUnit(() => store.setLastUsed(db, id, new Date()));
      return { integration: withoutCredentials(integration), bucket };
    },
    openPublic(bucket, orgId) {
      if (!isHubBucket(bucket)) throw problems.bucket_not_found(`Hugging Face has no bucket "${bucket}".`);
      const location = { region: null, endpointUrl: null, addressing: null, roleArn: null };
      return open({ ...location, type: 'hf_bucket', bucket, orgId }, null);
    },
    async canUseReader(caller) {
      return identity.hasReader && isAdmin(caller) && !caller.folderId && (await store.countOrganizations(db)) === 1;
    },
    openAsReader(bucket, orgId) {
      const location = { region: null, endpointUrl: null, addressing: null, roleArn: null };
      return open({ ...location, type: 'gcs', bucket, orgId }, null);
    },
    async findForBucket(user, types, bucket) {
      if (user.folderId) throw httpProblems.key_limited();
      const candidates = await store.listByBucket(db, user.orgId, types, bucket);
      const integration = candidates.find((candidate) => canUse(user, toOwned(candidate)));
      return integration ? withoutCredentials(integration) : null;
    },
    hold: (trx, id) => store.holdIntegration(trx, id),

    async reencrypt() {
      const result = { rotated: 0, lost: 0 };
      for (let after = ''; ; ) {
        const page = await store.listCredentials(db, after, REENCRYPT_BATCH);
        for (const { id, credentials } of page) {
          const encrypted = sealer.rewrap(toContext(id), credentials);
          if (encrypted === 'lost') result.lost++;
          else if (encrypted && (await store.replaceCredentials(db, id, credentials, encrypted))) result.rotated++;
        }
        const last = page.at(-1);
        if (!last) return result;
        after = last.id;
      }
    },
  };
  return integrations;
}

const toOwned = ({ orgId, scope, createdBy }: Integration) => ({ orgId, scope, ownerId: createdBy });

/** True for `namespace/name`, neither of which may be `.` or `..`: they become part of a URL. */
const isHubBucket = (bucket: string) => /^(?!\.+\/)[\w.-]+\/(?!\.+$)[\w.-]+$/.test(bucket);

const withoutCredentials = ({ encryptedCredentials: _, ...integration }: store.StoredIntegration): Integration =>
  integration;

const pickSettings = (integration: Integration): IntegrationSettings => {
  const { scope, name, bucket, prefix, region, endpointUrl, addressing, roleArn } = integration;
  return { scope, name, bucket, prefix, region, endpointUrl, addressing, roleArn };
};

/** Records an action on an integration; never includes its credentials. */
const record = (
  trx: Transaction,
  by: AuditActor,
  verb: 'created' | 'changed' | 'tested' | 'deleted',
  { orgId, name, type, bucket, scope }: Pick<Integration, 'orgId' | 'name' | 'type' | 'bucket' | 'scope'>,
  subjectId: string,
  details: Record<string, unknown> = {},
) =>
  recordAction(trx, by, {
    orgId,
    action: `integration.${verb}`,
    subjectId,
    detail: { name, type, bucket, scope, ...details },
  });
