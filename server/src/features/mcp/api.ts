import type { App } from '#platform/http/index';
import { problems } from './problems.ts';

export type ApiRequest = {
  method: 'GET' | 'POST';
  path: string;
  query?: Record<string, string | number | boolean | undefined>;
  body?: object;
};

/** Calls the API of this service as the user of a request. All of its checks and limits apply. */
export interface Api {
  /** The JSON response. Throws the message of a failure. */
  json<T>(request: ApiRequest): Promise<T>;
  /** The bytes behind a signed URL of this service; null if there is nothing. */
  bytes(url: string): Promise<Buffer | null>;
}

/** Headers by which a request is authenticated and counted. */
const PASSED_ON = ['authorization', 'x-api-key', 'cookie', 'origin', 'user-agent'];

/** An `Api` with the credentials of a request. */
export function createApi(
  app: Pick<App, 'inject'>,
  { headers, remoteAddress }: { headers: Record<string, string | string[] | undefined>; remoteAddress: string },
): Api {
  const passedOn = Object.fromEntries(
    PASSED_ON.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
  );
  return {
    async json({ method, path, query = {}, body }) {
      const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, `${value}`]]));
      const response = await app.inject({
        method,
        url: path,
        query: Object.fromEntries(given),
        headers: passedOn,
        remoteAddress,
        ...(body ? { payload: body } : {}),
      });
      const answer = response.json();
      if (response.statusCode >= 300) throw problems.mcp_tool_failed(`${answer.message} (${answer.error})`);
      return answer;
    },
    async bytes(url) {
      const { pathname, search } = new URL(url);
      const response = await app.inject({ method: 'GET', url: pathname + search, remoteAddress });
      return response.statusCode === 200 ? response.rawPayload : null;
    },
  };
}
