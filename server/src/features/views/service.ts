import type { Batches } from '#features/batches/index';
import { type DomainEvents, VIEW_ROLE } from '#features/events/index';
import type { Playback } from '#features/playback/index';
import type { Video, Videos } from '#features/videos/index';
import type { Database, Transaction } from '#platform/db/index';
import { type Caller, type IdPage, readIdPage } from '#platform/http/index';
import { rounded } from '#platform/numbers';
import { fuse, type ViewDocument, type ViewEvent, type ViewObject } from './fuse.ts';
import { problems } from './problems.ts';
import type { NewViewSet, View, ViewSet } from './store.ts';
import * as store from './store.ts';

export type ViewsDeps = {
  database: Database;
  videos: Pick<Videos, 'get' | 'filterVisible' | 'getWritable'>;
  playback: Pick<Playback, 'sign'>;
  batches: Pick<Batches, 'start' | 'documents'>;
};

export type LinkRequest = {
  primaryVideoId: string;
  /** Videos by role. */
  views: Record<string, string>;
  /** Labels by role; null or empty removes a label, an omitted role retains that of its video. */
  labels: Record<string, string | null>;
  /** Time of the first frame by role, in seconds after the primary's. */
  offsets: Record<string, number>;
};

type Start = Parameters<Batches['start']>;
type SaveReference = NonNullable<Start[2]['saveReference']>;

/**
 * All methods throw `views_not_found` (404) for a video without a set, and the problems of the videos room. Callers
 * see the views of a set whose videos they may see; with fewer than two of those there is no set for them.
 */
export interface Views {
  /**
   * Links videos as one set and ends the sets they were in. Throws `views_invalid`, `view_role_invalid` (400) or
   * `video_read_only` (403).
   */
  link(caller: Caller, set: LinkRequest): Promise<ViewSet>;
  /**
   * A page of the sets of which the caller sees at least two views, newest first; with `videoId` only the set of this
   * video, if there is one. Throws `cursor_invalid` (400).
   */
  list(caller: Caller, page: IdPage & { videoId?: string | null }): Promise<ViewSetPage>;
  /** Returns the set that contains the video. */
  get(caller: Caller, videoId: string): Promise<ViewSet>;
  /** The primary videos of the sets that contain these videos, as the caller sees them, by the id of the video. */
  primaries(caller: Caller, videoIds: readonly string[]): Promise<Map<string, string>>;
  /** The primary videos of the sets that contain these videos, by the id of the video, for everyone. */
  scenes(videoIds: readonly string[]): Promise<Map<string, string>>;
  /** Ends the whole set. Throws `video_read_only` (403) for a sample. */
  unlink(caller: Caller, videoId: string): Promise<ViewSet>;
  /** Signs URLs of all views and returns them with their offsets. */
  sign(caller: Caller, videoId: string, request: SignRequest): Promise<SignedView[]>;
  /** Starts a query on all views of the set. */
  query(
    caller: Caller,
    videoId: string,
    body: Pick<Start[1], 'query'>,
    saveReference: SaveReference,
  ): ReturnType<Batches['start']>;
  /** Fuses the events of the batches by sets of views; results of videos without a set are returned unchanged. */
  fuse(caller: Caller, batchIds: readonly string[], viewKeys: readonly string[]): Promise<FusedViews>;
  /** Links videos on behalf of another room; `compose.ts` subscribes it. */
  onLinked(trx: Transaction, event: DomainEvents['views.linked']): Promise<void>;
}

export type ViewSetPage = { sets: ViewSet[]; hasMore: boolean; nextCursor: string | null };

