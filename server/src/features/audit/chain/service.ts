import { randomBytes } from 'node:crypto';
import type { Database, Transaction } from '#platform/db/index';
import { httpProblems } from '#platform/http/index';
import type { Jobs } from '#platform/jobs/index';
import type { ChainedAuditEvent } from '../schema.ts';
import { type EventRow, eventOf, insertEntry } from '../store.ts';
import { digestContent, digestEntry } from './digests.ts';
import { chainEntries } from './jobs.ts';
import * as store from './store.ts';

const PAGE = 1_000;
const SALT_BYTES = 16;

/** The first entry that is not as it joined the chain. */
export type ChainFault = { position: number; kind: 'missing' | 'altered' };

export type ChainState = {
  orgId: string;
  /** Position and digest of the last entry in the chain. */
  head: store.ChainHead;
  /** Entries whose content was erased; their digests were verified. */
  erased: number;
  pending: number;
  fault: ChainFault | null;
};

/**
 * The chain of digests over the entries of each organization. Entries get their position when they join it, by one
 * transaction at a time and after they were committed, so writes do not wait for each other, and no entry appears
 * before a position that was read already.
 */
export interface AuditChain {
  /** Entries of the chain after `cursor`, oldest first; new ones join it before. Throws `cursor_invalid` (400). */
  follow(
    orgId: string,
    page: { limit: number; cursor?: string | null },
  ): Promise<{ events: ChainedAuditEvent[]; hasMore: boolean; nextCursor: string }>;
  /** Appends all new entries of all organizations to their chains. */
  appendAll(signal?: AbortSignal): Promise<void>;
  /** Recomputes the chain of an organization, up to its first fault. */
  verify(orgId: string): Promise<ChainState>;
  /** Returns the digest of the entry at this position, or null without one. */
  digestAt(orgId: string, position: number): Promise<string | null>;
  organizations(): Promise<string[]>;
  /**
   * Erases the personal content (address, user agent, details) of all entries of a user or about an object, given by
   * its id or the user's e-mail address, and records that. The entries and their digests remain. Returns their number.
   */
  erase(orgId: string, subject: string): Promise<number>;
  registerJobs(): void;
}

export type AuditChainDeps = { database: Database; jobs: Pick<Jobs, 'handle' | 'schedule'> };

export function createAuditChain({ database, jobs }: AuditChainDeps): AuditChain {
  const { db } = database;

  /** Appends up to a page of new entries to the chain. Returns their number. */
  async function appendPage(trx: Transaction, orgId: string): Promise<number> {
    let head = await store.lockHead(trx, orgId);
    const entries = await store.pendingEntries(trx, orgId, PAGE);
    if (entries.length === 0) return 0;
    const links = entries.map((entry): store.ChainLink => {
      const salt = randomBytes(SALT_BYTES).toString('hex');
      const contentDigest = digestContent(salt, entry);
      const position = head.position + 1;
      head = { position, digest: digestEntry(head.digest, lastingOf(entry, position, contentDigest)) };
      return { id: entry.id, salt, contentDigest, ...head };
    });
    await store.storeLinks(trx, links);
    await store.setHead(trx, orgId, head);
    return entries.length;
  }

  const append = (orgId: string) => database.transaction((trx) => appendPage(trx, orgId));

  const chain: AuditChain = {
    async follow(orgId, { limit, cursor }) {
      const after = parseCursor(cursor ?? '0');
      // A follower sees committed entries at once; the job is for logs that nobody follows.
      if ((await store.pendingEntries(db, orgId, 1)).length > 0) await append(orgId);
      const found = await store.chainedAfter(db, orgId, after, limit + 1);
      const rows = found.slice(0, limit);
      return {
        events: rows.map(chainedOf),
        hasMore: found.length > limit,
        nextCursor: String(rows.at(-1)?.position ?? after),
      };
    },
    async appendAll(signal) {
      for (const orgId of await store.organizationsWithPending(db)) {
        while ((await append(orgId)) === PAGE) signal?.throwIfAborted();
      }
    },
    async verify(orgId) {
      const head = (await store.findHead(db, orgId)) ?? { position: 0, digest: orgId };
      const pending = await store.countPending(db, orgId);
      let last: store.ChainHead = { position: 0, digest: orgId };
      let erased = 0;
      const state = (fault: ChainFault | null): ChainState => ({ orgId, head, erased, pending, fault });
      for (;;) {
        const rows = await store.chainedAfter(db, orgId, last.position, PAGE);
        // Entries that joined after the head was read are verified the next time.
        for (const row of rows.filter(({ position }) => position! <= head.position)) {
          const position = last.position + 1;
          if (row.position !== position) return state({ position, kind: 'missing' });
          if (!isIntact(row, last.digest)) return state({ position, kind: 'altered' });
          if (row.erasedAt) erased++;
          last = { position, digest: row.digest! };
        }
        if (rows.length < PAGE) break;
      }
      if (last.position < head.position) return state({ position: last.position + 1, kind: 'missing' });
      return state(last.digest === head.digest ? null : { position: last.position, kind: 'altered' });
    },
    async digestAt(orgId, position) {
      const [row] = await store.chainedAfter(db, orgId, position - 1, 1);
      return row?.position === position ? row.digest : null;
    },
    organizations: () => store.organizationsWithEntries(db),
    erase: (orgId, subject) =>
      database.transaction(async (trx) => {
        // An entry outside of the chain has no digest yet that could remain.
        while ((await appendPage(trx, orgId)) === PAGE);
        const users = await store.usersNamed(trx, orgId, subject);
        const emails = [subject, ...users.map(({ email }) => email)].filter((text) => text.includes('@'));
        const ids = [subject, ...users.map(({ id }) => id)];
        const entries = await store.eraseContent(trx, orgId, {
          ids,
          texts: emails.map((email) => email.toLowerCase()),
        });
        // The entry does not contain the address that was erased.
        const subjectId = ids.find((id) => !id.includes('@')) ?? orgId;
        if (entries > 0) {
          await insertEntry(trx, null, { orgId, action: 'audit.erased', subjectId, detail: { entries } });
        }
        return entries;
      }),
    registerJobs() {
      jobs.handle(chainEntries, (_payload, { signal }) => chain.appendAll(signal));
      jobs.schedule(chainEntries, '* * * * *', {});
    },
  };
  return chain;
}

const lastingOf = ({ id, createdAt, ...entry }: EventRow, position: number, contentDigest: string) => ({
  ...entry,
  eventId: id,
  at: createdAt,
  position,
  contentDigest,
});

const IS_EMPTY = '{}';

function isIntact(row: EventRow, previous: string): boolean {
  const { salt, contentDigest, digest, erasedAt, address, userAgent, detail } = row;
  if (contentDigest === null || digest !== digestEntry(previous, lastingOf(row, row.position!, contentDigest)))
    return false;
  if (erasedAt) return address === null && userAgent === null && JSON.stringify(detail) === IS_EMPTY;
  return salt !== null && contentDigest === digestContent(salt, row);
}

type ChainedRow = Awaited<ReturnType<typeof store.chainedAfter>>[number];
const chainedOf = (row: ChainedRow): ChainedAuditEvent => ({
  ...eventOf(row),
  position: row.position!,
  digest: row.digest!,
  contentDigest: row.contentDigest!,
  salt: row.salt,
});

/** A position as text. */
function parseCursor(cursor: string): number {
  if (!/^\d{1,15}$/.test(cursor)) throw httpProblems.cursor_invalid();
  return Number(cursor);
}
