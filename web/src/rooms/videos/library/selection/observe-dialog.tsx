import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { sightline } from '#api/client.ts';
import { systemQuery } from '#rooms/system/system-query.ts';
import { Button } from '#ui/controls/button.tsx';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { ServiceText } from '#ui/service-text.tsx';
import { ErrorNotice, ProgressBar } from '#ui/states.tsx';

/** Interval in which the progress is read. */
const POLL_MS = 1000;

/** Observes videos before anyone asks: what is chosen first, then the progress. Closing it does not stop the run. */
export function ObserveDialog({ videoIds, onClose }: { videoIds: readonly string[]; onClose: () => void }) {
  const [observationId, setObservationId] = useState<string | null>(null);
  const count = videoIds.length;
  return (
    <Dialog open onClose={onClose} title={<Plural value={count} one="Observe # video" other="Observe # videos" />}>
      {observationId === null ? (
        <ObserverForm videoIds={videoIds} onClose={onClose} onStarted={setObservationId} />
      ) : (
        <RunProgress observationId={observationId} onClose={onClose} />
      )}
    </Dialog>
  );
}

function ObserverForm({
  videoIds,
  onClose,
  onStarted,
}: {
  videoIds: readonly string[];
  onClose: () => void;
  onStarted: (observationId: string) => void;
}) {
  const { t } = useLingui();
  const available = useQuery(systemQuery).data?.observers.filter((each) => each.available) ?? [];
  const names = {
    sounds: t`Sounds`,
    speech: t`Speech`,
    text: t`Text`,
    objects: t`Objects`,
    poses: t`Poses of people`,
    embeddings: t`Frames, for search by words`,
    object_embeddings: t`Tracked objects, for search by words`,
  };
  const offered = Object.entries(names).filter(([kind]) => available.some((each) => each.kind === kind));
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);

  async function start(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      onStarted(await sightline.startObservation({ observers: [...chosen], video_ids: [...videoIds] }));
    } catch (error) {
      setProblem(error);
      setBusy(false);
    }
  }
  function toggle(kind: string) {
    const next = new Set(chosen);
    if (!next.delete(kind)) next.add(kind);
    setChosen(next);
  }
  return (
    <form className="grid gap-3" onSubmit={(event) => void start(event)}>
      <p className="text-ink-2">
        <Trans>Questions about what was observed take no time. Only what is missing is observed.</Trans>
      </p>
      <fieldset className="grid gap-1.5">
        <legend className="mb-1 text-ink-2 text-sm">
          <Trans>What to observe</Trans>
        </legend>
        {offered.map(([kind, name]) => (
          <label key={kind} className="flex items-center gap-2">
            <input type="checkbox" className="accent-accent" checked={chosen.has(kind)} onChange={() => toggle(kind)} />
            {name}
          </label>
        ))}
        {offered.length === 0 && <Trans>No model is installed. Administrators add models in the settings.</Trans>}
      </fieldset>
      {problem !== null && <ErrorNotice error={problem} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{t`Cancel`}</Button>
        <Button type="submit" look="primary" busy={busy} disabled={chosen.size === 0}>
          <Trans>Observe</Trans>
        </Button>
      </div>
    </form>
  );
}

function RunProgress({ observationId, onClose }: { observationId: string; onClose: () => void }) {
  const { t } = useLingui();
  const [canceling, setCanceling] = useState(false);
  const run = useQuery({
    queryKey: ['observation', observationId],
    queryFn: ({ signal }) => sightline.observation(observationId, { signal }),
    refetchInterval: ({ state }) => (!state.data || state.data.status === 'processing' ? POLL_MS : false),
  });
  const { data } = run;

  async function cancel() {
    setCanceling(true);
    await sightline.cancelObservation(observationId).catch(() => {});
    await run.refetch();
    setCanceling(false);
  }
  if (run.error) return <ErrorNotice error={run.error} onRetry={() => void run.refetch()} />;
  const isRunning = !data || data.status === 'processing';
  const failures = data?.videos.filter(({ problem }) => problem !== null) ?? [];
  return (
    <div className="grid gap-3">
      <ProgressBar label={t`Progress`} value={data?.progress ?? null} />
      <p role="status">
        {data && (
          <Trans>
            {data.completed} of {data.total} observed
          </Trans>
        )}
        {data?.status === 'canceled' && ` · ${t`Canceled`}`}
      </p>
      {failures.length > 0 && (
        <ul className="grid gap-1 text-bad">
          {failures.map(({ video_id, problem }) => (
            <li key={video_id}>
              <ServiceText>{problem!.message}</ServiceText>
            </li>
          ))}
        </ul>
      )}
      <div className="flex justify-end gap-2">
        {isRunning && (
          <Button look="danger" busy={canceling} onClick={() => void cancel()}>
            <Trans>Stop</Trans>
          </Button>
        )}
        <Button look="primary" onClick={onClose}>
          {isRunning ? t`Continue in the background` : t`Close`}
        </Button>
      </div>
    </div>
  );
}
