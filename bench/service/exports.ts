/**
 * Exports of 100,000 events with their evidence in each format without a limit of events: the largest live heap while
 * the file is written, against that of an export of a tenth of them.
 * `npm run bench -- exports [COUNT [FORMAT…]]`
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import pg from 'pg';
import { type ExportFormat, FORMATS, formatOf } from '../../server/src/features/exports/formats/index.ts';
import { newId } from '../../server/src/platform/ids.ts';
import { timed } from '../lib/measure.ts';
import { type BenchmarkService, startService } from '../lib/service.ts';
import type { BenchmarkRow } from '../run.ts';

const EVENTS_PER_ANALYSIS = 100;
const STREAMED = (Object.keys(FORMATS) as ExportFormat[]).filter((format) => !formatOf(format).maxEvents);
const SAMPLE_MS = 100;
const MAX_RATIO = 1.2;

export async function* run([count = '100000', ...names]: string[]): AsyncGenerator<BenchmarkRow> {
  const formats = names.length > 0 ? STREAMED.filter((format) => names.includes(format)) : STREAMED;
  const service = await startService({ port: 18_107 });
  try {
    const analyses = Number(count) / EVENTS_PER_ANALYSIS;
    for (const isPerVideo of [false, true]) {
      const ofKind = formats.filter((format) => Boolean(formatOf(format).isPerVideo) === isPerVideo);
      if (ofKind.length === 0) continue;
      const form = isPerVideo ? 'one video' : 'many videos';
      const [few, all] = [await seed(service, analyses / 10, form), await seed(service, analyses, form)];
      for (const format of ofKind) yield await measure(service, format, few, all, Number(count));
    }
  } finally {
    await service.stop();
  }
}

async function measure(
  { client }: BenchmarkService,
  format: ExportFormat,
  few: Seed,
  all: Seed,
  count: number,
): Promise<BenchmarkRow> {
  const write = ({ folderId, videoId }: Seed) =>
    client.exportEvents({
      format,
      ...(formatOf(format).isPerVideo ? { video_ids: [videoId] } : { folder_id: folderId }),
    });
  await write(few);
  const small = await peakOf(() => write(few));
  let seconds = 0;
  const large = await peakOf(async () => {
    seconds = (await timed(() => write(all))) / 1000;
  });
  const { event_count, size_bytes } = (await client.api.GET('/api/exports')).data!.exports[0]!;
  if (event_count !== count) throw new Error(`${event_count} events were exported`);
  const file = `a file of ${((size_bytes ?? 0) / 2 ** 20).toFixed(0)} MB in ${seconds.toFixed(1)} s`;
  const note = `${small.toFixed(0)} and ${large.toFixed(0)} MB; ${file}`;
  return {
    name: `${format}: largest heap against a tenth`,
    value: large / small,
    unit: '×',
    bar: { max: MAX_RATIO },
    note,
  };
}

/** The largest live heap in megabytes while `work` runs, of samples after a garbage collection. */
async function peakOf(work: () => Promise<unknown>): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  let peak = 0;
  const sample = () => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    peak = Math.max(peak, (heapUsed + external) / 2 ** 20);
  };
  const done = new AbortController();
  const sampling = (async () => {
    while (!done.signal.aborted) {
      sample();
      await sleep(SAMPLE_MS);
    }
  })();
  await work();
  done.abort();
  await sampling;
  return peak;
}

type Seed = { folderId: string; videoId: string };

/** Analyses of 100 events with evidence in a new folder, of one video each or all of the same one. */
async function seed(
  { sightline }: BenchmarkService,
  analyses: number,
  form: 'one video' | 'many videos',
): Promise<Seed> {
  const { orgId, userId } = (await sightline.accounts.owner())!;
  const pool = new pg.Pool({ ...sightline.database.connection, max: 1 });
  const folderId = newId();
  const idOf = (n: string) => `lpad(to_hex(${n}), 12, '0') || '7' || left(md5($3 || ${n}), 19)`;
  const [id, video] = [idOf('n'), idOf(form === 'one video' ? '1' : 'n')];
  const start = form === 'one video' ? `n * ${EVENTS_PER_ANALYSIS} + place` : 'place';
  const gps = {
    frame_gps_lon_start: 13.4,
    frame_gps_lat_start: 52.5,
    frame_gps_lon_end: 13.5,
    frame_gps_lat_end: 52.6,
  };
  const boxes = Array(3).fill({ x: 0.1, y: 0.2, width: 0.3, height: 0.4, label: 'car' });
  const frames = [1, 2].map((time_s) => ({ role: 'best', time_s, pts: time_s, boxes }));
  const events = Array.from({ length: EVENTS_PER_ANALYSIS }, (_, n) => ({
    ...{
      event_id: `e-${n}`,
      type: 'object',
      description: `A red car passes ${n}`,
      severity: 'low',
      start_s: n,
      end_s: n + 1,
    },
    ...{ aiAnalysis: 'A red car was tracked over 12 frames. '.repeat(4), caveats: [], approval: 'pending' },
    data: { confidence: 0.8, ...gps, evidence: { frames, tracks: [], signals: [] } },
  }));
  await pool.query(
    `insert into folders (id, org_id, created_by, scope, name, video_count) values ($3, $1, $2, 'org', $3, 0)`,
    [orgId, userId, folderId],
  );
  await pool.query(
    `insert into videos (id, org_id, owner_id, scope, folder_id, name, source, status, storage_key, duration_s)
     select ${id}, $1, $2, 'org', $3, 'drive-' || n || '.mp4', 'file', 'UPLOADED', 'none', 200 from generate_series(1, $4::int) n`,
    [orgId, userId, folderId, form === 'one video' ? 1 : analyses],
  );
  await pool.query(
    `insert into analyses (id, org_id, owner_id, video_id, position, scope, query, mode, status, events_indexed, document)
     select ${id}, $1, $2, ${video}, 0, 'org', 'cars', 'fast', 'COMPLETED', true, $5::json from generate_series(1, $4::int) n`,
    [orgId, userId, folderId, analyses, JSON.stringify({ analysis: { events }, events: [] })],
  );
  await pool.query(
    `insert into analysis_events (analysis_id, position, org_id, owner_id, scope, video_id, folder_id, type, label, severity,
       confidence, start_s, end_s, created_at, words)
     select ${id}, place, $1, $2, 'org', ${video}, $3, 'object', 'A red car passes', 'low', 0.8, ${start}, ${start} + 1, now(), ''
     from generate_series(1, $4::int) n, generate_series(0, ${EVENTS_PER_ANALYSIS - 1}) place`,
    [orgId, userId, folderId, analyses],
  );
  await pool.query('vacuum analyze analysis_events, analyses, videos');
  const { rows } = await pool.query(`select id from videos where folder_id = $1 limit 1`, [folderId]);
  await pool.end();
  return { folderId, videoId: rows[0].id };
}
