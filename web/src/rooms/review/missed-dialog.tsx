import { Trans, useLingui } from '@lingui/react/macro';
import type { EventSummary, NewEvent } from '@sightline/sdk';
import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { Button } from '#ui/controls/button.tsx';
import { TextField } from '#ui/controls/field.tsx';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { ErrorNotice } from '#ui/states.tsx';

/** Length of an added event in seconds, from the shown frame. */
const LENGTH_S = 2;
/** Least distance of a start from the end of its range, in seconds. */
const FRAME_S = 0.04;

/** Adds an event that a question missed in a video. */
export function MissedDialog({
  event,
  time,
  within,
  onAdd,
  onClose,
}: {
  /** The question, and the label to start with. */
  event: Pick<EventSummary, 'query' | 'label' | 'video_duration_s'>;
  /** Shown time in seconds. */
  time: number;
  /** Range that the event starts in. */
  within?: { start_s: number; end_s: number };
  onAdd: (event: NewEvent) => Promise<void>;
  onClose: () => void;
}) {
  const { t } = useLingui();
  const { query } = event;
  const end = Math.min(event.video_duration_s ?? Number.POSITIVE_INFINITY, time + LENGTH_S);
  const add = useMutation({
    mutationFn: onAdd,
    onSuccess: onClose,
  });

  function submit(form: FormEvent<HTMLFormElement>) {
    form.preventDefault();
    const values = new FormData(form.currentTarget);
    add.mutate({
      label: String(values.get('label')).trim(),
      start_s: Number(values.get('start')),
      end_s: Number(values.get('end')),
    });
  }

  // A rounded time may be outside of the range.
  const start = within ? Math.min(Math.max(round(time), within.start_s), within.end_s - FRAME_S) : round(time);
  const limits = within ? { min: within.start_s, max: within.end_s } : {};
  const seconds = { type: 'number', step: 'any', min: 0, required: true } as const;
  return (
    <Dialog open onClose={onClose} title={<Trans>Add a missed event</Trans>}>
      <form onSubmit={submit} className="grid gap-3">
        <p className="text-ink-2">
          <Trans>“{query}” did not find it. It counts in the recall of the question.</Trans>
        </p>
        <TextField label={t`Label`} name="label" defaultValue={event.label} required maxLength={1_000} autoFocus />
        <div className="grid grid-cols-2 gap-3">
          <TextField label={t`Start in seconds`} name="start" defaultValue={start} {...seconds} {...limits} />
          <TextField label={t`End in seconds`} name="end" defaultValue={round(end)} {...seconds} />
        </div>
        {add.error && <ErrorNotice error={add.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" look="primary" busy={add.isPending}>
            <Trans>Add</Trans>
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

const round = (seconds: number) => Math.round(seconds * 1000) / 1000;
