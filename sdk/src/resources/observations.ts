import type { Client } from 'openapi-fetch';
import type { paths } from '../api.generated.ts';
import type { ObservationRequest, ObservationRun } from '../resources.generated.ts';
import type { Settle, SettleOptions } from '../settle.ts';

/** Observation of videos before anyone asks. `api` lists the runs. */
export type ObservationOperations = {
  /**
   * Observes videos, or all videos of a folder, by observers such as `sounds`, `speech`, `text`, `objects` and
   * `embeddings`, and waits until the run ends. `onAnswer` receives its progress; aborting stops waiting, not the run.
   */
  observe(request: ObservationRequest, options?: SettleOptions<ObservationRun>): Promise<ObservationRun>;
  /** Starts the same and returns its id at once. */
  startObservation(request: ObservationRequest): Promise<string>;
  /** A run with the state of each video. */
  observation(id: string, options?: { signal?: AbortSignal }): Promise<ObservationRun>;
  /** Cancels the videos that are not observed yet. */
  cancelObservation(id: string): Promise<ObservationRun>;
};

export function createObservationOperations(api: Client<paths>, settled: Settle): ObservationOperations {
  const read = async (observation_id: string, signal?: AbortSignal) => {
    const request = { params: { path: { observation_id } }, signal };
    return (await api.GET('/api/observations/{observation_id}', request)).data!;
  };
  const start = async (body: ObservationRequest) =>
    (await api.POST('/api/observations', { body })).data!.observation_id;
  return {
    async observe(request, options = {}) {
      const id = await start(request);
      return settled(
        () => read(id, options.signal),
        ({ status }) => status !== 'processing',
        options,
      );
    },
    startObservation: start,
    observation: (id, { signal } = {}) => read(id, signal),
    async cancelObservation(observation_id) {
      const request = { params: { path: { observation_id } } };
      return (await api.POST('/api/observations/{observation_id}/cancel', request)).data!;
    },
  };
}
