import { Trans } from '@lingui/react/macro';
import { type FormEvent, type ReactNode, useState } from 'react';
import { classes } from '../classes.ts';
import { Dialog } from '../overlays/dialog.tsx';
import { ErrorNotice } from '../states.tsx';
import { Button } from './button.tsx';

/** Text of a field of a form, without spaces around it; undefined if it is empty. */
export function fieldText(fields: FormData, name: string): string | undefined {
  const value = fields.get(name);
  return (typeof value === 'string' && value.trim()) || undefined;
}

/** A number from a field of a form; undefined if it is empty. */
export function fieldNumber(fields: FormData, name: string): number | undefined {
  const text = fieldText(fields, name);
  return text === undefined ? undefined : Number(text);
}

type FormProps = {
  /** Text of the button, a verb. */
  action: ReactNode;
  /** May fail: the form then shows why, and keeps what was entered. */
  onSubmit: (fields: FormData, form: HTMLFormElement) => Promise<unknown>;
  children: ReactNode;
  disabled?: boolean;
};

/** A form with one button below its fields, and the reason of a failure. */
export function Form({ action, onSubmit, children, disabled, className }: FormProps & { className?: string }) {
  const { submit, busy, error } = useSubmit(onSubmit);
  return (
    <form onSubmit={submit} className={classes('grid max-w-md gap-3', className)}>
      {children}
      {error !== null && <ErrorNotice error={error} />}
      <Button type="submit" busy={busy} disabled={disabled} className="justify-self-start">
        {action}
      </Button>
    </form>
  );
}

/** A form in a dialog, which closes after success unless `onSubmit` returns false. */
export function FormDialog({
  open,
  onClose,
  title,
  wide,
  ...form
}: FormProps & { open: boolean; onClose: () => void; title: ReactNode; wide?: boolean }) {
  return (
    <Dialog open={open} onClose={onClose} title={title} wide={wide}>
      <DialogForm {...form} onClose={onClose} />
    </Dialog>
  );
}

function DialogForm({ action, onSubmit, children, disabled, onClose }: FormProps & { onClose: () => void }) {
  const { submit, busy, error } = useSubmit(async (fields, form) => {
    if ((await onSubmit(fields, form)) !== false) onClose();
  });
  return (
    <form onSubmit={submit} className="grid gap-3">
      {children}
      {error !== null && <ErrorNotice error={error} />}
      <div className="mt-1 flex justify-end gap-2">
        <Button onClick={onClose} disabled={busy}>
          <Trans>Cancel</Trans>
        </Button>
        <Button type="submit" look="primary" busy={busy} disabled={disabled}>
          {action}
        </Button>
      </div>
    </form>
  );
}

/** Submits a form: busy until `onSubmit` has ended, with the error of its last failure. */
export function useSubmit(onSubmit: FormProps['onSubmit']) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    setBusy(true);
    setError(null);
    try {
      await onSubmit(new FormData(form), form);
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  }
  return { submit, busy, error };
}
