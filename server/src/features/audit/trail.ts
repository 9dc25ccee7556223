import type { Database, Queryable } from '#platform/db/index';
import type { AuditTrail } from '#platform/http/index';
import type { Log } from '#platform/log';
import { type AuditedExchange, detailOf, EXEMPT, RECORDED } from './operations.ts';
import { actorOf } from './service.ts';
import * as store from './store.ts';

/** Equal refusals of a credential within this time are one entry, so that a client in a loop does not fill the log. */
const REFUSAL_MS = 60_000;
/** Refusals that a node remembers for that. */
const MAX_REFUSALS = 10_000;

export type AuditTrailDeps = {
  database: Database;
  log: Log;
  /** Names by video id, also of deleted videos, as seen by the transaction `on`. */
  videoNames(ids: readonly string[], on?: Queryable): Promise<Map<string, string>>;
};

/** Actions on videos, whose entries contain their names: those of deleted videos cannot be looked up later. */
const ON_VIDEOS = /^(video|upload)\./;

/** Records requests as the table of operations states. */
export function createAuditTrail({ database, log, videoNames }: AuditTrailDeps): AuditTrail {
  const recentRefusals = new Map<string, number>();

  function isRepeated(refusal: string): boolean {
    const now = Date.now();
    if (now - (recentRefusals.get(refusal) ?? 0) < REFUSAL_MS) return true;
    if (recentRefusals.size >= MAX_REFUSALS) recentRefusals.clear();
    recentRefusals.set(refusal, now);
    return false;
  }

  return {
    isExempt: (operation) => operation in EXEMPT,
    covers: (operation) => operation in RECORDED,
    records: (operation) => Boolean(RECORDED[operation]?.subjects),
    async record({ operation, request, params, query, body, answer }, trx) {
      const rule = RECORDED[operation];
      if (!rule?.subjects) return;
      const exchange = { params: params ?? {}, query: query ?? {}, body: body ?? {}, answer } as AuditedExchange;
      const { orgId } = request.caller;
      const detail = detailOf(rule, exchange);
      const { action } = rule;
      const db = trx ?? database.db;
      const subjects = rule.subjects(exchange);
      const names = ON_VIDEOS.test(action) ? await videoNames(subjects, db) : new Map<string, string>();
      const entries = subjects.map((subjectId) => {
        const name = names.get(subjectId);
        return { orgId, action, subjectId, detail: name === undefined ? detail : { video_name: name, ...detail } };
      });
      await store.insertEntries(db, actorOf(request), entries);
    },
    async recordRefusal({ operation, request, params, caller }, { code }) {
      const { orgId, keyId, sessionId } = caller;
      if (isRepeated([keyId ?? sessionId, operation, code].join())) return;
      const [subjectId = orgId] = Object.values((params ?? {}) as Record<string, string>).reverse();
      const { action } = RECORDED[operation]!;
      const { ip, headers, routeOptions } = request;
      const actor = actorOf({ ip, headers, routeOptions, caller });
      const entry = { orgId, action, subjectId, detail: { reason: code }, outcome: 'refused' } as const;
      // The unit of the request is rolled back.
      await database
        .outsideUnit(() => store.insertEntries(database.db, actor, [entry]))
        .catch((err) => log.warn({ err }, 'could not record a refused request'));
    },
  };
}
