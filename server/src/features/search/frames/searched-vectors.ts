import type { VectorIndex } from '#engine/index';
import type { Analyses } from '#features/analyses/index';

type StoredVectors = Analyses['frameVectors'];
type Searchable = Awaited<ReturnType<StoredVectors['list']>>;
type Listed = Searchable['unindexed'][number];
type IndexSearch = Parameters<NonNullable<Searchable['searchIndex']>>[0];
/** Versions of the observers whose vectors are searched; null: not searched. */
export type SearchedVersions = Parameters<StoredVectors['list']>[2];

type View = Awaited<ReturnType<StoredVectors['describeObjects']>> extends Map<string, (infer Each)[]> ? Each : never;
type Found = Awaited<ReturnType<NonNullable<Searchable['searchIndex']>>>[number];

export type VectorHit = Pick<Found, 'video' | 'timeS' | 'score'> & { object: View | null };

const KINDS = ['frames', 'objects'] as const;
const keyOf = (videoId: string, version: string | null): string => `${videoId} ${version}`;

/**
 * Searches the vectors of frames and objects together; the best of both come first. Those that are not in the index of
 * the database are compared exactly.
 */
export async function searchVectors(
  exact: VectorIndex,
  stored: StoredVectors,
  { unindexed, searchIndex, versions }: Omit<Searchable, 'counts'> & { versions: SearchedVersions },
  search: IndexSearch,
): Promise<VectorHit[]> {
  // Memory of vectors that have moved to the index.
  if (unindexed.length === 0 && searchIndex) await exact.release();
  const found = await Promise.all([scan(exact, stored, { unindexed, versions }, search), searchIndex?.(search) ?? []]);
  const unique = new Map(
    // A video may have moved to the index since it was listed.
    found.flat().map((hit) => [`${hit.video.id} ${hit.kind} ${hit.position}`, hit]),
  );
  const hits = [...unique.values()].sort((a, b) => b.score - a.score).slice(0, search.limit);
  const ids = [...new Set(hits.filter(({ kind }) => kind === 'objects').map(({ video }) => video.id))];
  const views = versions.objects === null ? new Map() : await stored.describeObjects(ids, versions.objects);
  return hits.flatMap(({ video, kind, position, timeS, score }): VectorHit[] => {
    if (kind === 'frames') return [{ video, timeS, score, object: null }];
    const object = views.get(video.id)?.[position];
    // The video may have been deleted since.
    return object ? [{ video, timeS, score, object }] : [];
  });
}

/** Compares the query with all vectors of these videos. */
async function scan(
  exact: VectorIndex,
  stored: StoredVectors,
  { unindexed, versions }: { unindexed: readonly Listed[]; versions: SearchedVersions },
  search: IndexSearch,
): Promise<Found[]> {
  const searched = new Map(
    unindexed.flatMap((video) =>
      KINDS.flatMap((kind) => {
        const frames = video[kind];
        return frames ? [[keyOf(video.id, versions[kind]), { video, kind, frames }] as const] : [];
      }),
    ),
  );
  const hits = await exact.search({
    ...search,
    among: Array.from(searched, ([key, { frames }]) => ({ key, frames })),
    async *load(keys) {
      for (const kind of KINDS) {
        const version = versions[kind];
        const ids = keys.map((key) => searched.get(key)!).filter((each) => each.kind === kind);
        if (version === null || ids.length === 0) continue;
        const read = kind === 'frames' ? stored.read : stored.readObjects;
        for await (const { videoId, frames } of read(
          ids.map(({ video }) => video.id),
          version,
        ))
          yield { key: keyOf(videoId, version), frames };
      }
    },
  });
  return hits.map(({ key, index: position, timeS, score }) => {
    const { video, kind } = searched.get(key)!;
    return { video, kind, position, timeS, score };
  });
}
