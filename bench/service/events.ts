/**
 * Search among 1,000,000 events over HTTP, and among what is spoken and read in their videos: pages with facets, deep
 * pages, text searches and filters, as a member who sees their own events and those of the organization, and as an
 * admin: the 95th percentile of each kind of request.
 * `npm run bench -- events [COUNT]`
 */
import pg from 'pg';
import { newId } from '../../server/src/platform/ids.ts';
import { timed } from '../lib/measure.ts';
import { type BenchmarkService, startService } from '../lib/service.ts';
import type { BenchmarkRow } from '../run.ts';

const ROUNDS = 40;
const MAX_MS = 150;
const EVENTS_PER_ANALYSIS = 20;
/** Pages of 500 events before a deep page. */
const DEEP_PAGES = 200;
const FIRST_MS = Date.UTC(2026, 0, 1);

export async function run([count = '1000000']: string[]): Promise<BenchmarkRow[]> {
  const service = await startService({ port: 18_103 });
  try {
    const started = performance.now();
    const { member, admin, folderId, videoId } = await seed(service, Number(count));
    const rows: BenchmarkRow[] = [
      { name: `seeding ${count} events`, value: (performance.now() - started) / 1_000, unit: 's' },
    ];
    const deep = await pageAt(service, member, DEEP_PAGES);
    const requests: Record<string, [query: string, key: string, path?: string]> = {
      'a page': ['', member],
      [`page ${DEEP_PAGES + 1}`]: [`limit=500&cursor=${deep}`, member],
      'a page with facets, approved (1 event in 10)': ['facets=true&approval=approved', member],
      'a page with facets, disputed (1 event in 1,000)': ['facets=true&disputed=true', member],
      'a page to review, lowest confidence first': ['to_review=true&sort=confidence', member],
      'a page with facets': ['facets=true', member],
      'a page with facets, as an admin': ['facets=true', admin],
      'a page with facets of a folder': [`facets=true&folder_id=${folderId}`, member],
      'a page with facets of a video': [`facets=true&video_id=${videoId}`, member],
      'a page with facets of a label that 1 event in 200 has': ['facets=true&label=red+car+7+brakes', member],
      'a page with facets, severe and sure (1 event in 50)': ['facets=true&severity=high&min_confidence=0.9', member],
      'a page with facets, by confidence': ['facets=true&sort=-confidence', member],
      'text search, a word that every fourth event has': ['q=brakes', member],
      'text search, a word that 1 event in 200 has': ['q=gadget7', member],
      'text search, two words that 1 event in 2,000 has': ['q=gadget7+brakes+tunnel', member],
      'text search, a word that 20 events have': ['q=needle3', member],
      'text search, a word that no event has': ['q=elephant', member],
      'text search with facets, a word that every fourth event has': ['facets=true&q=brakes', member],
      'text search with facets, a word that 1 event in 20 has': ['facets=true&q=tunnel', member],
      'text search with facets, a word that 1 event in 200 has': ['facets=true&q=gadget7', member],
      'text search with facets, a spoken word, during 1 event in 20': ['facets=true&q=forklift', member],
      'text search with facets, a spoken word, during 1 event in 2,000': ['facets=true&q=spoken7', member],
      'text search with facets, a word in frames, during 1 event in 1,000': ['facets=true&q=sign7', member],
      'text search with facets, a tag of 1 video in 100': ['facets=true&q=monsoon', member],
      'text search with facets, a word of notes, 1 event in 500': ['facets=true&q=windscreen', member],
      'text search, words of a label, a tag and a sentence': ['q=brakes+monsoon+forklift', member],
      'passages, a spoken word, 1 in 20': ['q=forklift', member, 'passages'],
      'passages, a spoken word, 1 in 2,000': ['q=spoken7', member, 'passages'],
      'passages, a word that none has': ['q=elephant', member, 'passages'],
      'passages of a folder': [`q=forklift&folder_id=${folderId}`, member, 'passages'],
      'passages as an admin': ['q=forklift', admin, 'passages'],
    };
    for (const [name, [query, key, path = 'events']] of Object.entries(requests)) {
      const ask = async () => {
        const response = await fetch(`${service.baseUrl}/api/${path}?${query}`, { headers: { 'x-api-key': key } });
        const body = await response.text();
        if (!response.ok) throw new Error(`${path}?${query} was answered with ${response.status}: ${body}`);
      };
      for (let i = 0; i < 5; i++) await ask();
      const times: number[] = [];
      for (let i = 0; i < ROUNDS; i++) times.push(await timed(ask));
      times.sort((a, b) => a - b);
      const note = `median ${times[ROUNDS / 2]!.toFixed(1)} ms`;
      rows.push({ name, value: times[Math.ceil(ROUNDS * 0.95) - 1]!, unit: 'ms', bar: { max: MAX_MS }, note });
    }
    return rows;
  } finally {
    await service.stop();
  }
}

