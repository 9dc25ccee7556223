import { Trans, useLingui } from '@lingui/react/macro';
import type { Webhook, WebhookWithSecret } from '@sightline/sdk';
import { useState } from 'react';
import { api } from '#api/client.ts';
import { FolderSelect } from '#rooms/folders/folder-select.tsx';
import { Checkbox, TextField } from '#ui/controls/field.tsx';
import { FormDialog, fieldText } from '#ui/controls/form.tsx';
import { SelectField } from '#ui/controls/select.tsx';
import { EVENT_TYPES, type EventType, EXAMPLES, FORMATS, type Format, isSigned } from './event-types.ts';

const TYPES = Object.keys(EVENT_TYPES) as EventType[];
const FORMAT_NAMES = Object.keys(FORMATS) as Format[];

/** Creates a webhook, or changes `changed`. */
export function WebhookDialog({
  changed,
  onClose,
  onSaved,
}: {
  changed: Webhook | null;
  onClose: () => void;
  /** With the secret of a new webhook. */
  onSaved: (created: WebhookWithSecret | null) => void;
}) {
  const { t } = useLingui();
  const [all, setAll] = useState((changed?.event_types.length ?? 0) === 0);
  const [types, setTypes] = useState<readonly EventType[]>(changed?.event_types ?? []);
  const [format, setFormat] = useState<Format>(changed?.format ?? 'standard');
  const [folder, setFolder] = useState(changed?.folder_id ?? '');
  const toggle = (type: EventType, on: boolean) =>
    setTypes(TYPES.filter((each) => (each === type ? on : types.includes(each))));
  return (
    <FormDialog
      open
      onClose={onClose}
      title={changed ? <Trans>Edit the webhook</Trans> : <Trans>Create a webhook</Trans>}
      action={changed ? <Trans>Save</Trans> : <Trans>Create webhook</Trans>}
      disabled={!all && types.length === 0}
      onSubmit={async (fields) => {
        const body = {
          url: fieldText(fields, 'url')!,
          description: fieldText(fields, 'description') ?? '',
          format,
          event_types: all ? [] : [...types],
          folder_id: folder,
        };
        if (!changed) {
          const created = (await api.POST('/api/webhooks', { body })).data!;
          return onSaved(isSigned(format) ? created : null);
        }
        const params = { path: { webhook_id: changed.webhook_id } };
        await api.PATCH('/api/webhooks/{webhook_id}', { params, body });
        onSaved(null);
      }}
    >
      <TextField
        label={t`URL`}
        name="url"
        type="url"
        placeholder={EXAMPLES[format] ?? EXAMPLES.standard}
        defaultValue={changed?.url}
        maxLength={2_000}
        required
      />
      <SelectField
        label={t`Format`}
        options={FORMAT_NAMES.map((value) => ({ value, label: t(FORMATS[value]) }))}
        value={format}
        onChange={setFormat}
      />
      <TextField label={t`Description`} name="description" defaultValue={changed?.description} maxLength={255} />
      <fieldset className="grid gap-1.5">
        <legend className="mb-1 font-medium text-ink-2 text-sm">
          <Trans>Messages</Trans>
        </legend>
        <Checkbox label={t`All, also those of later versions`} checked={all} onCheckedChange={(on) => setAll(on)} />
        {!all && (
          <div className="grid gap-1.5 pl-6 sm:grid-cols-2">
            {TYPES.map((type) => (
              <Checkbox
                key={type}
                label={t(EVENT_TYPES[type])}
                checked={types.includes(type)}
                onCheckedChange={(on) => toggle(type, on)}
              />
            ))}
          </div>
        )}
      </fieldset>
      <FolderSelect label={t`Limited to a folder`} none={t`All folders`} value={folder} onChange={setFolder} />
    </FormDialog>
  );
}
