import { Readable } from 'node:stream';
import { type App, routes, toWire } from '#platform/http/index';
import { AuditEvent, AuditEventList, AuditExport, AuditQuery, CSV_COLUMNS, ExportQuery } from './schema.ts';
import type { Audit } from './service.ts';

const DEFAULT_LIMIT = 100;

export function auditRoutes(app: App, audit: Audit): void {
  const route = routes(app, { tag: 'Authentication', scope: 'admin' });

  route.get(
    '/api/audit-events',
    {
      id: 'listAuditEvents',
      summary: 'Read the audit log',
      description:
        'Lists changes to the keys, sessions, members, integrations, scheduled imports and models, deletions of analyses and reviews, of your organization, newest first: the user, the action, the changed object, the time and the origin. `action` and `user_id` limit the list.',
      query: AuditQuery,
      response: AuditEventList,
    },
    ({ caller, query: { limit, cursor, action, userId } }) =>
      audit.list(caller.orgId, { limit: limit ?? DEFAULT_LIMIT, cursor }, { action, userId }),
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
