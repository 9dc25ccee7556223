// Saved questions after an upgrade: a node whose grammar reads the words otherwise has saved them in the same database.
import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { createEngine, Plan } from '#engine/index';
import { createReadings } from '#engine/plan/index';
import { startTestNode, type TestNode } from '#test/app';
import { jobsEnded } from '#test/jobs';
import { openLibrary, type TestLibrary } from '#test/library';
import { SCENE, sceneClip } from '#test/media/clips';

type Json = Record<string, unknown>;
type Reading = {
  state: string;
  interpretation: string | null;
  engine_version: string;
  problem: string | null;
  proposed: { reading_id: string; interpretation: string; engine_version: string } | null;
};
const FINISHED = { timeout: 120_000, interval: 50 };
const DARK = 'the picture is dark';
/** The earlier version takes the words for this. */
const CUT = 'a cut';

let library: TestLibrary;
let earlier: TestNode;
let key: string;
let caller: Awaited<ReturnType<TestLibrary['keyOf']>>['caller'];
let videos = 0;

beforeAll(async () => {
  library = await openLibrary({}, { worker: true });
  ({ key, caller } = await library.keyOf(library.owner, ['read', 'write']));
  earlier = await startTestNode(library.env, {
    roles: { api: true, worker: false },
    overrides: { engine: earlierEngine(), media: library.media },
  });
});
afterEach(async () => {
  await library.database.db.deleteFrom('savedQuestions').execute();
  await jobsEnded(library.database);
});
afterAll(async () => {
  await earlier?.close();
  await library?.close();
});

/** An engine of version 1 that takes the prompt about darkness for one about cuts. */
function earlierEngine(): ReturnType<typeof createEngine> {
  const { engine } = library;
  const swapped = (query: string) => query.replace(DARK, CUT);
  const restored = (plan: Plan, query: string) => ({ ...plan, query });
  return {
    ...engine,
    version: '1',
    plan: (query, zones) => restored(engine.plan(swapped(query), zones), query),
    read: async (query, options) => restored(await engine.read(swapped(query), options), query),
    readings: createReadings({
      checkPlan: engine.checkPlan,
      planQuery: (query, zones) => engine.plan(swapped(query), zones),
    }),
  };
}

const call = (method: string, path: string, json?: object, as = key, on = library.api) =>
  on.call(method, `/api/saved-questions${path}`, { key: as, ...(json && { json }) });
async function succeed(...request: Parameters<typeof call>): Promise<Json> {
  const answer = await call(...request);
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
}
/** Saves a question through the earlier version. */
const saveEarlier = async (more: object = {}) =>
  String((await succeed('POST', '', { name: 'Dark', query: DARK, ...more }, key, earlier.api)).saved_question_id);
const readingOf = async (id: string, on = library.api) =>
  (await succeed('GET', `/${id}`, undefined, key, on)).reading as Reading;
const decide = (id: string, decision: string, reading_id: string, as = key) =>
  call('POST', `/${id}/reading`, { reading_id, decision }, as);

/** A video of the scene with bytes of its own: a job deletes the file of one that repeats another. */
async function addVideo(more: { folderId?: string } = {}): Promise<string> {
  const path = await sceneClip();
  const free = Buffer.from([0, 0, 0, 9, ...Buffer.from('free'), videos++]);
  const probe = await library.media.probe(path);
  return library.addStored(caller, Buffer.concat([await readFile(path), free]), { probe, ...more });
}

/** The newest run of a question once it has ended: its label, and when the first event starts. */
async function runOf(id: string, videoId: string) {
  const runs = async () => (await succeed('GET', `/${id}/runs`)).runs as Json[];
  const find = async () => (await runs()).find((run) => run.video_id === videoId);
  await expect.poll(async () => (await find())?.status, FINISHED).toMatch(/completed|failed/);
  const run = (await find())!;
  if (run.status === 'failed') return { error: run.error, message: run.message };
  const { json } = await library.api.call('GET', `/api/videos/${videoId}/analyses/${run.analysis_id}`, { key });
  const { interpretation, events, plan } = json.analysis as Json & { events: { start_s: number }[]; plan: Plan };
  return { interpretation, startS: Math.round(events[0]!.start_s), query: plan.query };
}
const audited = async (id: string) =>
  (
    await library.database.db
      .selectFrom('auditEvents')
      .select(['action', 'outcome', 'detail'])
      .where('subjectId', '=', id)
      .where('outcome', '=', 'succeeded')
      .orderBy('id')
      .execute()
  ).map(({ action, detail }) => [action, (detail as Json).decision ?? null]);

