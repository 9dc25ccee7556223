import type { Analyses, EventFilter } from '#features/analyses/index';
import type { Caller } from '#platform/http/index';
import { problems } from '../problems.ts';
import { MAX_CLIPS, MAX_LABEL, type NewClip } from './types.ts';

const PAGE = 500;

/**
 * The ranges of the events that the caller may see and that match the filter, with their labels. Events without a
 * length are left out. Throws `dataset_too_large` (400) if more match than a dataset has clips, or as
 * `EventIndex.list` does.
 */
export async function clipsOfEvents(
  events: Pick<Analyses['eventIndex'], 'list'>,
  caller: Caller,
  filter: EventFilter,
): Promise<NewClip[]> {
  const clips: NewClip[] = [];
  for (let cursor: string | null = null; ; ) {
    const page: Awaited<ReturnType<typeof events.list>> = await events.list(caller, { ...filter, limit: PAGE, cursor });
    for (const { videoId, startS, endS, label, videoDurationS } of page.events) {
      // Events end with the last frame, which may be after the stated duration.
      const end = Math.min(endS, videoDurationS ?? 0);
      // Cut by characters: half of one is not text.
      if (startS < end) clips.push({ videoId, startS, endS: end, label: [...label].slice(0, MAX_LABEL).join('') });
    }
    if (clips.length > MAX_CLIPS) throw problems.dataset_too_large();
    cursor = page.nextCursor;
    if (!cursor) return clips;
  }
}
