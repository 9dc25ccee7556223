import type { Transaction } from '#platform/db/index';
import { roundedJson } from '#platform/numbers';
import { createEventForms } from '../document.ts';
import { refreshEvents } from '../event-index/store.ts';
import { listEvent, type ReadableEvent, readState, type StoredEvent, writeState } from './review-state.ts';
import * as store from './store.ts';
import type { AddedEvent, EventState, ListedEvent } from './types.ts';

type Document = {
  analysis: { events: StoredEvent[] };
  events: ReadableEvent[];
};

/** A time base and the time stamp of the first frame in it. */
export type Clock = { timeBase: [number, number]; firstPts: number };

/** An analysis that is locked for a change of its events. */
export interface OpenAnalysis extends Pick<store.LockedAnalysis, 'analysisId' | 'orgId' | 'videoId' | 'folderId'> {
  /** The state of the event at a position; null if there is none. */
  read(position: number): EventState | null;
  /** All events, in the order of their positions. */
  list(): ListedEvent[];
  /** Changes an event. `required` is the number of equal verdicts that decide. */
  write(position: number, state: EventState, required: number): void;
  /** Adds an event that the analysis missed, after all others. Returns its position. */
  add(event: AddedEvent, clock: Clock, required: number): number;
  /** Stores the changes, also in the rows of the events, whose incidents then have to be assigned again. */
  save(trx: Transaction): Promise<void>;
}

export function openAnalysis(locked: store.LockedAnalysis, urlOf: (name: string) => string): OpenAnalysis {
  const { analysisId, orgId, videoId, folderId } = locked;
  const document = JSON.parse(locked.document) as Document;
  const changed = new Set<number>();
  const at = (position: number) => ({
    stored: document.analysis.events[position]!,
    readable: document.events[position]!,
  });
  return {
    analysisId,
    orgId,
    videoId,
    folderId,
    read: (position) => {
      const event = document.analysis.events[position];
      return event ? readState(event) : null;
    },
    list: () => document.analysis.events.map(listEvent),
    write(position, state, required) {
      writeState(at(position), state, { required });
      changed.add(position);
    },
    add({ addedBy, origin, ...fields }, { timeBase, firstPts }, required) {
      const position = document.analysis.events.length;
      const toPts = (timeS: number) => firstPts + Math.round((timeS * timeBase[1]) / timeBase[0]);
      const { label, severity, startS, endS } = fields;
      const middleS = (startS + endS) / 2;
      const forms = createEventForms(
        analysisId,
        position,
        {
          label,
          severity,
          startS,
          endS,
          timeBase,
          startPts: toPts(startS),
          endPts: toPts(endS),
          category: 'manual',
          confidence: 1,
          caveats: [],
          explanation: origin === null ? 'Added by a reviewer.' : `Imported from ${origin}.`,
          evidence: {
            frames: [{ role: 'best', timeS: middleS, pts: toPts(middleS), boxes: [] }],
            tracks: [],
            signals: [],
          },
        },
        urlOf,
      );
      document.analysis.events.push(forms.stored as unknown as StoredEvent);
      document.events.push(forms.readable as unknown as ReadableEvent);
      const verdict = { userId: addedBy, verdict: 'approved' as const, reason: null, reviewedAt: new Date() };
      writeState(at(position), { ...fields, verdicts: [verdict] }, { required, added: true, origin });
      changed.add(position);
      return position;
    },
    async save(trx) {
      if (changed.size === 0) return;
      await store.saveDocument(trx, analysisId, roundedJson(document));
      await refreshEvents(trx, analysisId, [...changed]);
    },
  };
}
