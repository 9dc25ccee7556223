import type { AddressInfo } from 'node:net';
import type { App } from '#platform/http/index';

export type Answer = { status: number; headers: Headers; text: string; json: Record<string, unknown> };

export type Client = {
  base: string;
  /** One request over real HTTP; `json` in the options is sent as a JSON body. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
};

export type CallOptions = {
  key?: string;
  headers?: Record<string, string>;
  json?: unknown;
  body?: RequestInit['body'];
  signal?: AbortSignal;
};

/** Starts the app on a free port of the loopback interface. */
export async function listen(app: App): Promise<Client> {
  await app.listen({ port: 0, host: '127.0.0.1' });
  return client(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`);
}

export function client(base: string): Client {
  return {
    base,
    async call(method, path, { key, headers = {}, json, body, signal } = {}) {
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
      const text = await response.text();
      const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '') && text !== '';
      return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : {} };
    },
  };
}
