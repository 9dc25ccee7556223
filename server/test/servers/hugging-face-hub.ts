import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A small server with the shape of the Hugging Face hub as far as buckets are listed and read: `GET
 * /api/buckets/{name}/tree` in pages with a `Link`, `GET /buckets/{name}/resolve/{path}` that redirects to where the
 * bytes are, with ranges. Stop it.
 */
export async function startHuggingFaceHub({ token, pageSize = 1_000 }: { token: string; pageSize?: number }) {
  const buckets = new Map<string, { open: boolean; files: Map<string, Uint8Array> }>();
  const hashOf = (bytes: Uint8Array) => createHash('sha256').update('xet').update(bytes).digest('hex');

  function handle(request: IncomingMessage, response: ServerResponse): unknown {
    const url = new URL(request.url ?? '/', base);
    const respond = (status: number, body: unknown, headers: Record<string, string> = {}) =>
      response
        .writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
        .end(JSON.stringify(body));
    const cdn = /^\/cdn\/([^/]+\/[^/]+)\/(.+)$/.exec(url.pathname);
    if (cdn) {
      // Credentials for the hub must not be sent to other hosts.
      if (request.headers.authorization) return respond(400, { error: 'credentials do not belong here' });
      return send(request, response, buckets.get(cdn[1]!)!.files.get(decodeURIComponent(cdn[2]!))!);
    }
    const tree = /^\/api\/buckets\/([^/]+\/[^/]+)\/tree(?:\/(.*))?$/.exec(url.pathname);
    const resolve = /^\/buckets\/([^/]+\/[^/]+)\/resolve\/(.+)$/.exec(url.pathname);
    const bucket = buckets.get((tree ?? resolve)?.[1] ?? '');
    const { authorization } = request.headers;
    if (authorization && authorization !== `Bearer ${token}`)
      return respond(401, { error: 'Invalid credentials in Authorization header' });
    if (!bucket || (!bucket.open && !authorization)) return respond(404, { error: 'Bucket not found' });
    if (resolve) {
      const path = decodeURIComponent(resolve[2]!);
      const bytes = bucket.files.get(path);
      if (!bytes) return respond(404, { error: 'Entry not found' }, { 'x-error-code': 'EntryNotFound' });
      if (request.headers.accept?.includes('xet-fileinfo')) return send(request, response, bytes);
      const location = `${elsewhere}/cdn/${resolve[1]}/${resolve[2]}`;
      return response.writeHead(302, { location, 'x-xet-hash': hashOf(bytes) }).end();
    }
    const folder = tree![2] ? `${decodeURIComponent(tree![2])}/` : '';
    const paths = [...bucket.files.keys()].filter((path) => path.startsWith(folder)).sort();
    const from = Number(url.searchParams.get('cursor') ?? 0);
    const page = paths.slice(from, from + pageSize).map((path) => {
      const bytes = bucket.files.get(path)!;
      return { type: 'file', path, size: bytes.length, xetHash: hashOf(bytes), uploadedAt: '2026-11-21T09:30:00.000Z' };
    });
    url.searchParams.set('cursor', String(from + pageSize));
    const more = from + pageSize < paths.length;
    // The requested address: the hub may be behind a proxy.
    const self = `http://${request.headers.host}${url.pathname}${url.search}`;
    return respond(200, page, more ? { link: `<${self}>; rel="next"` } : {});
  }

  function send(request: IncomingMessage, response: ServerResponse, bytes: Uint8Array): void {
    const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '');
    const start = Number(range?.[1] ?? 0);
    const end = range?.[2] ? Math.min(Number(range[2]), bytes.length - 1) : bytes.length - 1;
    response.writeHead(range ? 206 : 200, {
      etag: `"${hashOf(bytes)}"`,
      'content-length': end - start + 1,
      ...(range ? { 'content-range': `bytes ${start}-${end}/${bytes.length}` } : {}),
    });
    response.end(bytes.subarray(start, end + 1));
  }

  // The bytes are on another server than the hub, as those of the hub are.
  const servers = [createServer(handle), createServer(handle)];
  const [base, files] = (await Promise.all(servers.map(listen))) as [string, string];
  let elsewhere = files;
  return {
    endpoint: base,
    /** Address that downloads are redirected to; `sendTo` replaces it, for example by a proxy. */
    files,
    sendTo(address: string) {
      elsewhere = address;
    },
    put(bucket: string, path: string, bytes: Uint8Array, { open = false } = {}) {
      const files = buckets.get(bucket)?.files ?? new Map<string, Uint8Array>();
      buckets.set(bucket, { open, files: files.set(path, bytes) });
    },
    async stop() {
      for (const server of servers) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
