import { AlertDialog } from '@base-ui/react/alert-dialog';
import { Dialog as Base } from '@base-ui/react/dialog';
import { Trans, useLingui } from '@lingui/react/macro';
import { X } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { classes } from '../classes.ts';
import { Button } from '../controls/button.tsx';
import { ErrorNotice } from '../states.tsx';

const BACKDROP = 'fixed inset-0 z-40 bg-black/50';
const PANEL =
  'fixed top-[12vh] left-1/2 z-40 max-h-[80vh] w-[min(calc(100vw-24px),480px)] -translate-x-1/2 overflow-y-auto rounded-lg bg-panel p-4 shadow-float outline-none';

/** Fields to type into; selects and checkboxes have hidden inputs. */
const FIELD = 'input:not([type=checkbox], [type=hidden], [hidden], [aria-hidden=true], [tabindex="-1"]), textarea';

/** A dialog above the page; Escape and a click outside close it. Its first field has the focus. */
export function Dialog({
  open,
  onClose,
  title,
  children,
  wide,
}: {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  children: ReactNode;
  wide?: boolean;
}) {
  const { t } = useLingui();
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={BACKDROP} />
        <Base.Popup
          ref={popup}
          // A touch would also open the keyboard of the screen.
          initialFocus={(by) => (by === 'touch' ? null : popup.current!.querySelector<HTMLElement>(FIELD))}
          className={classes(PANEL, wide && 'w-[min(calc(100vw-24px),760px)]')}
        >
          <div className="mb-3 flex items-center justify-between gap-3">
            <Base.Title className="text-lg">{title}</Base.Title>
            <Base.Close
              aria-label={t`Close`}
              className="grid h-7.5 w-7.5 place-items-center rounded-md text-ink-2 hover:bg-raise hover:text-ink"
            >
              <X size={16} strokeWidth={1.75} aria-hidden />
            </Base.Close>
          </div>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** Asks before an action. `onConfirm` may fail; the dialog then shows why and stays open. */
export function ConfirmDialog({
  open,
  onClose,
  title,
  children,
  action,
  look,
  onConfirm,
}: {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  children?: ReactNode;
  /** Text of the confirming button, a verb. */
  action: ReactNode;
  /** `danger`: something is deleted, ends or stops working. */
  look: 'danger' | 'primary';
  onConfirm: () => Promise<unknown>;
}) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  async function confirm() {
    setBusy(true);
    setError(null);
    try {
      await onConfirm();
      onClose();
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  }
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => !next && !busy && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={BACKDROP} />
        <AlertDialog.Popup className={PANEL}>
          <AlertDialog.Title className="mb-2 text-lg">{title}</AlertDialog.Title>
          <AlertDialog.Description render={<div className="text-ink-2" />}>{children}</AlertDialog.Description>
          {error !== null && <ErrorNotice error={error} className="mt-3" />}
          <div className="mt-4 flex justify-end gap-2">
            <Button onClick={onClose} disabled={busy}>
              <Trans>Cancel</Trans>
            </Button>
            <Button look={look} onClick={() => void confirm()} busy={busy}>
              {action}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
