// Datasets that are explored: events with fields of their queries and with fields that are added later.
import { describe, expect, test, vi } from 'vitest';
import { sceneClip } from '#test/media/clips';
import { askAndFollow, createWorld } from '../../batches/world.fixture.ts';
import { EVENT_FIELDS, facetTable, filterFields } from './fields.ts';
import { readFilter } from './filter.ts';
import type { DatasetEvent, EventField, Taxonomy } from './types.ts';

const world = createWorld();
const WAIT = { timeout: 60_000, interval: 100 };
const SCHEMA = {
  label: 'Light',
  fields: [
    { name: 'light', type: 'enum', values: ['the picture is dark', 'the picture is bright'], required: false },
    { name: 'seconds', type: 'number', description: 'start', required: false },
    { name: 'start', type: 'number' },
  ],
};

type Json = Record<string, unknown>;

/** A service with the events of real footage in a dataset, and how to call it. */
async function explore() {
  const on = await world.realNode();
  const videoId = await world.video({ path: await sceneClip() });
  const query = 'the picture gets dark, a hard cut';
  const { batchId } = await askAndFollow(on, { query, video_id: videoId, output_schema: SCHEMA });
  const call = async (method: string, path: string, json?: object, key = 'alice') => {
    const { status, json: body } = await on.api.call(method, path, json ? { key, json } : { key });
    return { ...body, http: status } as Json & { http: number };
  };
  const dataset = await call('POST', '/api/datasets', { title: 'Lights', batch_ids: [batchId], vertical: 'tests' });
  const id = String(dataset.id);
  const filter = async (where: object, page: object = {}) => {
    const found = await call('POST', `/api/marketplace/datasets/${id}/filter-events`, { where, ...page });
    return found as typeof found & { events: Json[]; total: number; next_offset: number | null };
  };
  return { on, call, dataset, id, batchId, videoId, filter };
}

test('the fields of queries are the first taxonomy of a dataset, and its events are filtered by them', async () => {
  const { call, dataset, id, batchId, videoId, filter } = await explore();
  expect(dataset).toMatchObject({
    http: 200,
    title: 'Lights',
    vertical: 'tests',
    status: 'ready',
    buckets: [{ sub_batch_id: batchId }],
    output_schemas: [{ source: 'batch', status: 'done', schema: { label: 'Light' } }],
  });
  expect(await call('GET', `/api/public/datasets/${id}`)).toEqual(dataset);
  expect((await call('GET', '/api/datasets/mine')).datasets).toEqual([expect.objectContaining({ id })]);
  const names = async () =>
    ((await call('GET', `/api/marketplace/datasets/${id}/structured-filter-schema`)).fields as EventField[]).map(
      ({ name }) => name,
    );
  expect(await names()).toEqual([...EVENT_FIELDS.map(({ name }) => name), 'light', 'seconds', 'start']);

  const all = await filter({ video_id: videoId });
  expect(all.total).toBeGreaterThan(1);
  expect(all.events).toHaveLength(all.total);
  for (const { values, start_time } of all.events) expect((values as Json).start).toBe(start_time);
  const dark = await filter({ light: 'the picture is dark' });
  expect(dark.events.length).toBeGreaterThan(0);
  expect(dark.total).toBeLessThan(all.total);
  const late = await filter({ start: '> 5', confidence: '>= 0.1' });
  expect(late.events.map(({ start_time }) => start_time)).toEqual(
    all.events.map(({ start_time }) => start_time as number).filter((start) => start > 5),
  );
  const either = await filter({ or: [{ start: '<= 5' }, { and: [{ start: '> 5' }, { type: ['light', 'cut'] }] }] });
  expect(either.total).toBe(all.total);

  const pages = [];
  for (let offset: number | null = 0; offset !== null; ) {
    const page: { events: Json[]; next_offset: number | null } = await filter(
      { video_id: videoId },
      { offset, limit: 1 },
    );
    pages.push(...page.events);
    offset = page.next_offset;
  }
  expect(pages).toEqual(all.events);

  const facets = await call('GET', `/api/marketplace/datasets/${id}/facet-rows`);
  expect(facets).toMatchObject({
    available: true,
    truncated: false,
    fields: [{ name: 'light', values: ['the picture is dark', 'the picture is bright'] }],
    event_refs: all.events.map(({ event_id, video_id }) => ({ event_id, video_id, batch_id: batchId })),
  });
  const isDark = all.events.map(({ event_id }) => dark.events.some((event) => event.event_id === event_id));
  expect((facets.rows as number[][]).map(([cell]) => cell === 0)).toEqual(isDark);

  expect(await filter({ weather: 'rain' })).toMatchObject({
    http: 400,
    error: 'dataset_filter_invalid',
    message: expect.stringMatching(/"weather".*label, type, .*light, seconds, start/),
  });
  expect((await call('GET', `/api/public/datasets/${id}`, undefined, 'bob')).http).toBe(403);
});

