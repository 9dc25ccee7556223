/**
 * Exports of 100,000 events with their evidence: the largest live heap while a file is written, against that of an
 * export of a tenth of them; first of each format without a limit of events, then of a whole export over the API.
 * `npm run bench -- exports [COUNT [FORMAT…]]`: with formats, these alone; `api` is the export over the API.
 */
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import pg from 'pg';
import { type ExportFormat, FORMATS, formatOf } from '../../server/src/features/exports/formats/index.ts';
import { inChunks } from '../../server/src/features/exports/in-chunks.ts';
import { readSpool } from '../../server/src/features/exports/spool.ts';
import type { ExportedEvent, ExportMedia } from '../../server/src/features/exports/types.ts';
import { newId } from '../../server/src/platform/ids.ts';
import { timed } from '../lib/measure.ts';
import { type BenchmarkService, startService } from '../lib/service.ts';
import type { BenchmarkRow } from '../run.ts';

const EVENTS_PER_ANALYSIS = 100;
const STREAMED = (Object.keys(FORMATS) as ExportFormat[]).filter((format) => !formatOf(format).maxEvents);
const FORMS = ['many videos', 'one video'] as const;
/** Shares of the events that are exported. */
const PARTS = [0.1, 1] as const;
const SAMPLE_MS = 200;
const MAX_RATIO = 1.2;

export async function* run([count = '100000', ...names]: string[]): AsyncGenerator<BenchmarkRow> {
  const formats = names.length > 0 ? STREAMED.filter((format) => names.includes(format)) : STREAMED;
  const folder = await mkdtemp(join(tmpdir(), 'sightline-bench-'));
  try {
    for (const form of FORMS) for (const part of PARTS) await spool(folder, form, part, Number(count) * part);
    for (const format of formats) yield await measureFormat(folder, format);
  } finally {
    await rm(folder, { recursive: true });
  }
  if (names.length === 0 || names.includes('api')) yield await measureExport(Number(count));
}

/** Writes events that were read from the database before in one format. */
async function measureFormat(folder: string, format: ExportFormat): Promise<BenchmarkRow> {
  const { write, isPerVideo } = formatOf(format);
  let bytes = 0;
  const writeAll = async (part: number) => {
    bytes = 0;
    const events = readSpool(join(folder, `${isPerVideo ? 'one video' : 'many videos'} ${part}`));
    // None of these formats has images or clips.
    const pieces = inChunks(write(events, {} as ExportMedia), new AbortController().signal);
    for await (const piece of pieces) bytes += piece.length;
  };
  const [few, all] = PARTS;
  await writeAll(few);
  const small = await measurePeak(() => writeAll(few));
  const large = await measurePeak(() => writeAll(all));
  return toRow(format, small, large, `${(bytes / 2 ** 20).toFixed(0)} MB`);
}

const toRow = (name: string, small: number, large: number, file: string): BenchmarkRow => ({
  name: `${name}: largest heap against a tenth`,
  value: large / small,
  unit: '×',
  bar: { max: MAX_RATIO },
  note: `${small.toFixed(1)} and ${large.toFixed(1)} MB; a file of ${file}`,
});

const BOXES = Array(3).fill({ x: 0.1, y: 0.2, width: 0.3, height: 0.4, label: 'car' });
const EXPLANATION = 'A red car was tracked over 12 frames. '.repeat(4);

/** Writes events as an export reads them from the database, 100 of each video or all of the same one. */
async function spool(folder: string, form: (typeof FORMS)[number], part: number, count: number): Promise<void> {
  await using file = await open(join(folder, `${form} ${part}`), 'w');
  const [analysisId, createdAt] = [newId(), new Date().toISOString()];
  const perVideo = form === 'one video' ? count : EVENTS_PER_ANALYSIS;
  let lines: string[] = [];
  for (let n = 0; n < count; n++) {
    const [video, startS] = [Math.floor(n / perVideo), n % perVideo];
    const event: ExportedEvent = {
      eventId: `${analysisId}-${n}`,
      incidentId: `${analysisId}-${n}`,
      analysisId,
      batchId: null,
      videoId: `video-${video}`,
      videoName: 'drive.mp4',
      folderName: 'Drives',
      durationS: perVideo + 1,
      width: 1920,
      height: 1080,
      frameRate: 25,
      query: 'cars',
      type: 'object',
      label: `A red car passes ${n % 50}`,
      severity: 'low',
      confidence: 0.8,
      approval: 'pending',
      reason: null,
      note: null,
      added: false,
      startS,
      endS: startS + 0.5,
      startAt: createdAt,
      endAt: createdAt,
      timeZone: null,
      explanation: EXPLANATION,
      caveats: [],
      frames: [startS + 0.1, startS + 0.3].map((timeS) => ({ timeS, at: createdAt, role: 'best', boxes: BOXES })),
      position: { start: [13.4, 52.5], end: [13.5, 52.6] },
      url: `http://localhost:8099/videos/video-${video}?event=${n}`,
      createdAt,
    };
    lines.push(`${JSON.stringify(event)}\n`);
    if (lines.length < 1_000 && n < count - 1) continue;
    await file.write(lines.join(''));
    lines = [];
  }
}