type SignRequest = Pick<Parameters<Playback['sign']>[2], 'expiresIn' | 'kind'>;
export type SignedView = View & { url: string; expiresAt: Date };
export type FusedViews = {
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
    const [set] = await findSets(caller, [videoId]);
    if (!set) throw problems.views_not_found();
    return set;
  }

  const findSets = async (caller: Caller, videoIds: readonly string[]): Promise<ViewSet[]> =>
    (await readSets(caller, videoIds)).map(({ set }) => set);

  /**
   * Sets of these videos as the caller sees them, with offsets relative to the first visible view, and their ids: the
   * primary video, which the caller may not see.
   */
  async function readSets(caller: Caller, videoIds: readonly string[]): Promise<{ id: string; set: ViewSet }[]> {
    const sets = await store.findSets(db, videoIds);
    const seen = await videos.filterVisible(
      caller,
      sets.flatMap(({ views }) => views.map((view) => view.videoId)),
    );
    return sets.flatMap(({ primaryVideoId: id, views: all }) => {
      const [first, ...others] = all.filter(({ videoId }) => seen.has(videoId));
      if (!first || others.length === 0) return [];
      const views = [first, ...others].map((view) => ({ ...view, offsetS: rounded(view.offsetS - first.offsetS) }));
      return [{ id, set: { primaryVideoId: first.videoId, views } }];
    });
  }

  return {
    async link(caller, { primaryVideoId, views, labels, offsets }) {
      const [roles, labelOf, offsetOf] = [
        normalizeRoles(views),
        new Map(normalizeRoles(labels)),
        new Map(normalizeRoles(offsets)),
      ];
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
          role,
          videoId,
          label: labelOf.has(role) ? labelOf.get(role) || null : undefined,
          offsetS: videoId === primaryVideoId ? 0 : (offsetOf.get(role) ?? offsetFromCreationTimes(found[i]!, primary)),
        })),
      };
      await database.transaction((trx) => store.replaceSet(trx, set));
      return require(caller, primaryVideoId);
    },

    async list(caller, { videoId = null, ...page }) {
      if (videoId) await videos.get(caller, videoId);
      const read = (before: string | null, limit: number) =>
        store.findReadableSets(db, { caller, videoId, before, limit });
      const { rows: ids, ...next } = await readIdPage(page, read, (id) => id);
      const sets = new Map((await readSets(caller, ids)).map(({ id, set }) => [id, set]));
      return { sets: ids.flatMap((id) => sets.get(id) ?? []), ...next };
    },

    get: require,

    async primaries(caller, videoIds) {
      return primariesOf(await findSets(caller, videoIds));
    },

    async scenes(videoIds) {
      return primariesOf(await store.findSets(db, videoIds));
    },

    async unlink(caller, videoId) {
      const set = await require(caller, videoId);
      await videos.getWritable(caller, videoId);
      await store.deleteSet(db, videoId);
      return set;
    },

    async sign(caller, videoId, request) {
      const { views } = await require(caller, videoId);
      return Promise.all(
        views.map(async (view) => {
          const { url, expiresAt } = await playback.sign(caller, view.videoId, request);
          return { ...view, url, expiresAt };
        }),
      );
    },

    async query(caller, videoId, body, saveReference) {
      const { views } = await require(caller, videoId);
      const videoIds = views.map((view) => view.videoId);
      return batches.start(caller, { query: body.query, videoIds }, { mode: 'thinking', saveReference });
    },

    async fuse(caller, batchIds, viewKeys) {
      const documents: ViewDocument[] = [];
      const keyOf = new Map<string, string>();
      for (const [i, batchId] of batchIds.entries()) {
        if (batchIds.indexOf(batchId) < i) continue;
        const ofBatch = await readDocuments(caller, batchId);
        documents.push(...ofBatch);
        const key = viewKeys[i];
        if (key !== undefined) for (const { videoId } of ofBatch) keyOf.set(videoId, key);
      }
      const sets = await findSets(
        caller,
        documents.map(({ videoId }) => videoId),
      );
      const linked = new Set(sets.flatMap(({ views }) => views.map(({ videoId }) => videoId)));
      const unlinked = documents.filter(({ videoId }) => !linked.has(videoId));
      const keyed = matchByViewKeys(unlinked, keyOf);
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
      store.replaceSet(trx, {
        primaryVideoId,
        views: views.map(({ role, label, videoId, offsetS }) => ({
          role,
          videoId,
          offsetS,
          // Null: the recording states no label, so an earlier one is retained.
          label: label === null ? undefined : label || null,
        })),
      }),
  };

  /** Reads the fields of a batch's documents that fusion needs; the evidence in them is far larger. */
  async function readDocuments(caller: Caller, batchId: string): Promise<ViewDocument[]> {
    const documents: ViewDocument[] = [];
    for await (const texts of await batches.documents(caller, batchId)) {
      for (const text of texts) {
        const { video_id: videoId, analysis_id: analysisId, events, analysis } = JSON.parse(text) as StoredDocument;
        const objects = new Map(
          analysis.events.map(({ event_id, data }) => [event_id, data.evidence.tracks.map(toViewObject)] as const),
        );
        documents.push({ videoId, analysisId, events, objects });
      }
    }
    return documents;
  }
}

/**
 * Sets of videos that are not linked: each batch states its view, and videos of different views match by their order
 * in the batches. Empty unless all views have the same number of videos, because the match would be ambiguous.
 */
function matchByViewKeys(documents: readonly ViewDocument[], keyOf: ReadonlyMap<string, string>): ViewSet[] {
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

const toViewObject = ({ class: name, color }: ViewObject): ViewObject => ({ class: name, color });

/** A document has each event twice: in its readable form, and with its evidence. */
type StoredDocument = {
  video_id: string;
  analysis_id: string;
  events: ViewEvent[];
  analysis: { events: { event_id: string; data: { evidence: { tracks: ViewObject[] } } }[] };
};

/** Entries by normalized role. */
const normalizeRoles = <T>(byRole: Record<string, T>) =>
  Object.entries(byRole).map(([role, value]): [string, T] => [role.trim().toLowerCase(), value]);

/** Difference of the creation times in the files; 0 if one has none, as cameras usually start together. */
function offsetFromCreationTimes(video: Video, primary: Video): number {
  const [own, first] = [video.probe?.createdAt, primary.probe?.createdAt];
  return own && first ? (Date.parse(own) - Date.parse(first)) / 1000 : 0;
}

const primariesOf = (sets: readonly ViewSet[]): Map<string, string> =>
  new Map(sets.flatMap(({ primaryVideoId, views }) => views.map(({ videoId }) => [videoId, primaryVideoId] as const)));
