import type { Batch } from '@sightline/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { batchesQuery } from './queries.ts';
import { hasWords } from './run-groups.ts';

/** Matches that a search looks for in older pages before it waits for the user. */
const ENOUGH = 20;

/** Questions, newest first. With words, older pages are loaded until enough match: a search of one page lies. */
export function useQuestions(status: Batch['status'] | undefined, words: string) {
  const query = useInfiniteQuery(batchesQuery(status));
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  const batches = data?.pages.flatMap((page) => page.batches) ?? [];
  const isSearched = words.trim() !== '' && batches.filter((batch) => hasWords(batch, words)).length < ENOUGH;
  const needsMore = isSearched && hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
  useEffect(() => {
    if (needsMore) void fetchNextPage();
  }, [needsMore, fetchNextPage]);
  return { ...query, batches };
}