/** A whole export, from the database to the file. */
async function measureExport(count: number): Promise<BenchmarkRow> {
  const service = await startService({ port: 18_107 });
  try {
    const analyses = count / EVENTS_PER_ANALYSIS;
    const [few, all] = [await seed(service, analyses / 10), await seed(service, analyses)];
    const write = (folder_id: string) => service.client.exportEvents({ format: 'jsonl', folder_id });
    await write(few);
    const small = await measurePeak(() => write(few));
    let seconds = 0;
    const large = await measurePeak(async () => {
      seconds = (await timed(() => write(all))) / 1000;
    });
    const { event_count, size_bytes } = (await service.client.api.GET('/api/exports')).data!.exports[0]!;
    if (event_count !== count) throw new Error(`${event_count} events were exported`);
    const file = `${((size_bytes ?? 0) / 2 ** 20).toFixed(0)} MB in ${seconds.toFixed(1)} s`;
    return toRow('jsonl over the API, with the service', small, large, file);
  } finally {
    await service.stop();
  }
}

/** The largest live heap in megabytes while `work` runs, of samples after a garbage collection. */
async function measurePeak(work: () => Promise<unknown>): Promise<number> {
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

/** Analyses of 100 events with evidence, of one video each, in a new folder. Returns the id of the folder. */
async function seed({ sightline }: BenchmarkService, analyses: number): Promise<string> {
  const { orgId, userId } = (await sightline.accounts.owner())!;
  const pool = new pg.Pool({ ...sightline.database.connection, max: 1 });
  const folderId = newId();
  const id = `lpad(to_hex(n), 12, '0') || '7' || left(md5($3 || n), 19)`;
  const frames = [1, 2].map((time_s) => ({ role: 'best', time_s, pts: time_s, boxes: BOXES }));
  const events = Array.from({ length: EVENTS_PER_ANALYSIS }, (_, n) => ({
    event_id: `e-${n}`,
    type: 'object',
    description: `A red car passes ${n}`,
    severity: 'low',
    start_s: n,
    end_s: n + 1,
    aiAnalysis: EXPLANATION,
    caveats: [],
    approval: 'pending',
    data: { confidence: 0.8, evidence: { frames, tracks: [], signals: [] } },
  }));
  await pool.query(
    `insert into folders (id, org_id, created_by, scope, name, video_count) values ($3, $1, $2, 'org', $3, 0)`,
    [orgId, userId, folderId],
  );
  await pool.query(
    `insert into videos (id, org_id, owner_id, scope, folder_id, name, source, status, storage_key, duration_s)
     select ${id}, $1, $2, 'org', $3, 'drive-' || n || '.mp4', 'file', 'UPLOADED', 'none', 200 from generate_series(1, $4::int) n`,
    [orgId, userId, folderId, analyses],
  );
  await pool.query(
    `insert into analyses (id, org_id, owner_id, video_id, position, scope, query, mode, status, events_indexed, document)
     select ${id}, $1, $2, ${id}, 0, 'org', 'cars', 'fast', 'COMPLETED', true, $5::json from generate_series(1, $4::int) n`,
    [orgId, userId, folderId, analyses, JSON.stringify({ analysis: { events }, events: [] })],
  );
  await pool.query(
    `insert into analysis_events (analysis_id, position, org_id, owner_id, scope, video_id, folder_id, type, label, severity,
       confidence, start_s, end_s, created_at, words)
     select ${id}, place, $1, $2, 'org', ${id}, $3, 'object', 'A red car passes', 'low', 0.8, place, place + 1, now(), ''
     from generate_series(1, $4::int) n, generate_series(0, ${EVENTS_PER_ANALYSIS - 1}) place`,
    [orgId, userId, folderId, analyses],
  );
  await pool.query('vacuum analyze analysis_events, analyses, videos');
  await pool.end();
  return folderId;
}
