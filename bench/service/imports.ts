/**
 * Imports: cost of a page of rows at the start and at row 1,000,000, transfer rate against the provider's own client,
 * and growth of memory with the number of rows. Needs moto's server at the path that the tests use.
 * `npm run bench -- imports`
 */
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import pg from 'pg';
import { flatClip } from '../../server/test/media/clips.ts';
import { createS3TestClient } from '../../server/test/servers/s3-client.ts';
import { startS3Server } from '../../server/test/servers/s3-server.ts';
import { interleave, median, timed } from '../lib/measure.ts';
import { type BenchmarkService, startService } from '../lib/service.ts';
import type { BenchmarkRow } from '../run.ts';

const ROWS = 1_000_000;
const PAGE = 100;
const ROUNDS = 200;
const OBJECTS = 1_000;
const OBJECT_BYTES = 1_000_000;
/** Polling runs in the same process, so it is no more frequent than a client's. */
const ASK_MS = 250;
/** Number of objects that an import transfers at the same time. */
const AT_ONCE = 8;
const MB = 1_000_000;

export async function run(args: string[]): Promise<BenchmarkRow[]> {
  const env = { SIGHTLINE_ALLOWED_NETWORKS: '127.0.0.1/32' };
  const parts = { pages, transfers, memory };
  const rows: BenchmarkRow[] = [];
  for (const [name, measure] of Object.entries(parts)) {
    if (args.length > 0 && !args.includes(name)) continue;
    const service = await startService({ env });
    try {
      rows.push(...(await measure(service)));
    } finally {
      await service.stop();
    }
  }
  return rows;
}

/** Inserts a job of a million rows as the lister does. */
async function pages({ sightline, baseUrl, apiKey }: BenchmarkService): Promise<BenchmarkRow[]> {
  const owner = (await sightline.accounts.owner())!;
  const pool = new pg.Pool({ ...sightline.database.connection, max: 1 });
  await pool.query(
    `insert into import_jobs (id, org_id, owner_id, scope, provider, bucket, public, sidecars, multi_view, status, listed, total, objects)
     values ('ij_000000000001', $1, $2, 'org', 's3', 'fleet', false, false, false, 'importing', true, $3, $3)`,
    [owner.orgId, owner.userId, ROWS],
  );
  await pool.query(
    `insert into import_rows (video_id, object_id, job_id, position, object_key, version, size_bytes, status, record_created)
     select md5(n::text), md5(n::text), 'ij_000000000001', n, 'drives/' || n || '.mp4', md5(n::text), 1000000, 'PROCESSING', false
     from generate_series(1, $1::int) n`,
    [ROWS],
  );
  await pool.query('vacuum analyze import_rows, import_jobs');
  const { rows } = await pool.query('select md5($1::text) as id', [ROWS - PAGE]);
  const cursor = rows[0].id as string;

  const path = `/api/import-jobs/ij_000000000001/videos?limit=${PAGE}`;
  const ask = (url: string) => async () => {
    const answer = await fetch(url, { headers: { 'x-api-key': apiKey } });
    const { videos } = (await answer.json()) as { videos?: unknown[] };
    if (videos?.length !== PAGE) throw new Error(`${url} answered ${answer.status}`);
  };
  const bare = await startBare(pool, cursor);
  const requests = {
    first: ask(baseUrl + path),
    last: ask(`${baseUrl}${path}&cursor=${cursor}`),
    bare: ask(bare.url),
  };
  for (let i = 0; i < 20; i++) for (const one of Object.values(requests)) await one();
  const times = await interleave(ROUNDS, {
    first: () => timed(requests.first),
    last: () => timed(requests.last),
    bare: () => timed(requests.bare),
  });
  bare.close();
  await pool.end();
  const [first, last, plain] = [median(times.first), median(times.last), median(times.bare)];
  const note = `${first.toFixed(1)} and ${last.toFixed(1)} ms, bare ${plain.toFixed(1)} ms`;
  return [
    {
      name: 'rows of a job of 1,000,000: page 10,000 against page 1',
      value: last / first,
      unit: '×',
      bar: { max: 1.2 },
      note,
    },
    {
      name: 'the same against a bare route with the same SQL',
      value: plain / last,
      unit: '×',
      bar: { min: 0.7 },
      note,
    },
  ];
}

