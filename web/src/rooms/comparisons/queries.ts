import { queryOptions } from '@tanstack/react-query';
import { sightline } from '#api/client.ts';

const REFRESH_MS = 2_000;

/** A comparison, which is read again while its analyses run. `baseline`: the earlier prompt, if it states none. */
export const comparisonQuery = (batchId: string, baseline: string | undefined) =>
  queryOptions({
    queryKey: ['comparison', batchId, baseline],
    queryFn: ({ signal }) => sightline.comparison(batchId, { baseline, signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'processing' ? REFRESH_MS : false),
  });
