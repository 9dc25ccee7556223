import type { FetchResponse } from './guarded-fetch.ts';

/** Ends a response whose body is not needed. */
export const discard = ({ body }: FetchResponse) => body.on('error', () => {}).destroy();

/** Value of a header, the first of several; null without it. */
export function header({ headers }: FetchResponse, name: string): string | null {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}
