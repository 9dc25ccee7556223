import type { ReviewSamples } from '@sightline/sdk';
import { queryOptions } from '@tanstack/react-query';
import { sightline } from '#api/client.ts';
import type { ReviewSearch } from '#frame/search-params.ts';

export type Sample = ReviewSamples['samples'][number];

/** Random ranges without events. They stay the same while they are shown; each draw is another. */
export const samplesQuery = ({ query, folder, batch }: ReviewSearch, draw: number) =>
  queryOptions({
    queryKey: ['review-samples', query, folder, batch, draw],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: ({ signal }) => sightline.drawSamples({ query, folder_id: folder, batch_id: batch }, { signal }),
  });

export const sampleId = ({ analysis_id, start_s }: Sample): string => `${analysis_id}@${start_s}`;
