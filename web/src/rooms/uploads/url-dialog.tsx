import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '#api/client.ts';
import { refreshLibrary } from '#rooms/videos/library/library-query.ts';
import { Button } from '#ui/controls/button.tsx';
import { TextField } from '#ui/controls/field.tsx';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { useToasts } from '#ui/overlays/toasts.tsx';
import { ErrorNotice } from '#ui/states.tsx';
import { useUploadTarget } from './upload-target.ts';

/** Lets the service fetch a video by its URL. */
export function UrlDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const target = useUploadTarget();
  const queries = useQueryClient();
  const { show } = useToasts();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>;
    setBusy(true);
    setError(null);
    try {
      const { data } = await api.POST('/api/upload-video', {
        body: {
          source: 'video_url',
          video_url: fields.url!.trim(),
          ...(fields.name?.trim() ? { custom_name: fields.name.trim() } : {}),
          ...(target.folderId ? { folder_id: target.folderId } : { scope: target.scope }),
        },
      });
      if (data!.status === 'processing') show(t`The service fetches the video`);
      onClose();
      await refreshLibrary(queries);
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  }
  return (
    <Dialog open onClose={onClose} title={<Trans>Upload from a URL</Trans>}>
      <form className="grid gap-3" onSubmit={send}>
        <TextField
          label={t`Address of a video file`}
          hint={t`The service fetches the file itself.`}
          name="url"
          type="url"
          required
          autoFocus
          placeholder="https://"
        />
        <TextField label={t`Name (optional)`} name="name" maxLength={255} />
        {error !== null && <ErrorNotice error={error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button type="submit" look="primary" busy={busy}>
            {t`Upload`}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
