// The rows of events against the documents they are derived from, and lists over them.
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { VideoEvent } from '#engine/index';
import { createEvent } from '#test/events';
import { jobsEnded } from '#test/jobs';
import { PUBLIC_URL } from '#test/library';
import { type EventWorld, openEventWorld, type Page, type Person } from './event-world.fixture.ts';

let world: EventWorld;
let standard: readonly VideoEvent[];
beforeAll(async () => {
  world = await openEventWorld();
  standard = world.engine.events;
});
afterEach(() => {
  world.engine.events = standard;
});
afterAll(() => world?.close());

const event = (index: number, more: Partial<VideoEvent>): VideoEvent => ({ ...createEvent(index), ...more });

describe('rows', () => {
  /** Reads the documents and returns the rows that follow from them. */
  async function expectedRows() {
    const { db } = world.library.database;
    const videos = await db.selectFrom('videos').selectAll().where('deletedAt', 'is', null).execute();
    const folders = new Set((await db.selectFrom('folders').select('id').execute()).map(({ id }) => id));
    const rows = [];
    for (const analysis of await db.selectFrom('analyses').selectAll().orderBy('id').execute()) {
      const video = videos.find(({ id }) => id === analysis.videoId);
      if (!video || analysis.status !== 'COMPLETED') continue;
      type Reviewed = { added: boolean; disputed: boolean; verdicts: { user_id: string }[] };
      type StoredEvent = Record<'type' | 'description' | 'severity' | 'approval', string> &
        Record<'start_s' | 'end_s', number>;
      type Image = { data: { confidence: number; annotated_thumbnail_url?: string } };
      const { events } = (
        JSON.parse(analysis.document!) as { analysis: { events: (StoredEvent & Image & { review?: Reviewed })[] } }
      ).analysis;
      const isForeign = video.scope === 'user' && video.ownerId !== analysis.ownerId;
      for (const [position, { data, review = null, ...stored }] of events.entries()) {
        rows.push({
          analysisId: analysis.id,
          position,
          orgId: analysis.orgId,
          ownerId: isForeign ? null : analysis.ownerId,
          scope: analysis.scope,
          videoId: video.id,
          folderId: video.folderId && folders.has(video.folderId) ? video.folderId : null,
          batchId: analysis.batchId,
          type: stored.type,
          label: stored.description,
          severity: stored.severity,
          confidence: data.confidence,
          startS: stored.start_s,
          endS: stored.end_s,
          image: data.annotated_thumbnail_url?.replace(`evidence:${analysis.id}:`, '').replace('!', '') ?? null,
          createdAt: analysis.createdAt,
          approval: stored.approval,
          added: review?.added ?? false,
          disputed: review?.disputed ?? false,
          reviewerIds: (review?.verdicts ?? []).map(({ user_id }) => user_id),
          review,
          leaseUserId: null,
          leaseUntil: null,
        });
      }
    }
    return rows;
  }

  async function storedRows() {
    const { db } = world.library.database;
    const folders = new Set((await db.selectFrom('folders').select('id').execute()).map(({ id }) => id));
    const rows = await db.selectFrom('analysisEvents').selectAll().orderBy('analysisId').orderBy('position').execute();
    return rows.map(({ words, incidentId, incidentSubject, footprint, implied, impliedBy, ...row }) => {
      expect([words, incidentId, incidentSubject, footprint].map((each) => !each)).toEqual([
        false,
        false,
        false,
        false,
      ]);
      // A deleted folder is the same as none.
      return { ...row, folderId: row.folderId && folders.has(row.folderId) ? row.folderId : null };
    });
  }

  test.each([1, 2, 3])('agree with the documents after any sequence of writes (seed %i)', async (seed) => {
    let state = seed;
    const random = (below: number) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return (state >>> 16) % below;
    };
    const pick = <T>(from: readonly T[]): T | undefined => from[random(from.length)];
    const { library } = world;
    const orgId = world.caller.orgId;
    const people = [world, await world.person(['read', 'write'], orgId), await world.person(['admin'], orgId)] as const;
    const [me, , admin] = people;
    const videos: string[] = [];
    const folders: (string | null)[] = [null];
    const done: string[] = [];
    const operations = {
      async add() {
        const scope = pick(['user', 'org'] as const)!;
        videos.push((await world.addAnalyzed(pick(people)!, standard.slice(0, random(4)), { scope })).videoId);
      },
      async addFolder() {
        const scope = pick(['user', 'org'] as const)!;
        folders.push((await library.folders.create(me.caller, { name: `Folder ${seed} ${folders.length}`, scope })).id);
      },
      async analyze() {
        const id = pick(videos);
        const video = id && (await library.videos.find(id));
        if (!video) return;
        world.engine.events = [event(random(9), { severity: 'high', confidence: 0.7 })];
        await world.analyze(video.id, pick(people)!.caller);
      },
      async review() {
        const rows = library.database.db.selectFrom('analysisEvents').selectAll();
        const event = pick(await rows.orderBy('analysisId').orderBy('position').execute());
        if (!event) return;
        const change = { approval: pick(['approved', 'rejected', 'pending'] as const)!, label: `car ${random(3)}` };
        await library.review.change(admin.caller, [`${event.analysisId}-${event.position}`], change, null);
      },
      move: () => library.videos.moveMany(me.caller, [pick(videos)!], pick(folders)!),
      trash: () => library.videos.removeMany(admin.caller, [pick(videos)!]),
      restore: () => library.videos.restoreMany(admin.caller, [...videos]),
      erase: () => library.videos.removeMany(admin.caller, [pick(videos)!], { erase: true }),
      async deleteFolder() {
        const id = pick(folders.filter((folder) => folder !== null));
        if (!id) return;
        const videos = pick(['move_to_root', 'delete'] as const)!;
        await world.api.call('DELETE', `/api/folders/${id}?videos=${videos}`, { key: admin.key });
        folders.splice(folders.indexOf(id), 1);
        // Its videos are removed by a job.
        await jobsEnded(library.database);
      },
    };
    const frequent = ['add', 'analyze', 'review', 'move', 'trash', 'restore'] as const;
    for (const name of ['add', 'add', 'addFolder', 'addFolder', 'move'] as const) await operations[name]();
    for (let step = 0; step < 25; step++) {
      const rare = Object.keys(operations) as (keyof typeof operations)[];
      const name = random(4) > 0 ? pick(frequent)! : pick(rare)!;
      done.push(name);
      await operations[name]();
    }
    await jobsEnded(library.database);
    expect(await storedRows(), done.join()).toEqual(await expectedRows());
    expect((await expectedRows()).length).toBeGreaterThan(0);
  });

  test('are derived for analyses of an earlier version, and only once', async () => {
    const { db } = world.library.database;
    await world.addAnalyzed(world, standard);
    const before = await storedRows();
    await db.deleteFrom('analysisEvents').execute();
    await db.updateTable('analyses').set({ eventsIndexed: false }).execute();
    const { signal } = new AbortController();
    // Two nodes at the same time.
    await Promise.all([1, 2].map(() => world.analyses.eventIndex.indexEarlier(signal)));
    expect(await storedRows()).toEqual(before);
    const left = await db
      .selectFrom('analyses')
      .select('id')
      .where('eventsIndexed', '=', false)
      .orderBy('id')
      .execute();
    const running = await db
      .selectFrom('analyses')
      .select('id')
      .where('status', '<>', 'COMPLETED')
      .orderBy('id')
      .execute();
    expect(left).toEqual(running);
  });
});

