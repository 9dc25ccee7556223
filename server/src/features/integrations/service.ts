import { type Actor, recordAction } from '#features/audit/index';
import type { Events } from '#features/events/index';
import type { Database, Transaction } from '#platform/db/index';
import { type Caller, httpProblems, type Person } from '#platform/http/index';
import { newId } from '#platform/ids';
import type { GuardedFetch } from '#platform/net/index';
import type { Rotation, Sealed, Sealer } from '#platform/secrets/index';
import { problems } from './problems.ts';
import type { Identity, Setup } from './providers/identity.ts';
import { type Bucket, type Credentials, openBucket, type ProviderType } from './providers/index.ts';
import * as store from './store.ts';
import { outcomeOf, type Tried, tried, verified } from './trial.ts';

export type Integration = {
  id: string;
  orgId: string;
  createdBy: string;
  creator: string;
  /** `user`: only who made it may use it; `org`: everyone in the organisation. */
  scope: 'user' | 'org';
  name: string;
  type: ProviderType;
  bucket: string;
  prefix: string | null;
  region: string | null;
  endpointUrl: string | null;
  addressing: 'path' | 'virtual' | null;
  roleArn: string | null;
  createdAt: Date;
  lastUsed: Date | null;
};

/** What may be said of an integration when it is made or changed. */
export type Settings = Pick<
  Integration,
  'scope' | 'name' | 'bucket' | 'prefix' | 'region' | 'endpointUrl' | 'addressing' | 'roleArn'
>;

export interface Integrations {
  /** Those that the caller may use; with an admin key all of the organisation's. */
  list(caller: Caller): Promise<Integration[]>;
  /** One of those. Throws `integration_not_found` (404). */
  get(caller: Caller, id: string): Promise<Integration>;
  /**
   * The integration for whoever wants to bring objects with it: who made it, and, where it is the organisation's, everyone. No key that is limited
   * to a folder: a bucket lies in none. Throws `integration_not_found` (404), or `key_limited` (403).
   */
  use(user: Person, id: string): Promise<Integration>;
  /** Throws what the provider says, unless `verify` is false; `integration_invalid` or a `fetch_…` problem for what cannot be. */
  create(
    caller: Caller,
    integration: Settings & { type: ProviderType; credentials: Credentials },
    options: { verify: boolean; by: Actor },
  ): Promise<Integration>;
  /**
   * Changes what is named. Without new credentials the old ones stay. Publishes `integration.moved` where it leads elsewhere. Throws as `create` and `get`
   * do, `integration_forbidden` (403), or `integration_in_use` (409) where it would lead an import elsewhere.
   */
  change(
    caller: Caller,
    id: string,
    changes: Partial<Settings>,
    credentials: Credentials,
    options: { verify: boolean; by: Actor },
  ): Promise<Integration>;
  /** Publishes `integration.deleted`. Throws `integration_in_use` (409) while an import uses it, or as `change` does. */
  remove(caller: Caller, id: string, by: Actor): Promise<void>;
  /** Lists one object and reads one byte. */
  test(caller: Caller, id: string, by: Actor, signal: AbortSignal): Promise<Tried>;
  /** What a role in another account has to trust. Throws `identity_missing` or `identity_unusable` (409). */
  setup(caller: Caller): Promise<Setup>;

  /** For workers, who may see everything. */
  find(id: string): Promise<Integration | null>;
  /** For other rooms: the integration with its bucket open; close it. Throws `secret_key_lost` (409). */
  open(id: string): Promise<Opened | null>;
  /** A bucket that is open to all. Hugging Face alone has those. */
  openPublic(bucket: string, orgId: string): Bucket;
  /** Of those that may be used, as `use` has it, the one for a bucket that was used last; null when there is none. */
  forBucket(user: Person, types: readonly ProviderType[], bucket: string): Promise<Integration | null>;
  /** Keeps the integration there until the transaction ends. False when it is gone. */
  hold(trx: Transaction, id: string): Promise<boolean>;
  /** Seals everything with the present root secret. Returns how many were sealed anew. */
  rotate(): Promise<Rotation>;
}

export type Opened = { integration: Integration; bucket: Bucket };

export type IntegrationsDeps = {
  database: Database;
  events: Pick<Events, 'publish'>;
  sealer: Sealer;
  net: Pick<GuardedFetch, 'check' | 'fetch' | 'agents' | 'minimumRate'>;
  identity: Identity;
  /** The Hugging Face hub, or a mirror of it. */
  hubUrl: string;
  /** Google Cloud Storage, or an emulator of it. */
  gcsUrl: string;
};

/** What opens the buckets of each type; those of a role need nothing. */
const CREDENTIAL = { gcs: 'serviceAccount', s3: 'keys', hf_bucket: 'token', s3_storage_transfer: '' } as const;
const ROTATED_AT_ONCE = 100;

