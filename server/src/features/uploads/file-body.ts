import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { App } from '#platform/http/index';

/** Lets the routes of a plugin take a file as the body, of any content type, into memory. */
export function acceptFileBodies(app: App, maxBytes: number): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: maxBytes },
    async (request: FastifyRequest, body: Buffer) => {
      request.bodyDigest = createHash('sha256').update(body).digest('base64url');
      return body;
    },
  );
}

/** Validates all parts of a request but the body, which is a file. */
export const fileBodyValidator =
  ({ httpPart }: { httpPart?: string }) =>
  (value: unknown) =>
    httpPart === 'body' ? true : { value };
