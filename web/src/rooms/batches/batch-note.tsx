import { Trans, useLingui } from '@lingui/react/macro';
import type { Batch } from '@sightline/sdk';
import { NotebookPen } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { api } from '#api/client.ts';
import { queries } from '#api/queries.ts';
import { Button } from '#ui/controls/button.tsx';
import { TextArea } from '#ui/controls/field.tsx';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { ErrorNotice } from '#ui/states.tsx';

/** The longest note that the service stores, in characters. */
const MAX_LENGTH = 5_000;

/** Writes the note of a question. It is stored in the metadata of the batch, under `note`. */
export function BatchNote({ batch }: { batch: Batch }) {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);

  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const note = String(new FormData(event.currentTarget).get('note'));
    setBusy(true);
    setProblem(null);
    try {
      const params = { path: { batch_id: batch.batch_id } };
      const body = { metadata: JSON.stringify({ note }) };
      await api.POST('/api/batch/{batch_id}/metadata', { params, body });
      await queries.invalidateQueries({ queryKey: ['batch', batch.batch_id] });
      setOpen(false);
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <Button icon={NotebookPen} onClick={() => setOpen(true)}>
        <Trans>Note</Trans>
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title={<Trans>Note on this question</Trans>}>
        <form className="grid gap-3" onSubmit={(event) => void save(event)}>
          <TextArea
            name="note"
            label={t`Note`}
            rows={5}
            maxLength={MAX_LENGTH}
            defaultValue={String(batch.metadata.note ?? '')}
          />
          {problem !== null && <ErrorNotice error={problem} />}
          <Button type="submit" look="primary" busy={busy} className="justify-self-end">
            <Trans>Save</Trans>
          </Button>
        </form>
      </Dialog>
    </>
  );
}
