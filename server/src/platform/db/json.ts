/** JSON of texts from files and sources. PostgreSQL refuses lone surrogates, so they are replaced. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, (_name, part: unknown) => (typeof part === 'string' ? part.toWellFormed() : part));
