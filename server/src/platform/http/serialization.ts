import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import type { FastifyInstance } from 'fastify';
import { roundNumbers } from '../numbers.ts';

type Factory = ReturnType<typeof SerializerSelector>;

/**
 * Fastify's own writers of answers, each compiled when it is first needed: there are some seven hundred (every route has one for every
 * status), to compile them takes two seconds of every start, and most never write anything.
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

/** Numbers in answers have no noise of binary fractions. What users noted under `metadata` stays as they wrote it. */
export function roundAnswers(app: FastifyInstance): void {
  app.addHook('preSerialization', (_request, _reply, payload, done) => done(null, roundNumbers(payload, 'metadata')));
}
