import type { AddressInfo } from 'node:net';
import type { App } from '#platform/http/index';

export type ApiResponse = { status: number; headers: Headers; text: string; json: Record<string, unknown> };

export type ApiClient = {
  base: string;
  /** One request over real HTTP; `json` in the options is sent as a JSON body. */
  call(method: string, path: string, options?: CallOptions): Promise<ApiResponse>;
};

export type CallOptions = {
  key?: string;
  headers?: Record<string, string>;
  json?: unknown;
  body?: RequestInit['body'];
  signal?: AbortSignal;
  /** Disconnects from an event stream once it has started; its text is empty. */
  headOfStream?: boolean;
};

/** Sends a request that has to succeed. Returns its JSON. */
export async function request(
  { api, key }: { api: ApiClient; key: string },
  method: string,
  path: string,
  json?: object,
): Promise<Record<string, unknown>> {
  const answer = await api.call(method, path, { key, ...(json && { json }) });
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.json;
}

/** Starts the app on a free port of the loopback interface. */
export async function listen(app: App): Promise<ApiClient> {
  await app.listen({ port: 0, host: '127.0.0.1' });
  return createApiClient(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`);
}

export function createApiClient(base: string): ApiClient {
  return {
    base,
    async call(method, path, { key, headers = {}, json, body, signal, headOfStream } = {}) {
      const response = await fetch(base + path, {
        method,
        signal,
        body: json === undefined ? body : JSON.stringify(json),
        headers: {
          ...(key === undefined ? {} : { 'x-api-key': key }),
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
      });
      const type = response.headers.get('content-type') ?? '';
      const isCut = headOfStream && type.startsWith('text/event-stream');
      const text = isCut ? '' : await response.text();
      if (isCut) await response.body?.cancel();
      const isJson = /[/+]json\b/.test(type) && text !== '';
      return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : {} };
    },
  };
}