export function createIntegrationsService(deps: IntegrationsDeps): Integrations {
  const { database, events, sealer, net, identity, hubUrl, gcsUrl } = deps;
  const { db } = database;
  const contextOf = (id: string) => `integration ${id}`;

  async function rowOf(caller: Caller, id: string): Promise<store.IntegrationRow> {
    const row = await store.find(db, id);
    if (row && (isUsable(row, caller) || (row.org_id === caller.orgId && caller.scopes.includes('admin')))) return row;
    throw problems.integration_not_found();
  }

  async function own(caller: Caller, id: string): Promise<store.IntegrationRow> {
    const row = await rowOf(caller, id);
    if (row.created_by !== caller.userId && !caller.scopes.includes('admin')) throw problems.integration_forbidden();
    return row;
  }

  const credentialsOf = ({ id, sealed }: Pick<store.IntegrationRow, 'id' | 'sealed'>): Credentials =>
    sealed === null ? null : (sealer.open(contextOf(id), sealed as Sealed) as Credentials);

  const opened = (place: Settings & { type: ProviderType; orgId: string }, credentials: Credentials): Bucket =>
    openBucket(place, credentials, { net, identity, hubUrl, gcsUrl });

  /** What cannot work is said before anything is asked of anybody. */
  async function check({ type, region, endpointUrl, roleArn, bucket }: Settings & { type: ProviderType }) {
    if (endpointUrl) await net.check(endpointUrl);
    if (type === 's3' && !region && !endpointUrl) {
      throw problems.integration_invalid('An S3 bucket needs its `region`, or the `endpoint_url` of another server.');
    }
    if (type === 's3_storage_transfer' && !roleArn)
      throw problems.integration_invalid('The field `role_arn` is missing.');
    if (type === 'hf_bucket' && !isHubBucket(bucket)) {
      throw problems.integration_invalid('A Hugging Face bucket is named `namespace/name`.');
    }
    if (type !== 'hf_bucket' && !/^[A-Za-z0-9][\w.-]*$/.test(bucket)) {
      throw problems.integration_invalid('A bucket is given by its name alone, without `s3://` or `gs://`.');
    }
  }

  const integrations: Integrations = {
    async list(caller) {
      const all = await store.ofOrg(db, caller.orgId);
      return all.filter((row) => caller.scopes.includes('admin') || isUsable(row, caller)).map(integrationOf);
    },
    get: async (caller, id) => integrationOf(await rowOf(caller, id)),
    async use(user, id) {
      const row = await store.find(db, id);
      if (!row || !isUsable(row, user)) throw problems.integration_not_found();
      if (user.folderId) throw httpProblems.key_limited();
      return integrationOf(row);
    },

    async create(caller, { type, credentials, ...settings }, { verify, by }) {
      const place = { ...settings, type, orgId: caller.orgId };
      await check(place);
      if (verify) await verified(opened(place, credentials), settings.prefix);
      const id = newId();
      const sealed = credentials && JSON.stringify(sealer.seal(contextOf(id), credentials));
      const owner = { id, org_id: caller.orgId, created_by: caller.userId, type };
      await database.transaction(async (trx) => {
        await store.insert(trx, { ...owner, ...columnsOf(settings), sealed });
        await record(trx, by, 'created', place, id);
      });
      return integrations.get(caller, id);
    },

    async change(caller, id, changes, given, { verify, by }) {
      const row = await own(caller, id);
      const place = { ...integrationOf(row), ...changes };
      if (row.sealed && !given && place.endpointUrl !== row.endpoint_url) {
        throw problems.integration_invalid('Credentials go to no other server unseen: give them with the new address.');
      }
      await check(place);
      if (given && !(CREDENTIAL[place.type] in given)) {
        throw problems.integration_invalid(
          `These are not the credentials of an integration of the type \`${place.type}\`.`,
        );
      }
      if (verify) await verified(opened(place, given ?? credentialsOf(row)), place.prefix);
      const sealed = given ? sealer.seal(contextOf(id), given) : (row.sealed as Sealed | null);
      const moved = place.bucket !== row.bucket || place.endpointUrl !== row.endpoint_url;
      await database.transaction(async (trx) => {
        if (moved) {
          if (!(await store.lock(trx, id))) throw problems.integration_not_found();
          await events.publish(trx, 'integration.moved', { integrationId: id, orgId: caller.orgId });
        }
        await store.change(trx, id, { ...columnsOf(place), sealed: sealed && JSON.stringify(sealed) });
        await record(trx, by, 'changed', place, id, { credentials: given !== null });
      });
      return integrations.get(caller, id);
    },

    async remove(caller, id, by) {
      const integration = integrationOf(await own(caller, id));
      await database.transaction(async (trx) => {
        if (!(await store.lock(trx, id))) throw problems.integration_not_found();
        await events.publish(trx, 'integration.deleted', { integrationId: id, orgId: caller.orgId });
        await store.remove(trx, id);
        await record(trx, by, 'deleted', integration, id);
      });
    },

    async test(caller, id, by, signal) {
      const row = await rowOf(caller, id);
      const integration = integrationOf(row);
      const outcome = await outcomeOf(async () => tried(opened(integration, credentialsOf(row)), row.prefix, signal));
      await database.transaction((trx) => record(trx, by, 'tested', integration, id, { ok: outcome.ok }));
      return outcome;
    },

    setup: ({ orgId }) => identity.setup(orgId),

    async find(id) {
      const row = await store.find(db, id);
      return row ? integrationOf(row) : null;
    },
    async open(id) {
      const row = await store.find(db, id);
      if (!row) return null;
      const bucket = opened(integrationOf(row), credentialsOf(row));
      // At once: what the caller does in the bucket may take long.
      await database.outsideUnit(() => store.touch(db, id, new Date()));
      return { integration: integrationOf(row), bucket };
    },
    openPublic(bucket, orgId) {
      if (!isHubBucket(bucket)) throw problems.bucket_not_found(`Hugging Face has no bucket "${bucket}".`);
      return opened({ ...NOTHING, type: 'hf_bucket', bucket, orgId }, null);
    },
    async forBucket(user, types, bucket) {
      if (user.folderId) throw httpProblems.key_limited();
      const rows = await store.ofBucket(db, user.orgId, types, bucket);
      const row = rows.find((each) => isUsable(each, user));
      return row ? integrationOf(row) : null;
    },
    hold: async (trx, id) => (await store.lock(trx, id)) !== undefined,

    async rotate() {
      const outcome = { rotated: 0, lost: 0 };
      for (let after = ''; ; ) {
        const rows = await store.sealedAfter(db, after, ROTATED_AT_ONCE);
        for (const { id, sealed } of rows) {
          const fresh = sealer.rewrap(contextOf(id), sealed as Sealed);
          if (fresh === 'lost') outcome.lost++;
          else if (fresh && (await store.reseal(db, id, sealed as Sealed, fresh))) outcome.rotated++;
        }
        const last = rows.at(-1);
        if (!last) return outcome;
        after = last.id;
      }
    },
  };
  return integrations;
}

