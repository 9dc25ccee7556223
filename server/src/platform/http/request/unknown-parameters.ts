import type { FastifyRequest } from 'fastify';
import type { TProperties, TSchema } from 'typebox';
import { nearestName } from '../../nearest-name.ts';
import { problems } from '../problems.ts';

/**
 * Query parameters without effect that operations accept besides those that they declare, by the id of the operation.
 * They are validated and described, and handlers do not receive them.
 */
export type UnusedParameters = Readonly<Record<string, TProperties>>;

/** Most unknown parameters in an error, and the longest name that it repeats. */
const MAX_NAMES = 20;
const MAX_LENGTH = 64;

/** The schema of a query with the unused parameters of its operation. */
export function addUnusedParameters(
  query: TSchema | undefined,
  operationId: string | undefined,
  unused: UnusedParameters,
): TSchema | undefined {
  const properties = unused[operationId ?? ''];
  if (!properties) return query;
  const own = query as (TSchema & { properties: TProperties }) | undefined;
  return { type: 'object', ...own, properties: { ...own?.properties, ...properties } } as TSchema;
}

/**
 * A hook that refuses query parameters that the operation does not have: an ignored filter would return everything, as
 * if all of it matched. Throws `request_invalid` (400), with the nearest name.
 */
export function refuseUnknownParameters(query: TSchema | undefined): (request: FastifyRequest) => Promise<void> {
  const known = Object.keys((query as { properties?: object } | undefined)?.properties ?? {});
  return async ({ query: sent }) => {
    const unknown = Object.keys(sent as object).filter((name) => !known.includes(name));
    if (unknown.length === 0) return;
    const errors = unknown
      .slice(0, MAX_NAMES)
      .map((name) => ({ param: name.slice(0, MAX_LENGTH), message: `is unknown${unknownNameHint(name, known)}` }));
    const [{ param, message }] = errors as [(typeof errors)[number]];
    throw problems.request_invalid(`The query parameter \`${param}\` ${ended(message)}`, { errors });
  };
}

/** The nearest known name, to follow "`words` is unknown"; else all names, if they are few. */
export function unknownNameHint(unknown: string, known: readonly string[]): string {
  const nearest = nearestName(unknown, known);
  if (nearest !== null) return `; did you mean \`${nearest}\`?`;
  if (known.length === 0) return '; this operation has none';
  return `; this operation has ${known.map((name) => `\`${name}\``).join(', ')}`;
}

const ended = (message: string) => (message.endsWith('?') ? message : `${message}.`);