/** Cursor after a number of pages of 500 events. */
async function pageAt({ baseUrl }: BenchmarkService, key: string, pages: number): Promise<string> {
  let cursor = '';
  for (let page = 0; page < pages; page++) {
    const response = await fetch(`${baseUrl}/api/events?limit=500&cursor=${cursor}`, { headers: { 'x-api-key': key } });
    if (!response.ok) throw new Error(`page ${page + 1} was answered with ${response.status}`);
    cursor = ((await response.json()) as { next_cursor: string }).next_cursor;
  }
  return cursor;
}

/** Events of 20 in each analysis, half of them personal, in 100 folders; a tenth of them belongs to somebody else. */
async function seed({ sightline, baseUrl }: BenchmarkService, count: number) {
  const owner = (await sightline.accounts.owner())!;
  const keyOf = async (scopes: ('read' | 'admin')[]) =>
    (await sightline.keys.create({ ...owner, name: scopes.join(), scopes })).key;
  const [member, admin] = [await keyOf(['read']), await keyOf(['admin'])];
  const pool = new pg.Pool({ ...sightline.database.connection, max: 1 });
  const other = newId();
  await pool.query(
    `insert into users (id, org_id, email, name, role) values ($1, $2, 'other@example.com', 'Other', 'member')`,
    [other, owner.orgId],
  );
  const analyses = Math.ceil(count / EVENTS_PER_ANALYSIS);
  // Loads a million rows in less than a minute: references are checked and indexes built at the end.
  const { rows: parts } = await pool.query(
    `select 'drop index ' || indexname as drop, indexdef as make from pg_indexes
     where tablename in ('analysis_events', 'video_passages') and indexname not like '%_pkey'`,
  );
  await pool.query(`set maintenance_work_mem = '256MB'`);
  for (const part of parts) await pool.query(part.drop);
  await pool.query(
    `insert into folders (id, org_id, created_by, scope, name, video_count)
     select md5('f' || n), $1, $2, 'org', 'Folder ' || n, 0 from generate_series(0, 99) n`,
    [owner.orgId, owner.userId],
  );
  const [org, mine, others] = [owner.orgId, owner.userId, other];
  const scope = `case when n % 2 = 0 then 'user' else 'org' end`;
  const ownerOf = `case when n % 10 = 0 then $3 else $2 end`;
  const folderOf = `case when n % 2 = 1 then md5('f' || n % 100) end`;
  await pool.query(
    `insert into videos (id, org_id, owner_id, scope, folder_id, name, source, status, storage_key, duration_s, tags, created_at)
     select ${idOf('n')}, $1, ${ownerOf}, ${scope}, ${folderOf}, 'drive-' || n || '.mp4', 'file', 'UPLOADED', 'none', 60,
       case when n % 100 = 7 then array['monsoon'] else '{}' end,
       to_timestamp((${FIRST_MS} + n * 1000.0) / 1000)
     from generate_series(1, $4::int) n`,
    [org, mine, others, analyses],
  );
  await pool.query(
    `insert into analyses (id, org_id, owner_id, video_id, position, scope, query, mode, status, events_indexed, created_at)
     select ${idOf('n')}, $1, ${ownerOf}, ${idOf('n')}, 0, ${scope}, 'find anything', 'fast', 'COMPLETED', true,
       to_timestamp((${FIRST_MS} + n * 1000.0) / 1000)
     from generate_series(1, $4::int) n`,
    [org, mine, others, analyses],
  );
  // Labels of a few words each, some frequent and some rare; a word in 20, in 200 and in 50,000 events.
  await pool.query(
    `insert into analysis_events
     select ${idOf('n')}, place, $1, ${ownerOf}, ${scope}, ${idOf('n')}, ${folderOf}, null,
       case place % 5 when 0 then 'light' when 1 then 'motion' else 'object' end, label,
       case when hash % 5 = 0 then 'high' when hash % 2 = 0 then 'medium' else 'low' end, hash % 1000 / 1000.0,
       place * 2, place * 2 + 1, '000-0', to_timestamp((${FIRST_MS} + n * 1000.0) / 1000),
       event_words($1, label || ' object find anything gadget' || hash % 200
         || case when hash % 20 = 0 then ' tunnel' else '' end || ' needle' || hash % 50000
         || case when n % 100 = 7 then ' monsoon ' else ' ' end || passage || coalesce(' ' || note, '')),
       case when hash % 10 = 3 then 'approved' else 'pending' end, false, hash % 1000 = 1, '{}',
       case when note is not null then $5::jsonb || jsonb_build_object('note', note) end
     from generate_series(1, $4::int) n, generate_series(0, ${EVENTS_PER_ANALYSIS - 1}) place,
       lateral (select abs(hashint8(n::bigint * 1000 + place)) as hash) hashed,
       lateral (select ${PASSAGE} as passage, case when hash % 500 = 2 then 'rain on the windscreen' end as note) said,
       lateral (select 'red car ' || hash / 7 % 50 || (array[' brakes', ' stops', ' turns left', ' passes'])[hash % 4 + 1]
         as label) labeled`,
    [org, mine, others, analyses, JSON.stringify(REVIEW)],
  );
  // A sentence or a text during each event.
  await pool.query(
    `insert into observations (video_id, kind, version, status, storage_key, passages_stored)
     select ${idOf('n')}, kind, '1', 'ready', 'none', true
     from generate_series(1, $1::int) n, unnest(array['subtitles', 'text']) kind`,
    [analyses],
  );
  await pool.query(
    `insert into video_passages
     select ${idOf('n')}, case when place % 2 = 0 then 'subtitles' else 'text' end, '1', place, $1, ${ownerOf}, ${scope},
       ${folderOf}, false, place * 2, place * 2 + 1, passage, event_words($1, passage_words(passage))
     from generate_series(1, $4::int) n, generate_series(0, ${EVENTS_PER_ANALYSIS - 1}) place,
       lateral (select abs(hashint8(n::bigint * 1000 + place)) as hash) hashed,
       lateral (select ${PASSAGE} as passage) said`,
    [org, mine, others, analyses],
  );
  for (const part of parts) await pool.query(part.make);
  await pool.query('vacuum analyze analysis_events, video_passages, observations, analyses, videos, folders');
  const { rows } = await pool.query(
    `select md5('f7') as folder, ${idOf(String(analyses - 1))} as video,
       (pg_total_relation_size('analysis_events') + pg_total_relation_size('video_passages')) / 1e6 as size`,
  );
  await pool.end();
  console.log(`rows and indexes: ${Math.round(rows[0].size)} MB (${baseUrl})`);
  return { member, admin, folderId: rows[0].folder as string, videoId: rows[0].video as string };
}

/** Reviews with a note. */
const REVIEW = { verdicts: [], reason: null, disputed: false, added: false, original: null };

/** The sentence or text during an event: a word of 1 in 20, and words of 1 sentence or text in 1,000. */
const PASSAGE = `case when place % 2 = 0
  then 'Please mind the ' || case when hash % 20 < 2 then 'forklift' else 'gap' end || ' spoken' || hash / 20 % 1000
  else 'sign' || hash % 500 end`;

/** The id of the n-th analysis or video in SQL. Like the service's own ids, it starts with its time. */
const idOf = (n: string) =>
  `lpad(to_hex(${FIRST_MS} + ${n} * 1000::bigint), 12, '0') || '7' || left(md5((${n})::text), 19)`;
