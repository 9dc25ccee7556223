/** Responses to requests that started before the code that needs them had arrived, by URL. */
const started = new Map<string, Promise<Response>>();

/** Starts a GET request of this origin whose response the API client takes later. */
export function startEarly(path: string): void {
  const response = fetch(path);
  // The client handles the failure, and tries again.
  response.catch(() => {});
  started.set(new URL(path, window.location.origin).href, response);
}

/** `fetch` of the API client, which calls it with requests. Each response that was requested early is returned once. */
export const fetchOnce: typeof fetch = (input, init) => {
  const url = input instanceof Request && input.method === 'GET' ? input.url : '';
  const early = started.get(url);
  started.delete(url);
  return early ?? fetch(input, init);
};