test('events of a dataset are found by words, and only they', async () => {
  const { on, call, id, videoId, filter } = await explore();
  await askAndFollow(on, { query: 'the picture gets dark', video_id: videoId });
  const search = (more: object) =>
    call('POST', `/api/marketplace/datasets/${id}/semantic-search`, {
      query: 'picture gets dark',
      deep: true,
      ...more,
    });
  const found = await search({ top_k: 10 });
  const events = found.events as Json[];
  expect(found).toMatchObject({ index_status: 'ready', ranking: 'words', total: events.length });
  expect(events[0]).toMatchObject({ video_id: videoId, score: 1, match_reason: expect.stringMatching(/dark/) });
  const known = (await filter({ video_id: videoId })).events.map(({ event_id }) => event_id);
  for (const { event_id } of events) expect(known).toContain(event_id);
  expect((await search({ structured_where: { start: '< 0' } })).events).toEqual([]);
  expect((await search({ structured_where: { nothing: 1 } })).http).toBe(400);
  const selected = await call('POST', `/api/marketplace/datasets/${id}/resolve-criteria`, {
    query: 'picture gets dark',
    min_match_pct: 100,
  });
  expect(selected).toMatchObject({ ranking: 'words', truncated: false });
  expect((selected.events as Json[]).every(({ score }) => score === 1)).toBe(true);
});

test('a taxonomy that is added later classifies all events, or states why it cannot', async () => {
  const { call, id, filter } = await explore();
  const path = `/api/marketplace/datasets/${id}/taxonomy`;
  const add = (label: string, fields: object[], key?: string) => call('POST', path, { label, fields }, key);
  async function ended(started: Json): Promise<Json> {
    expect(started).toMatchObject({ http: 200, status: 'processing', dataset_id: id });
    const { sub_batch_id } = started.fast_taxonomy as { sub_batch_id: string };
    return vi.waitFor(async () => {
      const state = await call('GET', `${path}/${sub_batch_id}/status?wait_s=5`);
      expect(state.status).not.toBe('processing');
      const published = await call('POST', `${path}/${sub_batch_id}/materialize`);
      expect(published).toEqual(state);
      return state;
    }, WAIT);
  }
  const fields = [
    { name: 'is_dark', type: 'boolean', description: 'the picture is dark' },
    { name: 'duration', type: 'number' },
    { name: 'weather', type: 'enum', values: ['hail', 'snow'] },
  ];
  expect(await ended(await add('Picture', fields))).toMatchObject({
    http: 200,
    status: 'done',
    error: null,
    analyses_done: 1,
    analyses_total: 1,
    total_fields: 3,
    completed_fields: ['is_dark', 'duration', 'weather'],
  });
  const dark = await filter({ is_dark: true });
  expect(dark.total).toBeGreaterThan(0);
  expect((await filter({ is_dark: 'false' })).total).toBeGreaterThan(0);
  for (const { values, start_time, end_time } of dark.events)
    expect((values as Json).duration).toBeCloseTo((end_time as number) - (start_time as number), 2);
  expect((await filter({ weather: ['hail', 'snow'] })).total).toBe(0);

  expect(await ended(await add('Mood', [{ name: 'mood', type: 'enum', values: ['happy', 'sad'] }]))).toMatchObject({
    status: 'failed',
    completed_fields: [],
    error: expect.stringMatching(/^mood: .*SIGHTLINE_VISION_URL/),
  });
  expect((await filter({ mood: 'happy' })).http).toBe(400);

  const refusals = [
    await add('Again', [{ name: 'light', type: 'enum', values: ['a', 'b'] }]),
    await add('Text', [{ name: 'note', type: 'text' }]),
    await add('None', []),
    await call('GET', `${path}/019a0b1c2d3e7f008000000000000099/status`),
    await add('Foreign', [{ name: 'x', type: 'boolean' }], 'bob'),
  ];
  expect(refusals.map(({ http, error }) => [http, error])).toEqual([
    [409, 'dataset_field_exists'],
    [400, 'taxonomy_scope_invalid'],
    [400, 'output_schema_invalid'],
    [404, 'taxonomy_not_found'],
    [403, 'dataset_forbidden'],
  ]);
});

