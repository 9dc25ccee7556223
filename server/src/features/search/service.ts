import type { Engine } from '#engine/index';
import { type Analyses, toEventId } from '#features/analyses/index';
import type { Folders } from '#features/folders/index';
import type { Videos } from '#features/videos/index';
import { isOwner, reaches } from '#platform/access/index';
import type { Database } from '#platform/db/index';
import { type Caller, httpProblems } from '#platform/http/index';
import { newId } from '#platform/ids';
import { problems } from './problems.ts';
import { matchedShare, type Term, toTerms, toWords } from './query-terms.ts';
import type { NewSearch, SearchMatch, SearchSession, StoredSearchMatch } from './schema.ts';
import * as store from './store.ts';

export type SearchDeps = {
  database: Database;
  engine: Pick<Engine, 'plan'>;
  analyses: Pick<Analyses, 'search' | 'filterSearchable'>;
  folders: Pick<Folders, 'get' | 'require' | 'samples'>;
  videos: Pick<Videos, 'filterVisible'>;
};

export interface EventSearch {
  /** Creates a session. Throws `search_empty` (400), `folder_not_found` or `search_no_samples` (404). */
  start(caller: Caller, search: NewSearch): Promise<{ id: string; ownerId: string }>;
  /** Runs the search, again if it was run before. Throws `search_not_found` (404) or `search_forbidden` (403). */
  run(caller: Caller, sessionId: string): Promise<void>;
  /** The session with the matches in videos that the caller can still see. Throws the same. */
  get(caller: Caller, sessionId: string): Promise<SearchSession>;
  /**
   * Events of these batches and videos by how many of the words of a query, or of what it was read as, they contain,
   * the best first. The calling room checks access to the batches.
   */
  rank(caller: Caller, among: SearchedVideos, query: string, limit: number): Promise<Ranking>;
  /** Deletes sessions from before `before`. Returns their number. */
  purge(before: Date): Promise<number>;
}

/** `words` and `terms` are those of the query that can be found. */
export type Ranking = { words: Term[]; terms: Term[]; matches: StoredSearchMatch[] };
type SearchedVideos = Parameters<Analyses['search']>[1];

const LONGEST_QUERY = 1_000;
/** Events of the result of a session. */
const MAX_MATCHES = 200;

export function createSearch({ database, engine, analyses, folders, videos }: SearchDeps): EventSearch {
  const { db } = database;

  async function own(caller: Caller, sessionId: string): Promise<store.SearchSessionRow> {
    const session = await store.findSession(db, sessionId);
    if (!session) throw problems.search_not_found();
    if (!isOwner(caller, session)) throw problems.search_forbidden();
    if (!reaches(caller, session.folderId)) throw httpProblems.key_limited();
    return session;
  }

  /** Removes stop words such as "the" from terms. */
  async function meaningful(terms: readonly Term[]): Promise<Term[]> {
    const known = new Set(await analyses.filterSearchable(terms.flat()));
    return terms.map((term) => term.filter((word) => known.has(word))).filter((term) => term.length > 0);
  }

  async function rank(caller: Caller, among: SearchedVideos, query: string, limit: number): Promise<Ranking> {
    const words = await meaningful(toWords(query));
    const terms = await meaningful(toTerms(engine.plan(query)));
    const found = await analyses.search(caller, among, [...new Set([...words, ...terms].flat())], limit);
    const matches = found
      .map((event): StoredSearchMatch => {
        const matched = new Set(event.words);
        const similarity = Math.max(matchedShare(words, matched), matchedShare(terms, matched));
        return {
          videoId: event.videoId,
          analysisId: event.analysisId,
          eventIndex: event.index,
          similarity: Math.round(similarity * 100) / 100,
          reason: `Matching words in "${event.description}": ${event.words.join(', ')}.`,
        };
      })
      .sort((a, b) => b.similarity - a.similarity);
    return { words, terms, matches };
  }

  return {
    rank,

    async start(caller, { query, folderName, scope }) {
      const text = query.trim();
      if (text === '' || text.length > LONGEST_QUERY) throw problems.search_empty();
      const folder =
        scope === 'sample'
          ? await folders.samples(caller)
          : await folders.get(caller, folderName, scope === 'my' ? 'user' : scope);
      if (!folder) throw problems.search_no_samples();
      const session = { id: newId(), orgId: caller.orgId, ownerId: caller.userId, query: text };
      await store.insertSession(db, { ...session, folderId: folder.id, folderName: folder.name });
      return session;
    },

    async run(caller, sessionId) {
      const { folderId, query } = await own(caller, sessionId);
      await folders.require(caller, folderId);
      const { words, terms, matches } = await rank(caller, { folderId }, query, MAX_MATCHES);
      const thoughts = [
        `Words: ${listed(words)}.`,
        `Interpreted as: ${listed(terms)}.`,
        'Searched the events of completed analyses; videos without an analysis have no events.',
      ];
      await store.complete(db, sessionId, { thoughts, matches });
    },

    async get(caller, sessionId) {
      const { result, ...session } = await own(caller, sessionId);
      if (!result) return { ...session, status: 'pending', summary: '', thoughts: [], matches: [] };
      const visible = await videos.filterVisible(
        caller,
        result.matches.map(({ videoId }) => videoId),
      );
      const matches = result.matches
        .filter(({ videoId }) => visible.has(videoId))
        .map((match) => ({ ...match, eventId: toEventId(match.analysisId, match.eventIndex) }));
      return { ...session, ...result, matches, status: 'completed', summary: summaryOf(matches) };
    },
    purge: (before) => store.purge(db, before),
  };
}

const listed = (terms: readonly Term[]) => terms.map((term) => term.join(' or ')).join('; ') || 'nothing';

function summaryOf(matches: readonly SearchMatch[]): string {
  if (matches.length === 0) return 'No event matches.';
  const videos = new Set(matches.map(({ videoId }) => videoId)).size;
  const [events, verb] = matches.length === 1 ? ['1 event', 'matches'] : [`${matches.length} events`, 'match'];
  return `${events} in ${videos === 1 ? '1 video' : `${videos} videos`} ${verb}.`;
}
