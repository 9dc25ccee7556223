import type { Batches } from '#features/batches/index';
import { type News, VIEW_ROLE } from '#features/events/index';
import type { Playback } from '#features/playback/index';
import type { Video, Videos } from '#features/videos/index';
import type { Database, Transaction } from '#platform/db/index';
import type { Caller } from '#platform/http/index';
import { rounded } from '#platform/numbers';
import { fuse, type ViewDocument, type ViewEvent, type ViewThing } from './fuse.ts';
import { problems } from './problems.ts';
import type { NewViewSet, View, ViewSet } from './store.ts';
import * as store from './store.ts';

export type ViewsDeps = {
  database: Database;
  videos: Pick<Videos, 'get' | 'seenOf' | 'getWritable'>;
  playback: Pick<Playback, 'sign'>;
  batches: Pick<Batches, 'start' | 'documents'>;
};

export type NewSet = {
  primaryVideoId: string;
  /** Role to video. */
  views: Record<string, string>;
  /** Role to what to show for it: null or empty removes it; a role that is left out keeps its video's label. */
  labels: Record<string, string | null>;
  /** Role to when its first frame was taken, in seconds after the primary's. */
  offsets: Record<string, number>;
};

type Start = Parameters<Batches['start']>;
type Remember = NonNullable<Start[2]['remember']>;

/**
 * Each throws `views_not_found` (404) for a video that is no view, and what the videos' room says of one that the caller does not see. Of a set callers
 * know the views that they see; of one that is left alone there is none.
 */
export interface Views {
  /** Links videos; whatever sets they were in end. Throws `views_invalid`, `view_role_invalid` (400) or `video_read_only` (403). */
  link(caller: Caller, set: NewSet): Promise<ViewSet>;
  /** The set that a video is a view of. */
  get(caller: Caller, videoId: string): Promise<ViewSet>;
  /** Ends the whole set. Throws `video_read_only` (403) too. */
  unlink(caller: Caller, videoId: string): Promise<ViewSet>;
  /** URLs of all views, with their offsets. */
  sign(caller: Caller, videoId: string, request: Parameters<Playback['sign']>[2]): Promise<SignedView[]>;
  /** Asks all views of the set. */
  query(caller: Caller, videoId: string, body: Start[1], remember: Remember): ReturnType<Batches['start']>;
  /** What the views of a batch's videos saw, one happening once; and what came of videos that are no views. */
  fuse(caller: Caller, batchIds: readonly string[], viewKeys: readonly string[]): Promise<Fused>;
  /** News: another room has linked videos. `compose.ts` subscribes it. */
  onLinked(trx: Transaction, news: News['views.linked']): Promise<void>;
}

export type SignedView = View & Awaited<ReturnType<Playback['sign']>>;
export type Fused = {
  method: 'linked_views' | 'view_keys';
  roles: string[];
  sets: (ViewSet & { events: ReturnType<typeof fuse> })[];
  unmatched: ViewDocument[];
};

const PRIMARY_ROLE = 'front';

