import { quantize } from '#engine/index';
import type { Database } from '#platform/db/index';
import type { IndexHit, IndexSearch } from '../types.ts';
import { type FoundVector, type IndexQuery, scanSources, walkGraph } from './search-store.ts';

/**
 * Vectors that a search through the graph visits at least: with fewer, it misses hits in places that it did not reach
 * (`npm run bench -- vectors`). Neighbors in time look alike, and are one hit.
 */
const VISITED = 5_000;
const VISITED_PER_HIT = 20;
/** Cost of a visited vector of the graph, in vectors that are compared one after the other. */
const VISIT_COST = 12;

type SearchedIndex = Pick<IndexQuery, 'extension' | 'sources'> & {
  /** Number of vectors of the sources. */
  covered: number;
  /** Number of vectors in the index. */
  size: number;
};

/**
 * The best vectors of the sources, one of each group, the best first. Few are compared one by one, as by the exact
 * scan. Of many, the graph finds those that are near. Scores are exact either way.
 */
export async function searchIndex(
  { db, transaction, outsideUnit }: Pick<Database, 'db' | 'transaction' | 'outsideUnit'>,
  { covered, size, ...among }: SearchedIndex,
  { query, limit, minScore, signal }: IndexSearch,
): Promise<IndexHit[]> {
  const { bytes, scale } = quantize(query);
  const searched = { ...among, query: bytes };
  const scoreOf = ({ product, scale: own }: FoundVector) => product * own * scale;
  const toHits = (found: readonly FoundVector[]) =>
    found.filter((each) => scoreOf(each) >= minScore).map((each) => toHit(each, scoreOf(each)));
  const scan = async () => toHits(await scanSources(db, searched, limit));

  const share = covered / Math.max(size, covered, 1);
  const visited = Math.ceil(Math.max(VISITED + VISITED_PER_HIT * limit, (VISITED_PER_HIT * limit) / share));
  if (covered <= visited * VISIT_COST) return scan();
  signal?.throwIfAborted();
  const rows = Math.ceil(visited * share);
  // Outside the unit of a request, whose other statements must not have these settings.
  const found = await outsideUnit(() =>
    transaction((trx) => walkGraph(trx, searched, { rows, maxVisited: 2 * visited })),
  );
  signal?.throwIfAborted();
  const best = bestOfGroups(found, scoreOf);
  const reachedMinScore = found.some((each) => scoreOf(each) < minScore);
  return best.length < limit && !reachedMinScore ? scan() : toHits(best.slice(0, limit));
}

/** The best vector of each group, the best first. */
function bestOfGroups(found: readonly FoundVector[], scoreOf: (each: FoundVector) => number): FoundVector[] {
  const ordered = found.toSorted((a, b) => scoreOf(b) - scoreOf(a) || a.position - b.position);
  const groups = new Set<string>();
  return ordered.filter(({ videoId, kind, groupNumber }) => {
    const group = `${videoId} ${kind} ${groupNumber}`;
    return !groups.has(group) && groups.add(group);
  });
}

function toHit({ videoId, name, folderId, kind, position, timeS }: FoundVector, score: number): IndexHit {
  return {
    video: { id: videoId, name, folderId },
    kind: kind === 'embeddings' ? 'frames' : 'objects',
    position,
    timeS,
    score,
  };
}
