import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { api } from '#api/client.ts';
import { FolderSelect } from '#rooms/folders/folder-select.tsx';
import { TextArea, TextField } from '#ui/controls/field.tsx';
import { FormDialog, fieldText } from '#ui/controls/form.tsx';

export function StartSessionDialog({ onClose, onStarted }: { onClose: () => void; onStarted: () => void }) {
  const { t } = useLingui();
  const [folder, setFolder] = useState('');
  return (
    <FormDialog
      open
      onClose={onClose}
      title={<Trans>Start a session</Trans>}
      action={<Trans>Start</Trans>}
      onSubmit={async (fields) => {
        const body = {
          name: fieldText(fields, 'name')!,
          source_url: fieldText(fields, 'source_url')!,
          rapid_review_query: fieldText(fields, 'query'),
          folder_id: folder || undefined,
        };
        await api.POST('/api/live/start-session', { body });
        onStarted();
      }}
    >
      <TextField label={t`Name`} name="name" placeholder={t`Gate camera`} maxLength={255} required />
      <TextField
        label={t`Address of the stream`}
        hint={t`A user name and a password in it are encrypted and never shown.`}
        name="source_url"
        type="url"
        placeholder="rtsp://"
        spellCheck={false}
        required
      />
      <TextArea
        label={t`Question`}
        hint={t`Looks for events while the session runs. You can also ask about the recording later.`}
        name="query"
        placeholder={t`a person at the gate`}
        rows={2}
      />
      <FolderSelect label={t`Folder`} none={t`No folder`} value={folder} onChange={setFolder} />
    </FormDialog>
  );
}
