import { quantize } from '#engine/index';
import type { Database } from '#platform/db/index';
import type { IndexHit, IndexSearch } from '../types.ts';
import {
  type FoundVector,
  type IndexQuery,
  scanRepresentatives,
  scanRepresented,
  scanSources,
  walkGraph,
} from './search-store.ts';

/**
 * Representatives that a search through the graph finds at least, of those that the filter accepts: with fewer, it
 * misses hits in places that it did not reach (`npm run bench -- indexed-vectors`).
 */
const FOUND = 1_000;
const FOUND_PER_HIT = 20;
/** Of those found, the best for each hit, whose vectors are all compared. */
const COMPARED_PER_HIT = 8;
/** Vectors of the videos of the best, which are all compared too. */
const COMPARED_OF_VIDEOS = 10_000;
/** Vectors that are all compared, so that nothing is missed. */
const ALL_COMPARED = 50_000;
/** Cost of a representative that is visited in the graph, in vectors of which the representatives are compared. */
const VISIT_COST = 12;

type SearchedIndex = Pick<IndexQuery, 'extension' | 'sources'> & {
  /** Number of vectors of the sources. */
  covered: number;
  /** Number of vectors in the index. */
  size: number;
};

/**
 * The best vectors of the sources, one of each group, the best first. Few are compared one by one, as by the exact
 * scan. Of more, the representatives are compared, and of many, the graph finds those that are near. Scores are exact
 * either way.
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

  if (covered <= ALL_COMPARED) return scan();
  signal?.throwIfAborted();
  const returned = COMPARED_PER_HIT * limit;
  const share = covered / Math.max(size, covered, 1);
  const found = FOUND + FOUND_PER_HIT * limit;
  const visited = Math.ceil(found / share);
  // Outside the unit of a request, whose other statements must not have these settings.
  const walk = () =>
    outsideUnit(() => transaction((trx) => walkGraph(trx, searched, { found, returned, maxVisited: 2 * visited })));
  const representatives =
    covered <= visited * VISIT_COST ? await scanRepresentatives(db, searched, returned) : await walk();
  signal?.throwIfAborted();
  const best = await scanRepresented(db, searched, representatives, {
    limit,
    ofSources: COMPARED_OF_VIDEOS,
  });
  signal?.throwIfAborted();
  const reachedMinScore = best.some((each) => scoreOf(each) < minScore);
  return best.length < limit && !reachedMinScore ? scan() : toHits(best);
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