describe('lists', () => {
  test('have what a result shows, with an image that needs no key', async () => {
    const me = await world.person(['read', 'write']);
    const folder = await world.library.folders.create(me.caller, { name: 'Night' });
    const { videoId, analysisId } = await world.addAnalyzed(
      me,
      standard,
      { folderId: folder.id, name: 'a.mp4' },
      'find cars',
    );
    const { events, facets, has_more, next_cursor } = await world.list('', me);
    expect({ facets, has_more, next_cursor }).toEqual({ facets: null, has_more: false, next_cursor: null });
    expect(events.map(({ event_id }) => event_id)).toEqual([2, 1, 0].map((n) => `${analysisId}-${n}`));
    expect(events[2]).toEqual({
      event_id: `${analysisId}-0`,
      incident_id: `${analysisId}-0`,
      incident: null,
      implied: null,
      analysis_id: analysisId,
      video_id: videoId,
      video_name: 'a.mp4',
      video_duration_s: 12.5,
      folder_id: folder.id,
      folder_name: 'Night',
      batch_id: null,
      query: 'find cars',
      type: 'object',
      label: 'red car 0',
      severity: 'medium',
      confidence: 0.8,
      start_s: 0.34,
      start_at: null,
      end_at: null,
      time_zone: null,
      end_s: 1.5,
      annotated_thumbnail_url: expect.stringContaining(`${PUBLIC_URL}/api/evidence/${analysisId}/000-0.jpg?token=`),
      approval: 'pending',
      review: null,
      assigned_to: null,
      assigned_until: null,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      matches: [],
    });
    expect(events[0]!.annotated_thumbnail_url).toBeNull();
    const { pathname, search } = new URL(String(events[2]!.annotated_thumbnail_url));
    expect((await world.api.call('GET', pathname + search)).status).toBe(200);
  });

  test('are filtered, counted and sorted', async () => {
    const me = await world.person(['read', 'write']);
    const folder = await world.library.folders.create(me.caller, { name: 'Day' });
    const light = { category: 'light', severity: 'high', confidence: 0.9 } as const;
    const dark = await world.addAnalyzed(
      me,
      [event(0, { label: 'It gets dark', ...light }), event(1, { label: "O'Neil \\ 100%" })],
      { folderId: folder.id, name: 'one.mp4' },
      'find tunnels',
    );
    const cars = await world.addAnalyzed(
      me,
      [0, 1, 2].map((n) => event(n, { label: 'Red car brakes', confidence: 0.5 + n / 10 })),
      { name: 'two.mp4' },
    );
    const labels = async (query: string) => (await world.list(query, me)).events.map(({ label }) => label);
    const three = Array(3).fill('Red car brakes');
    expect(await labels('?q=car')).toEqual([...three]);
    expect(await labels('?q=CARS%20braking')).toEqual(three);
    expect(await labels('?q=tunnel%20dark')).toEqual(['It gets dark']);
    expect(await labels('?q=tunnel%20brake')).toEqual([]);
    expect(await labels('?q=the')).toEqual([]);
    expect(await labels(`?q=${encodeURIComponent("O'Neil \\ 100%")}`)).toEqual(["O'Neil \\ 100%"]);
    expect(await labels(`?label=${encodeURIComponent("O'Neil \\ 100%")}`)).toEqual(["O'Neil \\ 100%"]);
    expect(await labels('?type=light')).toEqual(['It gets dark']);
    expect(await labels('?severity=high')).toEqual(['It gets dark']);
    expect(await labels('?min_confidence=0.85')).toEqual(['It gets dark']);
    expect(await labels(`?folder_id=${folder.id}`)).toEqual(["O'Neil \\ 100%", 'It gets dark']);
    expect(await labels(`?video_id=${cars.videoId}`)).toEqual(three);
    expect(await labels('?batch_id=0123')).toEqual([]);
    expect(await labels('?created_before=2026-01-01T00:00:00Z')).toEqual([]);
    expect(await labels('?created_after=2026-01-01T00:00:00Z&limit=1')).toHaveLength(1);
    const byConfidence = (await world.list('?sort=-confidence', me)).events.map(({ confidence }) => confidence);
    expect(byConfidence).toEqual([0.9, 0.8, 0.7, 0.6, 0.5]);

    const { facets } = await world.list('?facets=true&limit=1', me);
    expect(facets).toEqual({
      total: 5,
      is_complete: true,
      labels: [
        { value: 'Red car brakes', count: 3 },
        { value: 'It gets dark', count: 1 },
        { value: "O'Neil \\ 100%", count: 1 },
      ],
      types: [
        { value: 'object', count: 4 },
        { value: 'light', count: 1 },
      ],
      severities: [
        { value: 'medium', count: 4 },
        { value: 'high', count: 1 },
      ],
      approvals: [{ value: 'pending', count: 5 }],
      folders: [{ id: folder.id, name: 'Day', count: 2 }],
      videos: [
        { id: cars.videoId, name: 'two.mp4', count: 3 },
        { id: dark.videoId, name: 'one.mp4', count: 2 },
      ],
    });
    expect((await world.list('?facets=true&q=dark', me)).facets).toMatchObject({ total: 1, folders: [{ count: 1 }] });
    expect((await world.list('?facets=true&q=nothing', me)).facets).toMatchObject({ total: 0, labels: [], videos: [] });
  });

  test('return each event once across pages, in either order', async () => {
    const [me, colleague] = [await world.person(['read', 'write']), await world.person(['read'])];
    for (const scope of ['user', 'org', 'user'] as const)
      await world.addAnalyzed(
        me,
        [0, 1, 2].map((n) => event(n, { confidence: 0.5 + (n % 2) / 10 })),
        { scope },
      );
    for (const sort of ['-created_at', '-confidence']) {
      const seen: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page: Page = await world.list(`?limit=2&sort=${sort}${cursor && `&cursor=${cursor}`}`, me);
        expect(page.has_more).toBe(page.next_cursor !== null);
        seen.push(...page.events.map(({ event_id }) => event_id));
        cursor = page.next_cursor;
      }
      expect([seen.length, new Set(seen).size]).toEqual([9, 9]);
      expect(seen).toEqual((await world.list(`?sort=${sort}`, me)).events.map(({ event_id }) => event_id));
      const { next_cursor } = await world.list(`?limit=2&sort=${sort}`, me);
      const other = sort === '-confidence' ? '-created_at' : '-confidence';
      const wrong = await world.api.call('GET', `/api/events?sort=${other}&cursor=${next_cursor}`, { key: me.key });
      expect(wrong).toMatchObject({ status: 400, json: { error: 'cursor_invalid' } });
    }
    expect((await world.list('', colleague)).events).toEqual([]);
    for (const query of ['?limit=0', '?cursor=x', '?min_confidence=2', '?severity=none', '?sort=label', '?q=a%00b']) {
      expect((await world.api.call('GET', `/api/events${query}`, { key: me.key })).status, query).toBe(400);
    }
  });

  test('show what the caller may read: shared events, and personal ones of their own', async () => {
    const me = await world.person(['read', 'write']);
    const [orgId, ids] = [me.caller.orgId, (page: Page) => page.events.map(({ video_id }) => video_id)];
    const colleague = await world.person(['read', 'write'], orgId);
    const admin = await world.person(['admin'], orgId);
    const one = standard.slice(0, 1);
    const mine = (await world.addAnalyzed(me, one)).videoId;
    const shared = (await world.addAnalyzed(colleague, one, { scope: 'org' })).videoId;
    const theirs = (await world.addAnalyzed(colleague, one)).videoId;
    expect(ids(await world.list('', me))).toEqual([shared, mine]);
    expect(ids(await world.list('', colleague))).toEqual([theirs, shared]);
    expect(ids(await world.list('', admin))).toEqual([theirs, shared, mine]);
    expect((await world.list('?facets=true', me)).facets.total).toBe(2);
    // An admin's analysis of a personal video of somebody else: with a lesser key, the video is not readable.
    await world.analyze(mine, admin.caller);
    const lesser = (await world.library.keys.create({ ...admin.caller, name: 'lesser', scopes: ['read'] })).key;
    expect(ids(await world.list('', admin))).toEqual([mine, theirs, shared, mine]);
    expect(ids(await world.list('', { key: lesser }))).toEqual([shared]);
    const folder = await world.library.folders.create(me.caller, { name: 'All', scope: 'org' });
    await world.library.videos.update(me.caller, mine, { folderId: folder.id });
    expect(ids(await world.list('', { key: lesser }))).toEqual([mine, shared]);
    const refused = await world.api.call('GET', `/api/events?video_id=${theirs}`, { key: me.key });
    expect(refused).toMatchObject({ status: 403, json: { error: 'video_forbidden' } });
    const limited = await world.library.keys.create({ ...me.caller, name: 'limited', folderId: folder.id });
    expect(ids(await world.list('?facets=true', limited))).toEqual([mine]);
  });

  test('have facets of the newest events only, if there are many', async () => {
    const me = await world.person(['read', 'write']);
    const { analysisId } = await world.addAnalyzed(me, [event(0, { label: 'the first' })]);
    const addMore = (from: number, to: number) =>
      sql`
        insert into analysis_events (analysis_id, position, org_id, owner_id, scope, video_id, type, label, severity,
          confidence, start_s, end_s, created_at, words)
        select analysis_id, n, org_id, owner_id, scope, video_id, type, 'label ' || n / 100 % 2, severity, confidence,
          start_s, end_s, created_at, words
        from analysis_events, generate_series(${from}::int, ${to}::int) n
        where analysis_id = ${analysisId} and position = 0`.execute(world.library.database.db);
    await addMore(1, 9_998);
    expect((await world.list('?facets=true', me)).facets).toMatchObject({ total: 9_999, is_complete: true });
    await addMore(9_999, 9_999);
    expect((await world.list('?facets=true', me)).facets).toMatchObject({ total: 10_000, is_complete: false });
    await addMore(10_000, 19_999);
    const labels = [
      { value: 'label 0', count: 500 },
      { value: 'label 1', count: 500 },
    ];
    expect((await world.list('?facets=true', me)).facets).toMatchObject({ total: 1_000, is_complete: false, labels });
    const rare = (await world.list('?facets=true&label=the+first', me)).facets;
    expect(rare).toMatchObject({ total: 1, is_complete: true });
  });

  test('are counted in rows of the library, with posters', async () => {
    const me = await world.person(['read', 'write']);
    const colleague = await world.person(['read'], me.caller.orgId);
    const labels = ['d', 'b', 'b', 'c', 'c', 'c', 'a'].map((label, n) => event(n, { label }));
    const { videoId } = await world.addAnalyzed(me, labels, { scope: 'org' });
    const silent = (await world.addAnalyzed(me, [])).videoId;
    const rejected = (await world.list('?label=b', me)).events.map(({ event_id }) => event_id);
    const json = { event_ids: rejected, approval: 'rejected' };
    expect((await world.api.call('POST', '/api/events/review', { key: me.key, json })).status).toBe(200);
    const rows = async ({ key }: Pick<Person, 'key'>, query = '?include=poster,events') => {
      const { json } = await world.api.call('GET', `/api/videos${query}`, { key });
      return json.videos as { video_id: string; poster_url?: string; events?: object }[];
    };
    const top = [
      { value: 'c', count: 3 },
      { value: 'b', count: 2 },
      { value: 'a', count: 1 },
    ];
    expect(await rows(me)).toMatchObject([
      { video_id: silent, poster_url: expect.any(String), events: { count: 0, pending: 0, labels: [] } },
      { video_id: videoId, poster_url: expect.any(String), events: { count: 7, pending: 5, labels: top } },
    ]);
    const [row] = await rows(colleague);
    expect(row!.events).toEqual({ count: 7, incidents: 7, pending_incidents: 5, pending: 5, labels: top });
    const { pathname, search } = new URL(row!.poster_url!);
    expect(pathname).toBe(`/api/media/${videoId}/poster.jpg`);
    const posted = await world.api.call('GET', pathname + search.slice(0, -1));
    expect(posted).toMatchObject({ status: 403, json: { error: 'playback_url_invalid' } });
    expect((await rows(me, '?include=events'))[0]).not.toHaveProperty('poster_url');
    expect((await rows(me, ''))[0]).not.toHaveProperty('events');
    const pending = await world.library.add(me.caller);
    expect((await rows(me))[0]).toMatchObject({ video_id: pending, poster_url: null });
    const refused = await world.api.call('GET', '/api/videos?include=tags', { key: me.key });
    expect(refused).toMatchObject({ status: 400, json: { error: 'request_invalid' } });
  });
});
