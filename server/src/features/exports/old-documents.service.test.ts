// Documents as the first version of the service stored them are shown, listed, decided and exported.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ExportsWorld, type Json, openExports } from './exports.fixture.ts';
import { type ExportFormat, FORMATS, formatOf } from './formats/index.ts';

/** The fields that the first version wrote, in each part of a document. */
const FIRST = {
  document: ['video_id', 'analysis_id', 'filename', 'analysis', 'metadata', 'events'],
  analysis: [
    'status',
    'analysis_id',
    'batch_id',
    'query',
    'mode',
    'answer',
    'created_at',
    'events',
    'summary',
    'coverage',
    'plan',
    'engine_version',
    'completed_at',
  ],
  coverage: ['text', 'status', 'by', 'reason', 'findings'],
  stored: [
    'event_id',
    'type',
    'time',
    'end_time',
    'description',
    'severity',
    'aiAnalysis',
    'approval',
    'start_s',
    'end_s',
    'data',
  ],
  data: ['confidence', 'annotated_thumbnail_url', 'start_s', 'end_s', 'start_pts', 'end_pts', 'time_base', 'evidence'],
  readable: [
    'event_id',
    'type',
    'category',
    'label',
    'description',
    'severity',
    'confidence',
    't_start',
    't_end',
    'start_s',
    'end_s',
    'start_pts',
    'end_pts',
    'time_base',
    'aiAnalysis',
    'approval',
    'annotated_thumbnail_url',
  ],
};

const pick = (value: Json, fields: readonly string[]): Json =>
  Object.fromEntries(Object.entries(value).filter(([name]) => fields.includes(name)));
const list = (value: unknown) => value as Json[];

/** A stored document without what later versions added. */
function toFirstVersion(stored: Json): Json {
  const document = pick(stored, FIRST.document);
  const analysis = pick(document.analysis as Json, FIRST.analysis);
  return {
    ...document,
    analysis: {
      ...analysis,
      coverage: list(analysis.coverage).map((part) => pick(part, FIRST.coverage)),
      events: list(analysis.events).map((event) => {
        const first = pick(event, FIRST.stored);
        return { ...first, data: pick(first.data as Json, FIRST.data) };
      }),
    },
    events: list(document.events).map((event) => pick(event, FIRST.readable)),
  };
}

let world: ExportsWorld;
const idsOf = (events: unknown) => list(events).map(({ event_id }) => event_id);

beforeAll(async () => {
  world = await openExports();
  const { db } = world.library.database;
  const stored = await db
    .selectFrom('analyses')
    .select('document')
    .where('id', '=', world.analysisId)
    .executeTakeFirstOrThrow();
  const first = toFirstVersion(JSON.parse(stored.document!));
  expect(Object.keys(first.analysis as Json).toSorted()).toEqual(FIRST.analysis.toSorted());
  await db.deleteFrom('analysisEvents').execute();
  await db
    .updateTable('analyses')
    .set({ document: JSON.stringify(first), eventsIndexed: false })
    .where('id', '=', world.analysisId)
    .execute();
  await world.analyses.eventIndex.indexEarlier(new AbortController().signal);
});
afterAll(() => world?.close());

test('it is shown, with its events in both forms', async () => {
  const { analysis, events } = await world.request('GET', `/api/videos/${world.videoId}/analyses/${world.analysisId}`);
  const ids = [0, 1, 2].map((index) => `${world.analysisId}-${index}`);
  expect([idsOf((analysis as Json).events), idsOf(events)]).toEqual([ids, ids]);
  expect(analysis).toMatchObject({ status: 'COMPLETED', query: 'a red car', answer: 'Three red cars.' });
  const status = await world.request('GET', `/api/videos/${world.videoId}/analyses/${world.analysisId}/status`);
  expect(status).toMatchObject({ status: 'COMPLETED' });
});

test('its events are listed as incidents, and decided', async () => {
  const listed = await world.request('GET', '/api/events?per=incident');
  expect(idsOf(listed.events)).toHaveLength(3);
  for (const event of list(listed.events)) expect(event.incident_id).toEqual(expect.any(String));
  const id = `${world.analysisId}-2`;
  await world.request('PATCH', `/api/events/${id}`, { approval: 'approved' });
  const approved = await world.request('GET', '/api/events?approval=approved');
  expect(idsOf(approved.events)).toContain(id);
});

/** They render footage around the same events, which takes a minute. */
const RENDERED: ExportFormat[] = ['zip', 'lerobot', 'recap'];
const WRITTEN = (Object.keys(FORMATS) as ExportFormat[]).filter((format) => !RENDERED.includes(format));

test.each(WRITTEN)('its events are exported as %s', async (format) => {
  const filter = formatOf(format).isPerVideo ? { video_ids: [world.videoId] } : {};
  const { bytes, event_count } = await world.exportAs(format, filter);
  expect(bytes.length).toBeGreaterThan(0);
  expect(event_count).toBeGreaterThan(0);
});
