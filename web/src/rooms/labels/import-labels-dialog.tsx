import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { LabelImportResult } from '@sightline/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { sightline } from '#api/client.ts';
import { Button } from '#ui/controls/button.tsx';
import { Checkbox, TextField } from '#ui/controls/field.tsx';
import { FormDialog } from '#ui/controls/form.tsx';
import { formatNumber } from '#ui/format/format.ts';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { ServiceText } from '#ui/service-text.tsx';

/** Imports a file of labels, and shows what it changed or why nothing was imported. */
export function ImportLabelsDialog({ batchId, onClose }: { batchId: string; onClose: () => void }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const [result, setResult] = useState<LabelImportResult | null>(null);
  if (result && result.status !== 'invalid') return <Imported result={result} onClose={onClose} />;
  return (
    <FormDialog
      open
      onClose={onClose}
      title={<Trans>Import labels</Trans>}
      action={<Trans>Import</Trans>}
      onSubmit={async (fields) => {
        const file = fields.get('file') as File;
        const imported = await sightline.importLabels({
          batch_id: batchId,
          content: await file.text(),
          name: file.name.slice(0, 255),
          complete: fields.get('complete') !== null,
        });
        setResult(imported);
        if (imported.status === 'imported') await queries.invalidateQueries();
        return false;
      }}
    >
      <p className="text-ink-2">
        <Trans>
          Events that people labeled elsewhere are compared with those of this question: matching ones are approved,
          missed ones are added.
        </Trans>
      </p>
      <TextField
        label={t`File`}
        hint={t`CSV, COCO, CVAT XML or JSON of Label Studio`}
        name="file"
        type="file"
        accept=".csv,.tsv,.json,.xml,.txt"
        required
        onChange={() => setResult(null)}
      />
      <Checkbox name="complete" label={<Trans>It has all events: reject those that match no label</Trans>} />
      {result && <Errors result={result} />}
    </FormDialog>
  );
}

function Errors({ result: { errors, error_count: count } }: { result: LabelImportResult }) {
  const more = count - errors.length;
  return (
    <div role="alert" className="grid gap-1.5">
      <p className="text-bad">
        <Trans>Nothing was imported, because the file has errors.</Trans>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls is reached by the keyboard. */}
      <ul tabIndex={0} className="grid max-h-48 gap-1 overflow-y-auto text-ink-2 text-sm">
        {errors.map(({ location, message }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change.
          <li key={index} className="break-words">
            <span className="num text-ink-3">{location}</span> <ServiceText>{message}</ServiceText>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <p className="text-ink-3 text-sm">
          <Plural value={more} one="and # more" other="and # more" />
        </p>
      )}
    </div>
  );
}

function Imported({ result, onClose }: { result: LabelImportResult; onClose: () => void }) {
  const { added, confirmed, unchanged, rejected, skipped } = result;
  const rows = [
    { name: <Trans>Missed events, added</Trans>, count: added },
    { name: <Trans>Matching events, approved</Trans>, count: confirmed },
    { name: <Trans>Events without a label, rejected</Trans>, count: rejected },
    { name: <Trans>Decided before</Trans>, count: unchanged },
    { name: <Trans>Skipped entries of the file</Trans>, count: skipped },
  ];
  return (
    <Dialog open onClose={onClose} title={<Trans>Labels imported</Trans>}>
      <div className="grid gap-3">
        <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1.5">
          {rows.map(({ name, count }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows do not change.
            <div key={index} className="contents">
              <dt className="text-ink-2">{name}</dt>
              <dd className="num text-right">{formatNumber(count)}</dd>
            </div>
          ))}
        </dl>
        <p className="text-ink-3 text-sm">
          <Trans>Undo on the page Review takes the import back.</Trans>
        </p>
        <div className="flex justify-end">
          <Button look="primary" onClick={onClose}>
            <Trans>Close</Trans>
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