const AS_CUT = { interpretation: 'Understood as: cut to another shot.', startS: Math.round(SCENE.cutS), query: DARK };
const AS_DARK = {
  interpretation: 'Understood as: picture is dark.',
  startS: Math.round(SCENE.dark.startS),
  query: DARK,
};

test('runs by the stored reading until somebody accepts the other one', { timeout: 300_000 }, async () => {
  const id = await saveEarlier();
  expect(await readingOf(id, earlier.api)).toEqual({
    state: 'current',
    interpretation: AS_CUT.interpretation,
    engine_version: '1',
    problem: null,
    proposed: null,
  });
  const reading = await readingOf(id);
  expect(reading).toEqual({
    state: 'differs',
    interpretation: AS_CUT.interpretation,
    engine_version: '1',
    problem: null,
    proposed: {
      reading_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      interpretation: AS_DARK.interpretation,
      engine_version: library.engine.version,
    },
  });
  expect(await runOf(id, await addVideo())).toEqual(AS_CUT);
  // Changes of anything but the words leave the reading as it is.
  await succeed('PATCH', `/${id}`, { name: 'Darkness', query: DARK, min_confidence: 0.4 });
  expect(await readingOf(id)).toEqual(reading);

  const proposed = reading.proposed!.reading_id;
  const accepted = await Promise.all([decide(id, 'accept', proposed), decide(id, 'accept', proposed)]);
  expect(accepted.map(({ status }) => status)).toEqual([200, 200]);
  expect(accepted[0]!.json.reading).toMatchObject({
    state: 'current',
    interpretation: AS_DARK.interpretation,
    engine_version: library.engine.version,
    proposed: null,
  });
  expect(await audited(id)).toEqual([
    ['saved_question.created', null],
    ['saved_question.changed', null],
    ['saved_question.reading_decided', 'accept'],
  ]);
  expect(await runOf(id, await addVideo())).toEqual(AS_DARK);
  // The earlier version keeps to what was accepted, and proposes its own.
  expect(await readingOf(id, earlier.api)).toMatchObject({ state: 'differs', interpretation: AS_DARK.interpretation });
});

test('on existing videos and in retries, too, with the zones of each video', { timeout: 300_000 }, async () => {
  const folder = async (name: string) =>
    String((await library.api.call('POST', '/api/folders', { key, json: { name } })).json.id);
  const folderId = await folder('Gate');
  const videoId = await addVideo({ folderId });
  const points = (right: number) => [
    { x: 0, y: 0 },
    { x: right, y: 0 },
    { x: right, y: 1 },
  ];
  const draw = (json: object) => library.api.call('POST', '/api/zones', { key, json: { name: 'door', ...json } });
  await draw({ folder_id: folderId, points: points(1) });
  const id = await saveEarlier({
    query: `${DARK}. A person enters zone door. A dog in the yard zone`,
    folder_id: folderId,
  });
  await draw({ video_id: videoId, points: points(0.5) });
  await draw({ video_id: videoId, name: 'yard', points: points(0.2) });
  await succeed('POST', `/${id}/run`, {});
  await runOf(id, videoId);
  const { plan } = await library.database.db
    .selectFrom('analyses')
    .select('plan')
    .where('videoId', '=', videoId)
    .executeTakeFirstOrThrow();
  const text = JSON.stringify(plan);
  // The zone that was drawn since is read; the other part keeps its points of this video.
  expect(text).toContain('"yard"');
  expect(text).toMatch(/"x":\s*0\.5/);
  expect(text).not.toMatch(/"x":\s*1\b/);
});