/** The same statements and the same JSON with nothing around them. */
async function startBare(pool: pg.Pool, cursor: string) {
  const server = createServer(async (_request, response) => {
    const { rows: jobs } = await pool.query({
      name: 'job',
      text: `select j.*, f.name as folder_name from import_jobs j left join folders f on f.id = j.folder_id where j.id = $1`,
      values: ['ij_000000000001'],
    });
    const { rows } = await pool.query({
      name: 'rows',
      text: `select * from import_rows where job_id = $1 and position > (select position from import_rows where video_id = $2 and job_id = $1)
        order by position limit $3`,
      values: ['ij_000000000001', cursor, PAGE + 1],
    });
    const videos = rows.slice(0, PAGE).map((row) => ({
      video_id: row.video_id,
      status: row.status,
      import_source_uri: `s3://fleet/${row.object_key}`,
      size_bytes: Number(row.size_bytes),
      error: row.problem_code,
      message: row.problem_message,
    }));
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({ import_job_id: jobs[0].id, videos, total: jobs[0].total, video_count: videos.length }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() };
}

/**
 * A thousand videos of 1 MB from an S3 server on this machine, and the same objects copied to files by the provider's
 * client.
 */
async function transfers(service: BenchmarkService): Promise<BenchmarkRow[]> {
  const program = join(tmpdir(), 'sightline-moto', 'bin', 'moto_server');
  const server = await startS3Server(existsSync(program) ? program : 'moto_server');
  const filler = createS3TestClient(server.endpoint);
  const folder = await mkdtemp(join(tmpdir(), 'sightline-bench-copy-'));
  try {
    await filler.makeBucket('fleet');
    const clip = await readFile(await flatClip({ times: [0, 0.5], endS: 1 }));
    for (let i = 0; i < OBJECTS; i++) {
      await filler.put('fleet', `${i}.mp4`, padded(clip, i));
    }
    const copying = async () => {
      const left = Array.from({ length: OBJECTS }, (_, i) => i).values();
      const worker = async () => {
        for (const i of left) await filler.copy('fleet', `${i}.mp4`, join(folder, `${i}.mp4`));
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
    };
    const integration = await save(service, server.endpoint);
    const importing = () => importAll(service, integration, { prefix: '' });
    const copied = [await timed(copying)];
    const imported = await timed(importing);
    copied.push(await timed(copying));
    const [plain, ours] = [median(copied) / 1_000, imported / 1_000];
    const total = (OBJECTS * OBJECT_BYTES) / MB;
    const note = `${(total / ours).toFixed(1)} against ${(total / plain).toFixed(1)} MB/s`;
    return [
      {
        name: '1,000 objects of 1 MB against the client’s copies',
        value: plain / ours,
        unit: '×',
        bar: { min: 0.5 },
        note,
      },
    ];
  } finally {
    filler.close();
    await rm(folder, { recursive: true, force: true });
    await server.stop();
  }
}

/** A unique video of 1 MB: a box that players skip follows its frames. */
function padded(clip: Buffer, i: number): Buffer {
  const rest = Buffer.alloc(OBJECT_BYTES - clip.length, `${i} `);
  rest.writeUInt32BE(rest.length, 0);
  rest.write('free', 4);
  return Buffer.concat([clip, rest]);
}

/**
 * Buckets of 1,000 and of 100,000 objects, from a server that generates its listing and has no objects. Measures
 * retained memory: garbage that is not yet collected depends on the machine more than on the import.
 */
async function memory(service: BenchmarkService): Promise<BenchmarkRow[]> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const peaks: Record<number, number> = {};
  for (const count of [1_000, 1_000, 100_000]) {
    const server = await startListing(count);
    const integration = await save(service, server.endpoint, '?verify=false');
    let peak = 0;
    const look = () => {
      collect();
      const { heapUsed, external } = process.memoryUsage();
      peak = Math.max(peak, heapUsed + external);
    };
    const timer = setInterval(look, 200);
    await importAll(service, integration, { prefix: 'drives/' }, count);
    look();
    clearInterval(timer);
    peaks[count] = peak;
    server.close();
  }
  const [small, large] = [peaks[1_000]!, peaks[100_000]!];
  const note = `${(small / MB).toFixed(0)} and ${(large / MB).toFixed(0)} MB held at most`;
  return [
    {
      name: 'growth of peak memory from 1,000 to 100,000 rows',
      value: (large - small) / MB,
      unit: 'MB',
      bar: { max: 50 },
      note,
    },
  ];
}

async function startListing(count: number) {
  const name = (n: number) => `drives/${String(n).padStart(9, '0')}.mp4`;
  const server = createServer((request, response) => {
    const query = new URL(request.url ?? '/', 'http://localhost').searchParams;
    if (!query.has('list-type')) return response.writeHead(404).end();
    const after = /(\d{9})/.exec(query.get('start-after') ?? '')?.[1];
    const from = after === undefined ? 0 : Number(after) + 1;
    const to = Math.min(count, from + Number(query.get('max-keys') ?? 1_000));
    let body = `<ListBucketResult><IsTruncated>${to < count}</IsTruncated>`;
    for (let n = from; n < to; n++) {
      body += `<Contents><Key>${name(n)}</Key><ETag>"${n}"</ETag><Size>1000000</Size></Contents>`;
    }
    return response.setHeader('content-type', 'application/xml').end(`${body}</ListBucketResult>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

async function ask<T>({ baseUrl, apiKey }: BenchmarkService, method: string, path: string, json?: object): Promise<T> {
  const headers = { 'x-api-key': apiKey, ...(json ? { 'content-type': 'application/json' } : {}) };
  const answer = await fetch(baseUrl + path, { method, headers, body: json && JSON.stringify(json) });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as T;
}

async function save(service: BenchmarkService, endpoint_url: string, query = ''): Promise<string> {
  const keys = { access_key_id: 'AKIATEST', secret_access_key: 'secret' };
  const body = { name: 'Bench', ...keys, endpoint_url, bucket: 'fleet' };
  return (await ask<{ id: string }>(service, 'POST', `/api/cloud-integrations/s3${query}`, body)).id;
}

/**
 * Imports a selection. Returns once it has ended or, with `listed`, once that many rows are listed; it is then
 * canceled.
 */
async function importAll(
  service: BenchmarkService,
  integration_id: string,
  selection: object,
  listed?: number,
): Promise<void> {
  const { import_job_id: id } = await ask<{ import_job_id: string }>(service, 'POST', '/api/s3/upload', {
    integration_id,
    ...selection,
  });
  for (;;) {
    const job = await ask<{ status: string; total: number; uploaded: number; listed: boolean }>(
      service,
      'GET',
      `/api/import-jobs/${id}`,
    );
    if (listed !== undefined && job.listed && job.total === listed) {
      if (job.status === 'importing') await ask(service, 'POST', `/api/import-jobs/${id}/cancel`);
      return;
    }
    if (job.status !== 'importing') {
      if (job.uploaded !== OBJECTS) throw new Error(`the import ended ${job.status} with ${job.uploaded} videos`);
      return;
    }
    await sleep(ASK_MS);
  }
}
