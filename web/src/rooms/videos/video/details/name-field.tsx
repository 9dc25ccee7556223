import { useLingui } from '@lingui/react/macro';
import type { VideoStatus } from '@sightline/sdk';
import { useState } from 'react';
import { Button } from '#ui/controls/button.tsx';
import { TextField } from '#ui/controls/field.tsx';
import { ErrorNotice } from '#ui/states.tsx';
import { useChangeVideo } from '../queries.ts';

/** The name of a video; saved by Enter or the button. */
export function NameField({ video }: { video: VideoStatus }) {
  const { t } = useLingui();
  const [draft, setDraft] = useState<string | null>(null);
  const { mutate, isPending, error } = useChangeVideo(video.video_id);
  const name = draft ?? video.video_name;
  const isChanged = draft !== null && draft.trim() !== '' && draft.trim() !== video.video_name;
  return (
    <form
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged) mutate({ name: name.trim() }, { onSuccess: () => setDraft(null) });
      }}
    >
      <div className="flex items-end gap-2">
        <TextField
          label={t`Name`}
          className="flex-1"
          value={name}
          maxLength={255}
          disabled={video.scope === 'sample'}
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={(event) => event.key === 'Escape' && setDraft(null)}
        />
        {isChanged && (
          <Button type="submit" look="primary" busy={isPending}>
            {t`Rename`}
          </Button>
        )}
      </div>
      {error && <ErrorNotice error={error} />}
    </form>
  );
}
