/**
 * A session of 24 hours, sent as fast as it is received: retained memory and written rows must stay the same from hour
 * to hour.
 *
 * `npm run bench -- live-day [HOURS]`. Needs the ffmpeg program, which plays the camera: 64 × 48, one frame per second.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import pg from 'pg';
import { type ResourceUsage, usage } from '../lib/live.ts';
import { type BenchmarkService, startService } from '../lib/service.ts';
import type { BenchmarkRow } from '../run.ts';

const HOUR_S = 3_600;
/** Share of the day before which the service still warms up. */
const BEGINNING = 1 / 6;

type Moment = ResourceUsage & { atS: number; rows: number; heldBytes: number };

export async function run([hours = '24']: string[]): Promise<BenchmarkRow[]> {
  const dayS = Number(hours) * HOUR_S;
  const folder = await mkdtemp(join(tmpdir(), 'sightline-bench-day-'));
  const clip = join(folder, 'camera.ts');
  const drawn = ['-f', 'lavfi', '-i', 'testsrc2=size=64x48:rate=1', '-t', '600', '-g', '4', '-c:v', 'libx264'];
  await promisify(execFile)('ffmpeg', [
    '-nostdin',
    '-v',
    'error',
    ...drawn,
    '-pix_fmt',
    'yuv420p',
    '-f',
    'mpegts',
    clip,
  ]);
  const camera = await startCamera(clip, dayS);
  const service = await startService({ env: { SIGHTLINE_ALLOWED_NETWORKS: '127.0.0.0/8' } });
  try {
    const [early, late] = await record(service, camera.url, [dayS * BEGINNING, dayS * 0.98]);
    const perHour = (a: Moment, b: Moment) => ((b.rows - a.rows) / (b.atS - a.atS)) * HOUR_S;
    const startedAt = { ...early!, atS: 0, rows: 0 };
    const [first, rest] = [perHour(startedAt, early!), perHour(early!, late!)];
    const taken = `${(early!.atS / HOUR_S).toFixed(1)} and ${(late!.atS / HOUR_S).toFixed(1)} hours`;
    const megabytes = [early!, late!].map(({ heldBytes }) => Math.round(heldBytes / 1e6));
    return [
      {
        name: 'held memory late in a day / early',
        value: late!.heldBytes / early!.heldBytes,
        unit: '×',
        bar: { max: 1.1 },
        note: `${megabytes.join(' and ')} MB after ${taken}`,
      },
      {
        name: 'open files late in a day / early',
        value: late!.files / early!.files,
        unit: '×',
        bar: { max: 1.1 },
        note: `${early!.files} and ${late!.files}`,
      },
      {
        name: 'rows in the database for each further hour / for each of the first',
        value: rest / first,
        unit: '×',
        bar: { max: 1.1 },
        note: `${first.toFixed(0)} and ${rest.toFixed(0)}`,
      },
    ];
  } finally {
    await service.stop();
    await camera.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Sends the clip repeatedly, as fast as it is received. */
async function startCamera(clip: string, dayS: number) {
  const server = createServer(async (_request, response) => {
    const looped = ['-stream_loop', '-1', '-i', clip, '-t', String(dayS), '-c', 'copy', '-f', 'mpegts', '-'];
    const feeder = spawn('ffmpeg', ['-nostdin', '-v', 'error', ...looped], { stdio: ['ignore', 'pipe', 'inherit'] });
    response.writeHead(200, { 'content-type': 'video/mp2t' });
    await pipeline(feeder.stdout, response).catch(() => {});
    feeder.kill();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/stream`,
    async stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Records a session. Returns the measurements at each of the given recorded lengths. */
async function record(
  { baseUrl, apiKey, sightline }: BenchmarkService,
  url: string,
  momentsS: number[],
): Promise<Moment[]> {
  const ask = async (path: string, body?: object) => {
    const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
    const answer = await fetch(baseUrl + path, {
      method: body ? 'POST' : 'GET',
      headers,
      body: body && JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as Record<string, unknown>;
  };
  // Uncollected garbage at several hundred times a camera's speed says little about the session.
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const pool = new pg.Pool({ ...sightline.database.connection, max: 1 });
  const { rows: tables } = await pool.query(
    "select format('%I.%I', schemaname, relname) as name from pg_stat_user_tables",
  );
  const counted = tables.map(({ name }) => `(select count(*) from ${name})`).join(' + ');
  const rowsNow = async () => Number((await pool.query(`select ${counted} as rows`)).rows[0].rows);
  const ids = await ask('/api/live/start-session', { source_url: url, name: 'Camera' });
  const empty = await rowsNow();
  const moments: Moment[] = [];
  for (const momentS of momentsS) {
    for (;;) {
      const session = await ask(`/api/live/live-sessions/${ids.stream_id}/${ids.session_id}`);
      const atS = Number(session.duration_s);
      if (atS >= momentS) {
        collect();
        const { heapUsed, external } = process.memoryUsage();
        const rows = (await rowsNow()) - empty;
        moments.push({ ...(await usage('ffmpeg')), atS, rows, heldBytes: heapUsed + external });
        break;
      }
      if (session.error) throw new Error(`the session ended after ${atS} s: ${session.error}`);
      await sleep(500);
    }
  }
  await ask('/api/live/end-session', ids);
  await pool.end();
  return moments;
}
