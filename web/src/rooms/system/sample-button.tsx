import { Trans } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Play } from 'lucide-react';
import { api } from '#api/client.ts';
import { Button } from '#ui/controls/button.tsx';
import { useToasts } from '#ui/overlays/toasts.tsx';

/** Opens the sample video, which the service draws when it is first requested. */
export function SampleButton() {
  const navigate = useNavigate();
  const { showError } = useToasts();
  const { mutate, isPending } = useMutation({
    async mutationFn() {
      const query = { scope: 'sample', limit: 1 } as const;
      const [sample] = (await api.GET('/api/my-videos', { params: { query } })).data!.videos;
      await navigate({ to: '/videos/$videoId', params: { videoId: sample!.video_id }, search: { tab: 'ask' } });
    },
    onError: showError,
  });
  return (
    <Button icon={Play} busy={isPending} onClick={() => mutate()}>
      <Trans>Try the sample</Trans>
    </Button>
  );
}
