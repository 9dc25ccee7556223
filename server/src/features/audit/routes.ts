import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import { type App, failures } from '#platform/http/index';
import { AuditExport, AuditPage, AuditQuery, CSV_COLUMNS, ExportQuery } from './schema.ts';
import type { Audit, AuditEntry } from './service.ts';

const DEFAULT_LIMIT = 100;

export function auditRoutes(app: App, audit: Audit): void {
  app.get(
    '/api/audit-events',
    {
      config: { scope: 'admin' },
      schema: {
        operationId: 'listAuditEvents',
        tags: ['Authentication'],
        summary: 'Read the audit log',
        description:
          'Who did what with the keys, sessions, members, integrations and scheduled imports of your organisation, on what, when and from where, newest first.',
        querystring: AuditQuery,
        response: { 200: AuditPage, ...failures() },
      },
    },
    async ({ caller, query: { limit, cursor } }) => {
      const page = await audit.list(caller.orgId, { limit: limit ?? DEFAULT_LIMIT, cursor });
      return { events: page.entries.map(answer), has_more: page.nextCursor !== null, next_cursor: page.nextCursor };
    },
  );

  app.get(
    '/api/audit-events/export',
    {
      config: { scope: 'admin' },
      schema: {
        operationId: 'exportAuditEvents',
        tags: ['Authentication'],
        summary: 'Export the audit log',
        description: 'Streams the whole log of your organisation, oldest first, as JSON lines or as a table.',
        querystring: ExportQuery,
        response: { 200: AuditExport, ...failures() },
      },
    },
    async ({ caller, query }, reply) => {
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

async function* jsonLines(entries: AsyncIterable<AuditEntry>) {
  for await (const entry of entries) yield `${JSON.stringify(answer(entry))}\n`;
}

/** Spreadsheets take text that begins with `=` and the like for a formula: such text gets an apostrophe in front. */
async function* csvLines(entries: AsyncIterable<AuditEntry>) {
  yield stringify([CSV_COLUMNS]);
  for await (const entry of entries) yield stringify([answer(entry)], { columns: CSV_COLUMNS, escape_formulas: true });
}

function answer(entry: AuditEntry) {
  return {
    event_id: entry.id,
    at: entry.at.toISOString(),
    action: entry.action,
    user_id: entry.userId,
    email: entry.email,
    key_id: entry.keyId,
    session_id: entry.sessionId,
    address: entry.address,
    user_agent: entry.userAgent,
    subject_id: entry.subjectId,
    detail: entry.detail,
  };
}
