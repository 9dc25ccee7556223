import type { FastifyReply, FastifyRequest } from 'fastify';

/** A day in UTC, such as `2027-03-01`. */
type Day = `${number}-${number}-${number}`;

/** When an operation was deprecated, and when it stops working (at least a year later, see docs/api.md). */
export type Deprecation = { since: Day; sunset: Day };

/** Sets `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) if the operation of the request is deprecated. */
export function setDeprecation(request: FastifyRequest, reply: FastifyReply): void {
  // Requests whose URL cannot be read have no route.
  const deprecated = request.routeOptions?.config?.deprecated;
  if (!deprecated) return;
  reply.header('deprecation', `@${Date.parse(deprecated.since) / 1000}`);
  reply.header('sunset', new Date(deprecated.sunset).toUTCString());
}

/** The sentence in the description of a deprecated operation. */
export const deprecationSentence = ({ since, sunset }: Deprecation): string =>
  `Deprecated since ${since}: it stops working on ${sunset}.`;