/** Who may use an integration: who made it, and, where it is the organisation's, everyone. */
const isUsable = (row: store.IntegrationRow, { orgId, userId }: Person): boolean =>
  row.org_id === orgId && (row.scope === 'org' || row.created_by === userId);

/** `namespace/name`, neither of which leads elsewhere in an address. */
const isHubBucket = (bucket: string) => /^(?!\.+\/)[\w.-]+\/(?!\.+$)[\w.-]+$/.test(bucket);

const NOTHING: Settings = {
  scope: 'org',
  name: '',
  bucket: '',
  prefix: null,
  region: null,
  endpointUrl: null,
  addressing: null,
  roleArn: null,
};

/** What was done with an integration, to which bucket it leads and, of its credentials, nothing. */
const record = (
  trx: Transaction,
  by: Actor,
  done: 'created' | 'changed' | 'tested' | 'deleted',
  { orgId, name, type, bucket, scope }: Pick<Integration, 'orgId' | 'name' | 'type' | 'bucket' | 'scope'>,
  subjectId: string,
  more: Record<string, unknown> = {},
) =>
  recordAction(trx, by, {
    orgId,
    action: `integration.${done}`,
    subjectId,
    detail: { name, type, bucket, scope, ...more },
  });

const columnsOf = (settings: Settings): Omit<store.RowChanges, 'sealed'> => ({
  scope: settings.scope,
  name: settings.name.trim(),
  bucket: settings.bucket,
  prefix: settings.prefix,
  region: settings.region,
  endpoint_url: settings.endpointUrl,
  addressing: settings.addressing,
  role_arn: settings.roleArn,
});

const integrationOf = (row: store.IntegrationRow): Integration => ({
  id: row.id,
  orgId: row.org_id,
  createdBy: row.created_by,
  creator: row.creator,
  scope: row.scope as Integration['scope'],
  name: row.name,
  type: row.type as ProviderType,
  bucket: row.bucket,
  prefix: row.prefix,
  region: row.region,
  endpointUrl: row.endpoint_url,
  addressing: row.addressing as Integration['addressing'],
  roleArn: row.role_arn,
  createdAt: row.created_at,
  lastUsed: row.last_used_at,
});
