import { useQuery } from '@tanstack/react-query';
import { api } from '#api/client.ts';
import { useIsAdmin } from '#api/session.ts';
import { type Model, useModels } from './models-query.ts';

type FirstStep = { done: boolean };
export type FirstSteps = {
  /** `reason`: why the detector cannot run, or why it is a weaker one. `model`: the one to get, for those who may. */
  detector: FirstStep & { reason: string | null; model: { model: Model; downloadsAllowed: boolean } | null };
  videos: FirstStep;
  question: FirstStep;
  /** Only for those who may invite and create keys. */
  invitation: FirstStep | null;
  /** Done once a key has been used. */
  key: FirstStep | null;
};

const REFRESH_MS = 5_000;

/** The progress of the first steps, which follows from the data of the service; null while it loads. */
export function useFirstSteps(hasVideos: boolean): FirstSteps | null {
  const isAdmin = useIsAdmin();
  const { data: system } = useQuery({
    queryKey: ['system'],
    queryFn: async ({ signal }) => (await api.GET('/api/system', { signal })).data!,
    refetchInterval: ({ state }) => (isWanted(state.data) ? REFRESH_MS : false),
  });
  const models = useModels({ enabled: isAdmin && isWanted(system) }).data;
  const model = models?.models.find((each) => each.task === 'objects' && each.is_default && each.status !== 'ready');
  const one = { params: { query: { limit: 1 } } };
  const { data: batches } = useQuery({
    queryKey: ['batches', 'any'],
    queryFn: async ({ signal }) => (await api.GET('/api/batches', { ...one, signal })).data!.batches.length,
  });
  const { data: team } = useQuery({
    queryKey: ['members', 'any'],
    enabled: isAdmin,
    queryFn: async ({ signal }) => {
      const members = (await api.GET('/api/members', { params: { query: { limit: 2 } }, signal })).data!.members;
      if (members.length > 1) return members.length;
      return members.length + (await api.GET('/api/invitations', { ...one, signal })).data!.invitations.length;
    },
  });
  const { data: keys } = useQuery({
    queryKey: ['keys', 'used'],
    enabled: isAdmin,
    queryFn: async ({ signal }) =>
      (await api.GET('/api/keys', { signal })).data!.keys.some(({ last_used_at }) => last_used_at !== null),
  });
  if (!system || batches === undefined || (isAdmin && (team === undefined || keys === undefined))) return null;
  const detector = detectorOf(system);
  return {
    detector: {
      done: detector?.available === true && detector.reason === null,
      reason: detector?.reason ?? null,
      model: models && model ? { model, downloadsAllowed: models.downloads_allowed } : null,
    },
    videos: { done: hasVideos },
    question: { done: batches > 0 },
    invitation: isAdmin ? { done: team! > 1 } : null,
    key: isAdmin ? { done: keys! } : null,
  };
}

type System = { observers: { kind: string; available: boolean; reason: string | null }[] };

const detectorOf = (system: System | undefined) => system?.observers.find(({ kind }) => kind === 'objects');

/** True if there is no detector, or only the one that replaces a better one. */
const isWanted = (system: System | undefined) => (detectorOf(system)?.reason ?? null) !== null;