test('stays until the proposal changes, by those who manage the question', async () => {
  const id = await saveEarlier();
  const { proposed } = await readingOf(id);
  const reader = await library.keyOf(await library.addUser(caller.orgId), ['read']);
  const colleague = await library.keyOf(await library.addUser(caller.orgId), ['read', 'write']);
  const readOnly = await library.keyOf(library.owner, ['read']);
  const outcome = async (...[decision, readingId, as]: [string, string, string]) => {
    const { status, json } = await decide(id, decision, readingId, as);
    return [status, json.error];
  };
  for (const decision of ['accept', 'keep']) {
    expect(await outcome(decision, proposed!.reading_id, readOnly.key)).toEqual([403, 'scope_missing']);
    expect(await outcome(decision, proposed!.reading_id, reader.key)).toEqual([403, 'scope_missing']);
    expect(await outcome(decision, proposed!.reading_id, colleague.key)).toEqual([403, 'saved_question_forbidden']);
    expect(await outcome(decision, 'f'.repeat(32), key)).toEqual([409, 'saved_question_reading_changed']);
  }
  expect((await readingOf(id)).state).toBe('differs');

  const answers = await Promise.all([1, 2].map(() => decide(id, 'keep', proposed!.reading_id)));
  expect(answers.map(({ json }) => json.reading)).toEqual(
    Array(2).fill(expect.objectContaining({ state: 'declined', interpretation: AS_CUT.interpretation, proposed })),
  );
  expect((await audited(id))[0]).toEqual(['saved_question.created', null]);
  expect((await audited(id))[1]).toEqual(['saved_question.reading_decided', 'keep']);
  // A version that reads it in a third way asks again.
  const { db } = library.database;
  await db.updateTable('savedQuestions').set({ declinedReading: 'another reading' }).where('id', '=', id).execute();
  expect((await readingOf(id)).state).toBe('differs');
  await decide(id, 'keep', proposed!.reading_id);
  // Somebody may still accept it.
  expect((await decide(id, 'accept', proposed!.reading_id)).json.reading).toMatchObject({ state: 'current' });
  // New words are read by this version.
  await succeed('PATCH', `/${id}`, { query: 'the picture is too bright' });
  expect(await readingOf(id)).toMatchObject({ state: 'current', interpretation: expect.stringContaining('bright') });
});

test('that this version cannot run is stated, and never replaced by itself', { timeout: 300_000 }, async () => {
  const id = await saveEarlier();
  const { db } = library.database;
  const { plan } = await db.selectFrom('savedQuestions').select('plan').where('id', '=', id).executeTakeFirstOrThrow();
  const later = JSON.parse(plan!) as { searches: { steps: { what: object }[] }[] };
  later.searches[0]!.steps[0]!.what = { kind: 'smell', smell: 'smoke' };
  await db
    .updateTable('savedQuestions')
    .set({ plan: JSON.stringify(later) })
    .where('id', '=', id)
    .execute();

  const reading = await readingOf(id);
  expect(reading).toMatchObject({
    state: 'unusable',
    interpretation: null,
    problem: expect.stringContaining('plan.searches[0].steps[0].what.kind'),
    proposed: { interpretation: AS_DARK.interpretation },
  });
  const refused = { error: 'saved_question_reading_unusable', message: expect.stringContaining('what.kind') };
  const videoId = await addVideo();
  expect(await runOf(id, videoId)).toEqual(refused);
  expect(await call('POST', `/${id}/run`, {})).toMatchObject({ status: 409, json: refused });
  const proposed = reading.proposed!.reading_id;
  expect(await decide(id, 'keep', proposed)).toMatchObject({ status: 409, json: { error: refused.error } });
  expect((await readingOf(id)).state).toBe('unusable');
  expect((await decide(id, 'accept', proposed)).status).toBe(200);
  // The failed run is repeated.
  await succeed('POST', `/${id}/run`, {});
  await expect.poll(() => runOf(id, videoId), FINISHED).toEqual(AS_DARK);
});

test('of a question that a version without readings saved is stored once, as this version reads it', async () => {
  const id = await saveEarlier();
  const other = await saveEarlier({ name: 'Other' });
  const { db } = library.database;
  // Such a version writes the words alone.
  await db.updateTable('savedQuestions').set({ plan: null, planVersion: null }).where('id', '=', id).execute();
  await db.updateTable('savedQuestions').set({ query: 'a loud noise' }).where('id', '=', other).execute();
  expect([await readingOf(id), await readingOf(other)]).toEqual([null, null]);
  expect((await decide(id, 'accept', 'x')).json.error).toBe('saved_question_reading_changed');
  await library.savedQuestions.readMissing();
  expect(await readingOf(id)).toMatchObject({ state: 'current', interpretation: AS_DARK.interpretation });
  expect(await readingOf(other)).toMatchObject({ state: 'current', interpretation: expect.stringContaining('loud') });
  const stored = () => db.selectFrom('savedQuestions').select(['id', 'plan', 'planVersion']).orderBy('id').execute();
  const before = await stored();
  await earlier.sightline.savedQuestions.readMissing();
  expect(await stored()).toEqual(before);
  // A run does not wait for the job.
  await db.updateTable('savedQuestions').set({ plan: null, planVersion: null }).where('id', '=', id).execute();
  expect(await runOf(id, await addVideo())).toEqual(AS_DARK);
  expect((await readingOf(id))!.state).toBe('current');
});
