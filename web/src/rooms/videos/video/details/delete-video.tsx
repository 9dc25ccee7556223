import { Trans, useLingui } from '@lingui/react/macro';
import type { VideoStatus } from '@sightline/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api } from '#api/client.ts';
import { Button } from '#ui/controls/button.tsx';
import { ConfirmDialog } from '#ui/overlays/dialog.tsx';
import { useToasts } from '#ui/overlays/toasts.tsx';

/** Deletes a video after a confirmation. It can be restored for a while. */
export function DeleteVideo({ video }: { video: VideoStatus }) {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { show, showError } = useToasts();
  if (video.scope === 'sample' || video.hold) return null;
  const params = { path: { video_id: video.video_id } };
  const refresh = () => queries.invalidateQueries({ queryKey: ['videos'] });

  async function remove() {
    const { restorable_until } = (await api.DELETE('/api/video/{video_id}', { params })).data!;
    await navigate({ to: '/', search: {} });
    queries.removeQueries({ queryKey: ['video', video.video_id] });
    await refresh();
    show(t`${video.video_name} was deleted`, restorable_until ? () => void restore() : undefined);
  }
  async function restore() {
    try {
      await api.POST('/api/video/{video_id}/restore', { params });
      await refresh();
    } catch (error) {
      showError(error);
    }
  }
  return (
    <div className="border-t pt-4">
      <Button look="danger" icon={Trash2} onClick={() => setOpen(true)}>
        <Trans>Delete video</Trans>
      </Button>
      <ConfirmDialog
        open={open}
        onClose={() => setOpen(false)}
        title={<Trans>Delete this video?</Trans>}
        action={<Trans>Delete video</Trans>}
        look="danger"
        onConfirm={remove}
      >
        <Trans>
          “{video.video_name}” and its analyses disappear for everyone. For a limited time they can be restored from the
          trash.
        </Trans>
      </ConfirmDialog>
    </div>
  );
}
