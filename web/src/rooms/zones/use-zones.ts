import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ZoneDraft } from './draft.ts';
import { zonesQuery } from './queries.ts';

const SHOWN = 'sightline.zones';

/** The zones of a video, whether they are shown over it, and the one that is drawn. */
export function useZones(videoId: string) {
  const { data: zones = [], isPending, error, refetch } = useQuery(zonesQuery(videoId));
  const [draft, setDraft] = useState<ZoneDraft | null>(null);
  // The choice is stored in the browser.
  const [isShown, setShown] = useState(() => localStorage.getItem(SHOWN) !== 'hidden');
  const toggle = () => {
    localStorage.setItem(SHOWN, isShown ? 'hidden' : 'shown');
    setShown(!isShown);
  };
  return { zones, isPending, error, refetch, draft, setDraft, isShown, toggle };
}

export type ZonesState = ReturnType<typeof useZones>;
