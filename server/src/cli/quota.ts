import { table } from '@sightline/sdk/terminal';
import { createAccounts } from '#features/accounts/index';
import { recordAction } from '#features/audit/index';
import { type Quota, setQuota, toLimits } from '#features/videos/index';
import { openConfiguredDatabase } from '#platform/db/connect';
import { Problem } from '#platform/problem';
import type { Context } from './types.ts';

/** SQLSTATE `foreign_key_violation`: the organization does not exist. */
const NOT_THERE = '23503';

export type QuotaOptions = Partial<Pick<Quota, 'maxVideos' | 'maxBytes'>> & { organization?: string };

/**
 * Changes the given limits of an organization (default: the first) and prints its usage and limits. Null restores the
 * limit of the service.
 */
export async function quota({ config, log }: Context, { organization, ...limits }: QuotaOptions): Promise<void> {
  const database = await openConfiguredDatabase(config, log, { mode: 'share', poolSize: 2 });
  try {
    const orgId =
      organization ?? (await database.transaction((trx) => createAccounts({ database }).bootstrap(trx))).orgId;
    const { videos, bytes, maxVideos, maxBytes } = await database
      .transaction(async (trx) => {
        const detail = { max_videos: limits.maxVideos, max_bytes: limits.maxBytes };
        if (Object.values(limits).some((limit) => limit !== undefined)) {
          await recordAction(trx, null, { orgId, action: 'quota.changed', subjectId: orgId, detail });
        }
        return setQuota(trx, orgId, limits);
      })
      .catch((error) => {
        if ((error as { code?: string }).code !== NOT_THERE) throw error;
        const message = `There is no organization ${orgId}.`;
        throw new Problem({ status: 404, code: 'organization_not_found', message, cause: error });
      });
    const first = await createAccounts({ database }).owner();
    const service = toLimits(config.space, first === null || first.orgId === orgId);
    const rows = [
      ['videos', String(videos), limitOf(maxVideos, service.videos)],
      ['bytes', String(bytes), limitOf(maxBytes, service.bytes)],
    ];
    process.stdout.write(`${table([orgId, 'taken', 'limit'], rows)}\n`);
  } finally {
    await database.close();
  }
}

const limitOf = (own: number | null, ofService: number | null) =>
  own === null ? `${ofService ?? 'none'} (of the service)` : String(own);
