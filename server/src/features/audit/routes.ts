import { Readable } from 'node:stream';
import { type App, failures } from '#platform/http/index';
import { AuditExport, AuditPage, AuditQuery } from './schema.ts';
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
        description: 'Who did what with the keys of your organisation, on what, when and from where, newest first.',
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
        description: 'Streams the whole log of your organisation, oldest first, one JSON object a line.',
        response: { 200: AuditExport, ...failures() },
      },
    },
    async ({ caller }, reply) => {
      reply.type('application/x-ndjson').header('content-disposition', 'attachment; filename="audit-events.ndjson"');
      return Readable.from(lines(audit.all(caller.orgId)));
    },
  );
}

async function* lines(entries: AsyncIterable<AuditEntry>) {
  for await (const entry of entries) yield `${JSON.stringify(answer(entry))}\n`;
}

function answer(entry: AuditEntry) {
  return {
    event_id: entry.id,
    at: entry.at.toISOString(),
    action: entry.action,
    user_id: entry.userId,
    email: entry.email,
    key_id: entry.keyId,
    address: entry.address,
    subject_id: entry.subjectId,
    detail: entry.detail,
  };
}
