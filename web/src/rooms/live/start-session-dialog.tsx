import { Trans, useLingui } from '@lingui/react/macro';
import type { LiveSessionSummary } from '@sightline/sdk';
import { useState } from 'react';
import { api } from '#api/client.ts';
import { FolderSelect } from '#rooms/folders/folder-select.tsx';
import { TextArea, TextField } from '#ui/controls/field.tsx';
import { FormDialog, fieldText } from '#ui/controls/form.tsx';
import { RecordingFields, type RecordingMode, rollsOf } from './recording-fields.tsx';

/** Seconds before and after an event that the form suggests: those that the service retains by default. */
const ROLLS = { pre_roll_s: 5, post_roll_s: 10 };

/** Starts a session. `like`: an earlier one of the same source, whose address is entered again if it has secrets. */
export function StartSessionDialog({
  like,
  onClose,
  onStarted,
}: {
  like?: LiveSessionSummary;
  onClose: () => void;
  /** Called with the id of the video that the session becomes. */
  onStarted: (videoId: string) => void;
}) {
  const { t } = useLingui();
  const [folder, setFolder] = useState(like?.folder_id ?? '');
  const [recording, setRecording] = useState<RecordingMode>(like?.recording ?? 'continuous');
  const rolls = like?.recording === 'events' ? like : ROLLS;
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
          stream_id: like?.stream_id,
          recording,
          ...rollsOf(fields),
        };
        const { data } = await api.POST('/api/live/start-session', { body });
        onStarted(data!.video_id);
      }}
    >
      <TextField
        label={t`Name`}
        name="name"
        placeholder={t`Gate camera`}
        defaultValue={like?.name}
        maxLength={255}
        required
      />
      <TextField
        label={t`Address of the stream`}
        hint={t`A user name and a password in it are encrypted and never shown.`}
        name="source_url"
        type="url"
        placeholder="rtsp://"
        defaultValue={like?.source_url.includes('***') ? undefined : like?.source_url}
        spellCheck={false}
        required
      />
      <TextArea
        label={t`Question`}
        hint={t`Looks for events while the session runs. You can also ask about the recording later.`}
        name="query"
        placeholder={t`a person at the gate`}
        defaultValue={like?.rapid_review_query ?? undefined}
        rows={2}
      />
      <RecordingFields
        recording={recording}
        onChange={setRecording}
        preRollS={rolls.pre_roll_s}
        postRollS={rolls.post_roll_s}
      />
      <FolderSelect label={t`Folder`} none={t`No folder`} value={folder} onChange={setFolder} />
    </FormDialog>
  );
}
