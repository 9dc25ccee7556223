/**
 * `fetch` that sends the W3C `traceparent` of the caller with requests to the service at `baseUrl`, and to no other
 * server; for the option `fetch` of `createSightline`. `traceparent` is called for each request.
 */
export function tracedFetch(
  baseUrl: string,
  traceparent: () => string | null | undefined,
  fetch: typeof globalThis.fetch = globalThis.fetch,
): typeof globalThis.fetch {
  const base = `${baseUrl.replace(/\/+$/, '')}/`;
  return (input, init) => {
    const request = input instanceof Request ? input : null;
    const trace = traceparent();
    if (!trace || !(request?.url ?? String(input)).startsWith(base)) return fetch(input, init);
    const headers = new Headers(init?.headers ?? request?.headers);
    headers.set('traceparent', trace);
    return fetch(input, { ...init, headers });
  };
}
