import { Trans, useLingui } from '@lingui/react/macro';
import type { EventSummary } from '@sightline/sdk';
import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { sightline } from '#api/client.ts';
import { Button } from '#ui/controls/button.tsx';
import { TextField } from '#ui/controls/field.tsx';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { ErrorNotice } from '#ui/states.tsx';

/** Length of an added event in seconds, from the shown frame. */
const LENGTH_S = 2;

/** Adds an event that the question of the current event missed in this video. */
export function MissedDialog({
  event,
  time,
  onAdded,
  onClose,
}: {
  event: EventSummary;
  /** Shown time in seconds. */
  time: number;
  onAdded: (event: EventSummary) => void;
  onClose: () => void;
}) {
  const { t } = useLingui();
  const { query } = event;
  const end = Math.min(event.video_duration_s ?? Number.POSITIVE_INFINITY, time + LENGTH_S);
  const add = useMutation({
    mutationFn: (values: { label: string; start_s: number; end_s: number }) =>
      sightline.addEvent(event.video_id, event.analysis_id, values),
    onSuccess: (added) => {
      onAdded(added);
      onClose();
    },
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

  const seconds = { type: 'number', step: 'any', min: 0, required: true } as const;
  return (
    <Dialog open onClose={onClose} title={<Trans>Add a missed event</Trans>}>
      <form onSubmit={submit} className="grid gap-3">
        <p className="text-ink-2">
          <Trans>“{query}” did not find it. It counts in the recall of the question.</Trans>
        </p>
        <TextField label={t`Label`} name="label" defaultValue={event.label} required maxLength={1_000} autoFocus />
        <div className="grid grid-cols-2 gap-3">
          <TextField label={t`Start in seconds`} name="start" defaultValue={round(time)} {...seconds} />
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
