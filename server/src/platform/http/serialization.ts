import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';

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
