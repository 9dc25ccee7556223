import type { Database } from '#platform/db/index';
import { type Caller, httpProblems } from '#platform/http/index';
import { ID_PATTERN } from '#platform/ids';
import * as store from './store.ts';

/** Where a request came from. */
export type Place = { address: string; userAgent: string | null };

/**
 * Who acts, with which key or in which session, from where; without a user it is someone who was not let in. Null stands for whoever operates the
 * service: the command line and the first start.
 */
export type Actor = (Place & { userId: string | null; keyId: string | null; sessionId: string | null }) | null;

type Request = { ip: string; headers: { 'user-agent'?: string } };

/** Longer names of browsers are cut. */
const MAX_USER_AGENT = 255;

export function placeOf({ ip, headers }: Request): Place {
  return { address: ip, userAgent: headers['user-agent']?.slice(0, MAX_USER_AGENT) ?? null };
}

/** The actor of an HTTP request. */
export function actorOf(request: Request & { caller: Caller }): NonNullable<Actor> {
  const { userId, keyId, sessionId = null } = request.caller;
  return { userId, keyId, sessionId, ...placeOf(request) };
}

export type AuditEntry = {
  id: string;
  at: Date;
  /** What was done, as `noun.verb`. */
  action: string;
  /** Null for the operator, and for someone who was not let in. */
  userId: string | null;
  email: string | null;
  keyId: string | null;
  sessionId: string | null;
  address: string | null;
  userAgent: string | null;
  /** What it was done to: an id. */
  subjectId: string;
  detail: Record<string, unknown>;
};

/** Entries are read in pages of this many, so that an export of any length takes the memory of one page. */
const EXPORT_PAGE = 1_000;

export interface Audit {
  /** The organisation's entries, newest first. Throws `cursor_invalid` (400). */
  list(
    orgId: string,
    page: { limit: number; cursor?: string | null },
  ): Promise<{ entries: AuditEntry[]; nextCursor: string | null }>;
  /** All of the organisation's entries, oldest first. */
  all(orgId: string): AsyncIterable<AuditEntry>;
}

export function createAuditService({ database: { db } }: { database: Database }): Audit {
  return {
    async list(orgId, { limit, cursor }) {
      if (cursor && !new RegExp(ID_PATTERN).test(cursor)) throw httpProblems.cursor_invalid();
      const found = await store.entriesBefore(db, { orgId, before: cursor ?? null, limit: limit + 1 });
      const entries = found.slice(0, limit);
      return { entries, nextCursor: found.length > limit ? entries.at(-1)!.id : null };
    },
    async *all(orgId) {
      for (let after = ''; ; ) {
        const entries = await store.entriesAfter(db, { orgId, after, limit: EXPORT_PAGE });
        yield* entries;
        if (entries.length < EXPORT_PAGE) return;
        after = entries.at(-1)!.id;
      }
    },
  };
}