test('a dataset of folders has the videos that are in them, and their analyses', async () => {
  const { call, videoId } = await explore();
  const folderId = String((await call('POST', '/api/folders', { name: 'Drives', scope: 'user' })).id);
  expect((await call('PATCH', `/api/video/${videoId}`, { folder_id: folderId })).http).toBe(200);
  const made = await call('POST', '/api/datasets', { title: 'Folder', folder_ids: [folderId] });
  expect(made).toMatchObject({ http: 200, stats: { video_count: 1 }, output_schemas: [{ source: 'batch' }] });
  const { events } = await call('POST', `/api/marketplace/datasets/${made.id}/filter-events`, {
    where: { video_id: videoId },
  });
  expect((events as Json[]).length).toBeGreaterThan(1);
  for (const contents of [{}, { batch_ids: ['a'], folder_ids: ['b'] }])
    expect(await call('POST', '/api/datasets', { title: 'x', ...contents })).toMatchObject({
      http: 400,
      error: 'dataset_contents_unclear',
    });
});

const field = (name: string, type: EventField['type'], more: Partial<EventField> = {}): EventField => ({
  name,
  type,
  description: null,
  values: null,
  repeated: false,
  required: true,
  ...more,
});
const taxonomy = (...fields: EventField[]): Taxonomy => ({
  id: null,
  label: 'a',
  fields,
  status: 'done',
  reason: null,
  analysesDone: 1,
  analysesTotal: 1,
});

describe('filters', () => {
  const fields = filterFields([
    taxonomy(field('kind', 'enum', { values: ['car', 'bus'] }), field('speed', 'number'), field('wet', 'boolean')),
  ]);
  const deep = (levels: number): unknown => (levels === 0 ? { kind: 'car' } : { and: [deep(levels - 1)] });

  test('are read as conditions', () => {
    expect(readFilter({ kind: 'car' }, fields)).toEqual({ kind: 'equals', field: 'kind', values: ['car'] });
    expect(readFilter({ speed: ' <=-5.5', wet: ['true', false] }, fields)).toEqual({
      kind: 'and',
      of: [
        { kind: 'compare', field: 'speed', operator: '<=', value: -5.5 },
        { kind: 'equals', field: 'wet', values: [true, false] },
      ],
    });
    expect(readFilter({ or: [{ speed: '5' }, { label: '< 5' }] }, fields)).toEqual({
      kind: 'or',
      of: [
        { kind: 'equals', field: 'speed', values: [5] },
        { kind: 'equals', field: 'label', values: ['< 5'] },
      ],
    });
  });

  test.each([
    [null, /must be an object/],
    [[], /must be an object/],
    [{}, /is empty/],
    [{ and: [] }, /`where.and` must be a list/],
    [{ or: [{ kind: 'car' }, 5] }, /`where.or\[1\]` must be an object/],
    [{ kind: 'train' }, /values car, bus/],
    [{ kind: [] }, /needs 1 to 200 values/],
    [{ speed: 'fast' }, /takes a number/],
    [{ speed: { gt: 5 } }, /takes a number/],
    [{ wet: 'maybe' }, /true or false/],
    [{ label: 5 }, /takes text/],
    [{ __proto__x: 1 }, /no field "__proto__x"/],
    [deep(20), /nested more than/],
    [{ or: Array.from({ length: 201 }, () => ({ kind: 'car' })) }, /at most 200 conditions/],
  ])('a filter is refused: %#', (where, message) => {
    expect(() => readFilter(where, fields)).toThrow(message);
  });
});

test('a facet table has indexes of values, lists for repeated fields, and -1 for none', () => {
  const event = (fieldValues: Json) => ({ fieldValues }) as unknown as DatasetEvent;
  const taxonomies = [
    taxonomy(field('kind', 'enum', { values: ['car', 'bus'] }), field('note', 'text')),
    taxonomy(field('kind', 'enum', { values: ['bus', 'van'] }), field('wet', 'boolean')),
    taxonomy(field('colors', 'enum', { values: ['red', 'blue'], repeated: true })),
  ];
  const events = [event({ kind: 'van', wet: true, colors: ['blue', 'red'] }), event({ kind: 'lorry', wet: false })];
  expect(facetTable(taxonomies, events)).toEqual({
    fields: [
      { name: 'kind', values: ['car', 'bus', 'van'] },
      { name: 'wet', values: ['true', 'false'] },
      { name: 'colors', values: ['red', 'blue'] },
    ],
    rows: [
      [2, 0, [1, 0]],
      [-1, 1, []],
    ],
  });
});
