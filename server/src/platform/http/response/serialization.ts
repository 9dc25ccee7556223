import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import type { FastifyInstance } from 'fastify';
import { roundNumbers } from '../../numbers.ts';

type Factory = ReturnType<typeof SerializerSelector>;

/**
 * Fastify's serializers, compiled on first use: there are about 700 (one per route and status), compiling all takes two
 * seconds at start, and most are never used.
 */
export function serializerFactory(): Factory {
  const factory = SerializerSelector();
  return (externalSchemas, options) => {
    const compile = factory(externalSchemas, options);
    return (route) => {
      let write: ReturnType<typeof compile> | undefined;
      return (answer) => {
        write ??= compile(route);
        return write(answer);
      };
    };
  };
}

/** Removes binary fraction noise from numbers in responses. User `metadata` is not changed. */
export function roundResponses(app: FastifyInstance): void {
  app.addHook('preSerialization', (_request, _reply, payload, done) => done(null, roundNumbers(payload, 'metadata')));
}
