import type { Keys } from '#features/keys/index';
import type { Database } from '#platform/db/index';
import { newId } from '#platform/ids';
import type { ApiClient } from '../http.ts';
import { buildRequest, type WalkedDocument, type WalkedOperation } from './folder-walk.ts';
import { insertOwnedRows, type OwnedRows } from './owned-rows.ts';

/** Names of the callers. The owner and the colleague are members with keys for reading and writing. */
export const CALLERS = ['owner', 'colleague', 'admin', 'limited', 'reader', 'stranger', 'nobody'] as const;
export type CallerName = (typeof CALLERS)[number];
export type Callers = { owner: { orgId: string; userId: string }; keys: Record<CallerName, string | undefined> };
type Scope = 'user' | 'org';

/** Few enough that each of them is on the first page of a list. */
const ROWS_AT_ONCE = 12;

/** Creates the callers: those of an organization, an admin of another one, and one without a key. */
export async function createCallers(database: Database, keys: Keys): Promise<Callers> {
  const addUser = async (org: string, role: 'admin' | 'member') => {
    const userId = newId();
    const user = { id: userId, orgId: org, email: `${userId}@example.com`, name: role, role };
    await database.db.insertInto('users').values(user).execute();
    return { orgId: org, userId };
  };
  const [orgId, other] = [newId(), newId()];
  await database.db
    .insertInto('organizations')
    .values([orgId, other].map((id) => ({ id, name: id })))
    .execute();
  const owner = await addUser(orgId, 'member');
  const folder = { id: newId(), orgId, createdBy: owner.userId, scope: 'org', name: 'Only this' };
  await database.db.insertInto('folders').values(folder).execute();
  const keyOf = async (...[key]: Parameters<Keys['create']>) => (await keys.create(key)).key;
  return {
    owner,
    keys: {
      owner: await keyOf({ ...owner, name: 'owner' }),
      colleague: await keyOf({ ...(await addUser(orgId, 'member')), name: 'colleague' }),
      admin: await keyOf({ ...(await addUser(orgId, 'admin')), name: 'admin', scopes: ['admin'] }),
      limited: await keyOf({ ...owner, name: 'limited', folderId: folder.id }),
      reader: await keyOf({ ...owner, name: 'reader', scopes: ['read'] }),
      stranger: await keyOf({ ...(await addUser(other, 'admin')), name: 'stranger', scopes: ['admin'] }),
      nobody: undefined,
    },
  };
}

/** The error code of a refusal, `yes`, or `unseen` for a list without the row. */
export type AccessOutcomes = Record<Scope, Record<CallerName, string>>;

/** Lists, and the row that is looked for in them. */
const LISTED: Record<string, keyof OwnedRows> = {
  listKeys: 'key_id',
  listMembers: 'owner_uid',
  listFolders: 'folder_id',
  listVideos: 'video_id',
  listBatches: 'batch_id',
  listEvents: 'analysis_id',
  listPassages: 'video_id',
  searchVideos: 'video_id',
  listIntegrations: 'integration_id',
  listImportJobs: 'job_id',
  listImportSyncs: 'sync_id',
  listLiveSessions: 'live_session_id',
  listRecentLiveEvents: 'live_session_id',
  listCameras: 'camera_id',
  listMcapIngests: 'ingest_id',
  listViewSets: 'video_id',
  listExports: 'export_id',
  listDatasets: 'dataset_id',
  listStudioDatasets: 'dataset_id',
  listSavedQuestions: 'saved_question_id',
  listAlerts: 'saved_question_id',
  listObservations: 'observation_id',
  listWebhooks: 'webhook_id',
};

/** Calls every operation as every caller, about personal and about shared rows of the owner. */
export async function walkAccess(
  client: ApiClient,
  database: Database,
  document: WalkedDocument,
  { owner, keys }: Callers,
): Promise<Record<string, AccessOutcomes>> {
  const outcomes: Record<string, AccessOutcomes> = {};
  const takeRows = { user: createSupply(database, owner, 'user'), org: createSupply(database, owner, 'org') };
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const walk = async (scope: Scope) => {
        const found = {} as Record<CallerName, string>;
        let rows = await takeRows[scope]();
        for (const caller of CALLERS) {
          const request = { method: method.toUpperCase(), path, operation, key: keys[caller] };
          found[caller] = await getOutcome(client, request, rows);
          // The call may have changed the rows.
          const isChange = method !== 'get' && found[caller] === 'yes';
          if (isChange) rows = await takeRows[scope]();
        }
        return found;
      };
      outcomes[operation.operationId] = { user: await walk('user'), org: await walk('org') };
    }
  }
  return outcomes;
}

/** Gives sets of rows that no call was about. Inserts some at a time: each statement costs more than its rows. */
function createSupply(database: Database, owner: Callers['owner'], scope: Scope): () => Promise<OwnedRows> {
  const supply: OwnedRows[] = [];
  return async () => {
    if (supply.length === 0) supply.push(...(await insertOwnedRows(database, owner, scope, ROWS_AT_ONCE)));
    return supply.pop()!;
  };
}

type AccessRequest = { method: string; path: string; operation: WalkedOperation; key: string | undefined };

async function getOutcome(client: ApiClient, { method, path, operation, key }: AccessRequest, rows: OwnedRows) {
  const listed = LISTED[operation.operationId];
  const { url, ...built } = buildRequest(path, operation, rows);
  const { status, text, json } = await client.call(method, listed ? path : url, { ...built, key, headOfStream: true });
  if (status >= 500 && ![501, 502, 504].includes(status)) throw new Error(`${method} ${url}: ${status} ${text}`);
  // Operations on several videos report refusals one by one.
  const code = [401, 403, 404].includes(status)
    ? json.error
    : /"error": ?"(\w+_forbidden|key_limited)"/.exec(text)?.[1];
  if (operation['x-scope'] === 'public' && !/^key_|^scope_/.test(String(code))) return 'yes';
  if (code) return String(code);
  return listed && !text.includes(rows[listed]) ? 'unseen' : 'yes';
}
