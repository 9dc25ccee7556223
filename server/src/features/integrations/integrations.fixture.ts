import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Env, startTestApp } from '#test/app';
import { startGoogleTokens } from '#test/servers/google-tokens';
import { startHuggingFaceHub } from '#test/servers/hugging-face-hub';
import { temporaryFolder } from '#test/temporary-folder';

export const HF_TOKEN = 'hf_example';
export const ROOT_SECRET = 'a root secret of the test that is long enough';

/** Starts an HTTP server on a free port. */
export async function startServer(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { port, endpoint: `http://127.0.0.1:${port}`, stop: () => void server.close() };
}

/** A proxy that records requests to `target`; without a target it serves an empty bucket. */
export async function startRecordingProxy(target: string | null) {
  const requests: { headers: IncomingHttpHeaders; body: string }[] = [];
  const server = await startServer(async (request, response) => {
    const bytes = Buffer.concat(await request.toArray());
    const { method, headers, url } = request;
    requests.push({ headers, body: bytes.toString() });
    if (target === null) {
      response.end('<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>');
      return;
    }
    const { host: _, connection: __, 'content-length': ___, ...passed } = headers as Record<string, string>;
    const answer = await fetch(target + url, { method, headers: passed, body: method === 'POST' ? bytes : null });
    response.writeHead(answer.status).end(await answer.text());
  });
  return { requests, ...server };
}

export type IntegrationsService = Awaited<ReturnType<typeof startIntegrationsService>>;

/**
 * The whole service with a Hugging Face hub, and with a Google service account as its identity whose requests to AWS
 * STS are recorded and go to `stsUrl`. Close it.
 */
export async function startIntegrationsService({
  stsUrl = null,
  env = {},
}: {
  stsUrl?: string | null;
  env?: Env;
} = {}) {
  const tokens = await startGoogleTokens();
  const hub = await startHuggingFaceHub({ token: HF_TOKEN });
  hub.put('ns/drives', 'a/one.mp4', Buffer.from('one'));
  const keyFile = join(await temporaryFolder(), 'account.json');
  await writeFile(keyFile, JSON.stringify(tokens.account));
  const sts = await startRecordingProxy(stsUrl);
  const app = await startTestApp({
    SIGHTLINE_ALLOWED_NETWORKS: '127.0.0.1/32',
    SIGHTLINE_SECRET: ROOT_SECRET,
    GOOGLE_APPLICATION_CREDENTIALS: keyFile,
    AWS_ENDPOINT_URL_STS: sts.endpoint,
    HF_ENDPOINT: hub.endpoint,
    ...env,
  });
  const key = app.sightline.firstKey!;
  return {
    app,
    key,
    tokens,
    hub,
    sts,
    call: (method: string, path: string, json?: unknown) =>
      app.api.call(method, `/api/cloud-integrations${path}`, { key, json }),
    /** Body of a Hugging Face integration. */
    huggingFace: (settings: object = {}) => ({
      name: 'Open drives',
      type: 'hf_bucket',
      token: HF_TOKEN,
      bucket: 'ns/drives',
      prefix: null,
      endpoint_url: hub.endpoint,
      ...settings,
    }),
    async close() {
      await app.close();
      await tokens.stop();
      await hub.stop();
      sts.stop();
    },
  };
}
