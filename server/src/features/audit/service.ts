import type { Database } from '#platform/db/index';
import { type Caller, type IdPage, readIdPage } from '#platform/http/index';
import type { AuditEvent } from './schema.ts';
import * as store from './store.ts';
import type { AuditActor, AuditFilter, ClientInfo } from './types.ts';

type Request = { ip: string; headers: { 'user-agent'?: string }; routeOptions?: { schema?: unknown } };

/** Longer user agents are truncated. */
const MAX_USER_AGENT = 255;

export function clientOf({ ip, headers, routeOptions }: Request): ClientInfo {
  const { operationId: operation } = (routeOptions?.schema ?? {}) as { operationId?: string };
  return { address: ip, userAgent: headers['user-agent']?.slice(0, MAX_USER_AGENT) ?? null, operation };
}

/** The actor of an HTTP request. */
export function actorOf(request: Request & { caller: Caller }): NonNullable<AuditActor> {
  const { userId, keyId, sessionId = null } = request.caller;
  return { userId, keyId, sessionId, ...clientOf(request) };
}

/** Page size of an export, so that one of any length takes the memory of a page. */
const EXPORT_PAGE = 1_000;

export interface Audit {
  /** The organization's entries that match, newest first. Throws `cursor_invalid` (400). */
  list(
    orgId: string,
    page: IdPage,
    filter?: AuditFilter,
  ): Promise<{ events: AuditEvent[]; hasMore: boolean; nextCursor: string | null }>;
  /** All of the organization's entries, oldest first. */
  all(orgId: string): AsyncIterable<AuditEvent>;
}

export function createAuditService({ database: { db } }: { database: Database }): Audit {
  return {
    async list(orgId, page, filter = {}) {
      const read = (before: string | null, limit: number) => store.entriesBefore(db, { orgId, before, limit, filter });
      const { rows, ...next } = await readIdPage(page, read, ({ eventId }) => eventId);
      return { events: rows, ...next };
    },
    async *all(orgId) {
      for (let after = ''; ; ) {
        const entries = await store.entriesAfter(db, { orgId, after, limit: EXPORT_PAGE });
        yield* entries;
        if (entries.length < EXPORT_PAGE) return;
        after = entries.at(-1)!.eventId;
      }
    },
  };
}
