import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '#api/client.ts';
import { refreshLibrary } from '#rooms/videos/library/library-query.ts';
import { TextField } from '#ui/controls/field.tsx';
import { FormDialog, fieldText } from '#ui/controls/form.tsx';
import { useToasts } from '#ui/overlays/toasts.tsx';
import { useUploadTarget } from './upload-target.ts';

/** Lets the service fetch a video by its URL. */
export function UrlDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const target = useUploadTarget();
  const queries = useQueryClient();
  const { show } = useToasts();
  return (
    <FormDialog
      open
      onClose={onClose}
      title={<Trans>Upload from a URL</Trans>}
      action={<Trans>Upload</Trans>}
      onSubmit={async (fields) => {
        const { data } = await api.POST('/api/upload-video', {
          body: {
            source: 'video_url',
            video_url: fieldText(fields, 'url') ?? '',
            custom_name: fieldText(fields, 'name'),
            ...(target.folderId ? { folder_id: target.folderId } : { scope: target.scope }),
          },
        });
        if (data!.status === 'processing') show(t`The service fetches the video`);
        await refreshLibrary(queries);
      }}
    >
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
    </FormDialog>
  );
}