export function createViewsService({ database, videos, playback, batches }: ViewsDeps): Views {
  const { db } = database;

  async function require(caller: Caller, videoId: string): Promise<ViewSet> {
    await videos.get(caller, videoId);
    const [set] = await setsOf(caller, [videoId]);
    if (!set) throw problems.views_not_found();
    return set;
  }

  /** The sets of these videos as the caller sees them: offsets count from the first view that they see. */
  async function setsOf(caller: Caller, videoIds: readonly string[]): Promise<ViewSet[]> {
    const sets = await store.setsOf(db, videoIds);
    const seen = await videos.seenOf(
      caller,
      sets.flatMap(({ views }) => views.map((view) => view.videoId)),
    );
    return sets.flatMap(({ views: all }) => {
      const [first, ...others] = all.filter(({ videoId }) => seen.has(videoId));
      if (!first || others.length === 0) return [];
      const views = [first, ...others].map((view) => ({ ...view, offsetS: rounded(view.offsetS - first.offsetS) }));
      return [{ primaryVideoId: first.videoId, views }];
    });
  }

  return {
    async link(caller, { primaryVideoId, views, labels, offsets }) {
      const [roles, labelOf, offsetOf] = [bySpelling(views), new Map(bySpelling(labels)), new Map(bySpelling(offsets))];
      if (!roles.some(([, videoId]) => videoId === primaryVideoId)) roles.unshift([PRIMARY_ROLE, primaryVideoId]);
      if (roles.some(([role]) => !VIEW_ROLE.test(role))) throw problems.view_role_invalid();
      const ids = roles.map(([, videoId]) => videoId);
      const distinct = new Set(ids).size === ids.length && new Set(roles.map(([role]) => role)).size === roles.length;
      if (!distinct || roles.length < 2) throw problems.views_invalid();
      const found: Video[] = [];
      for (const id of ids) found.push(await videos.getWritable(caller, id));
      const primary = found.find(({ id }) => id === primaryVideoId)!;
      const set: NewViewSet = {
        primaryVideoId,
        views: roles.map(([role, videoId], i) => ({
          ...{ role, videoId, label: labelOf.has(role) ? labelOf.get(role) || null : undefined },
          offsetS: videoId === primaryVideoId ? 0 : (offsetOf.get(role) ?? betweenFiles(found[i]!, primary)),
        })),
      };
      await database.transaction((trx) => store.link(trx, set));
      return require(caller, primaryVideoId);
    },

    get: require,

    async unlink(caller, videoId) {
      const set = await require(caller, videoId);
      await videos.getWritable(caller, videoId);
      await store.unlink(db, videoId);
      return set;
    },

    async sign(caller, videoId, request) {
      const { views } = await require(caller, videoId);
      return Promise.all(
        views.map(async (view) => ({ ...view, ...(await playback.sign(caller, view.videoId, request)) })),
      );
    },

    async query(caller, videoId, body, remember) {
      const { views } = await require(caller, videoId);
      const asked = { ...body, video_id: null, video_ids: views.map((view) => view.videoId) };
      return batches.start(caller, asked, { mode: 'thinking', remember });
    },

    async fuse(caller, batchIds, viewKeys) {
      const documents: ViewDocument[] = [];
      const keyOf = new Map<string, string>();
      for (const [i, batchId] of batchIds.entries()) {
        if (batchIds.indexOf(batchId) < i) continue;
        const ofBatch = await documentsOf(caller, batchId);
        documents.push(...ofBatch);
        const key = viewKeys[i];
        if (key !== undefined) for (const { videoId } of ofBatch) keyOf.set(videoId, key);
      }
      const sets = await setsOf(
        caller,
        documents.map(({ videoId }) => videoId),
      );
      const linked = new Set(sets.flatMap(({ views }) => views.map(({ videoId }) => videoId)));
      const unlinked = documents.filter(({ videoId }) => !linked.has(videoId));
      const keyed = setsByKey(unlinked, keyOf);
      const matched = new Set(keyed.flatMap(({ views }) => views.map(({ videoId }) => videoId)));
      const all = [...sets, ...keyed];
      return {
        method: keyed.length > 0 ? 'view_keys' : 'linked_views',
        roles: [...new Set(all.flatMap(({ views }) => views.map(({ role }) => role)))],
        sets: all.map((set) => ({ ...set, events: fuse(set, documents) })),
        unmatched: unlinked.filter(({ videoId }) => !matched.has(videoId)),
      };
    },

    onLinked: (trx, { primaryVideoId, views }) =>
      store.link(trx, {
        primaryVideoId,
        views: views.map(({ role, label, videoId, offsetS }) => ({
          ...{ role, videoId, offsetS },
          // Null: the recording states no label, so that of an earlier stitch stays.
          label: label === null ? undefined : label || null,
        })),
      }),
  };

  /** What is fused of a batch's documents; of what they rest on they have far more. */
  async function documentsOf(caller: Caller, batchId: string): Promise<ViewDocument[]> {
    const documents: ViewDocument[] = [];
    for await (const texts of await batches.documents(caller, batchId)) {
      for (const text of texts) {
        const { video_id: videoId, analysis_id: analysisId, events, analysis } = JSON.parse(text) as Document;
        const things = new Map(
          analysis.events.map(({ event_id, data }) => [event_id, data.evidence.tracks.map(thingOf)] as const),
        );
        documents.push({ videoId, analysisId, events, things });
      }
    }
    return documents;
  }
}

/**
 * Sets of videos that nobody linked: each batch states its view, and the videos of the views belong together in the order in which they
 * were asked. Only where each view has as many: otherwise which belongs to which is not known.
 */
function setsByKey(documents: readonly ViewDocument[], keyOf: ReadonlyMap<string, string>): ViewSet[] {
  const byKey = Map.groupBy(
    documents.filter(({ videoId }) => keyOf.has(videoId)),
    ({ videoId }) => keyOf.get(videoId)!,
  );
  const columns = [...byKey].map(([role, ofRole]) => ({ role, videoIds: [...new Set(ofRole.map((d) => d.videoId))] }));
  const [first, ...others] = columns;
  if (!first || others.length === 0 || others.some(({ videoIds }) => videoIds.length !== first.videoIds.length))
    return [];
  return first.videoIds.map((primaryVideoId, i) => ({
    primaryVideoId,
    views: columns.map(({ role, videoIds }) => ({ role, videoId: videoIds[i]!, label: null, offsetS: 0 })),
  }));
}

const thingOf = ({ class: name, color }: ViewThing): ViewThing => ({ class: name, color });

/** An event stands in it twice: to be read, and with what it rests on. */
type Document = {
  video_id: string;
  analysis_id: string;
  events: ViewEvent[];
  analysis: { events: { event_id: string; data: { evidence: { tracks: ViewThing[] } } }[] };
};

/** What is said of roles, however they are written. */
const bySpelling = <T>(said: Record<string, T>) =>
  Object.entries(said).map(([role, value]): [string, T] => [role.trim().toLowerCase(), value]);

/** From the files' own creation times, where both have one; cameras that were started together otherwise. */
function betweenFiles(video: Video, primary: Video): number {
  const [own, first] = [video.probe?.createdAt, primary.probe?.createdAt];
  return own && first ? (Date.parse(own) - Date.parse(first)) / 1000 : 0;
}
