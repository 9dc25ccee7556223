import { Readable } from 'node:stream';
import { type App, routes, toWire } from '#platform/http/index';
import type { AuditChain } from './chain/service.ts';
import {
  AuditEvent,
  AuditEventList,
  AuditExport,
  AuditFeed,
  AuditQuery,
  CSV_COLUMNS,
  ExportQuery,
  FollowQuery,
} from './schema.ts';
import type { Audit } from './service.ts';

const DEFAULT_LIMIT = 100;

export function auditRoutes(app: App, audit: Audit, chain: Pick<AuditChain, 'follow'>): void {
  const route = routes(app, { tag: 'Authentication', scope: 'admin' });

  route.get(
    '/api/audit-events',
    {
      id: 'listAuditEvents',
      summary: 'Read the audit log',
      description:
        'Lists what was changed, exported and shared by signed URLs in your organization, and what was refused, newest first: the user, the action, the object, the time and the origin. `action`, `user_id`, `subject_id` and `outcome` limit the list.',
      query: AuditQuery,
      response: AuditEventList,
    },
    ({ caller, query: { limit, cursor, ...filter } }) =>
      audit.list(caller.orgId, { limit: limit ?? DEFAULT_LIMIT, cursor }, filter),
  );

  route.get(
    '/api/audit',
    {
      id: 'followAuditLog',
      summary: 'Follow the audit log',
      description:
        'Lists the entries of your organization in the order in which they joined its chain of digests, oldest first with those digests, which show a missing or altered entry. Store `next_cursor` and request what follows it, as often as you like: no entry is missed, none comes twice.',
      query: FollowQuery,
      response: AuditFeed,
    },
    ({ caller, query: { limit, cursor } }) => chain.follow(caller.orgId, { limit: limit ?? DEFAULT_LIMIT, cursor }),
  );

  route.get(
    '/api/audit-events/export',
    {
      id: 'exportAuditEvents',
      summary: 'Export the audit log',
      description: 'Streams the whole log of your organization, oldest first, as JSON lines or as CSV.',
      query: ExportQuery,
      responses: { 200: AuditExport },
    },
    ({ caller, query }, reply) => {
      const format = query.format ?? 'ndjson';
      const { type, write } = FORMATS[format];
      reply.type(type).header('content-disposition', `attachment; filename="audit-events.${format}"`);
      return Readable.from(write(audit.all(caller.orgId)));
    },
  );
}

const FORMATS = {
  ndjson: { type: 'application/x-ndjson', write: jsonLines },
  csv: { type: 'text/csv; charset=utf-8', write: csvLines },
};

async function* jsonLines(events: AsyncIterable<AuditEvent>) {
  for await (const event of events) yield `${JSON.stringify(toWire(AuditEvent, event))}\n`;
}

/** Spreadsheets interpret text that starts with `=` and similar characters as a formula, so it is escaped. */
async function* csvLines(events: AsyncIterable<AuditEvent>) {
  const { stringify } = await import('csv-stringify/sync');
  yield stringify([CSV_COLUMNS]);
  for await (const event of events)
    yield stringify([toWire(AuditEvent, event)], { columns: CSV_COLUMNS, escape_formulas: true });
}
