import { Trans, useLingui } from '@lingui/react/macro';
import { SightlineError, type VideoResults, type VideoStatus } from '@sightline/sdk';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#api/client.ts';
import { useIsAdmin } from '#api/session.ts';
import { membersQuery } from '#rooms/accounts/settings/members-query.ts';
import { Button } from '#ui/controls/button.tsx';
import { TextField } from '#ui/controls/field.tsx';
import { formatDateTime } from '#ui/format/format.ts';
import { ConfirmDialog, Dialog } from '#ui/overlays/dialog.tsx';
import { Badge, ErrorNotice } from '#ui/states.tsx';
import { Section } from './details-section.tsx';

type Hold = NonNullable<VideoStatus['hold']>;

/** The legal hold of a video. Administrators set and release it. */
export function LegalHold({ video }: { video: VideoStatus }) {
  const { t } = useLingui();
  const isAdmin = useIsAdmin();
  const { hold } = video;
  const canHold = isAdmin && video.scope !== 'sample' && video.status === 'uploaded';
  if (!hold && !canHold) return null;
  return (
    <Section title={t`Legal hold`}>
      {hold ? (
        <HoldFacts hold={hold} />
      ) : (
        <p className="text-ink-3">
          <Trans>Neither users nor retention can delete a video on legal hold.</Trans>
        </p>
      )}
      {isAdmin && (hold ? <ReleaseButton videoId={video.video_id} /> : <HoldButton videoId={video.video_id} />)}
    </Section>
  );
}

function HoldFacts({ hold }: { hold: Hold }) {
  const { t } = useLingui();
  const members = useInfiniteQuery(membersQuery).data?.pages.flatMap((page) => page.members) ?? [];
  const since = formatDateTime(hold.since);
  const email = members.find(({ user_id }) => user_id === hold.by)?.email;
  return (
    <div className="grid justify-items-start gap-1">
      <Badge tone="warn">{t`On legal hold`}</Badge>
      <p className="wrap-anywhere">{hold.reason}</p>
      <p className="num text-ink-3 text-sm wrap-anywhere">
        {email ? t`Since ${since}, by ${email}` : t`Since ${since}`}
      </p>
    </div>
  );
}

/** Throws the reason why the operation failed for the video. */
function check({ results: [result] }: VideoResults): void {
  if (!result!.ok) throw new SightlineError(result!.status!, result);
}

/** Shows the change wherever the video is shown. */
function useRefresh(videoId: string) {
  const queries = useQueryClient();
  return () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: ['video', videoId] }),
      queries.invalidateQueries({ queryKey: ['videos'] }),
    ]);
}

function HoldButton({ videoId }: { videoId: string }) {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  const [reason, setReason] = useState('');
  const refresh = useRefresh(videoId);
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () =>
      check((await api.POST('/api/videos/hold', { body: { video_ids: [videoId], reason } })).data!),
    onSuccess: async () => {
      await refresh();
      setOpen(false);
      setReason('');
    },
  });
  return (
    <div>
      <Button onClick={() => setOpen(true)}>
        <Trans>Put on legal hold</Trans>
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title={<Trans>Put this video on legal hold?</Trans>}>
        <form
          className="grid gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            mutate();
          }}
        >
          <p className="text-ink-2">
            <Trans>
              Until an administrator releases it, neither users nor retention can delete it. Everyone who sees the video
              can read the reason.
            </Trans>
          </p>
          <TextField
            label={t`Reason`}
            value={reason}
            maxLength={500}
            onChange={(event) => setReason(event.target.value)}
          />
          {error && <ErrorNotice error={error} />}
          <div className="flex justify-end gap-2">
            <Button onClick={() => setOpen(false)}>
              <Trans>Cancel</Trans>
            </Button>
            <Button type="submit" look="primary" busy={isPending} disabled={!reason.trim()}>
              <Trans>Put on legal hold</Trans>
            </Button>
          </div>
        </form>
      </Dialog>
    </div>
  );
}

function ReleaseButton({ videoId }: { videoId: string }) {
  const [open, setOpen] = useState(false);
  const refresh = useRefresh(videoId);
  const release = async () => {
    check((await api.POST('/api/videos/release', { body: { video_ids: [videoId] } })).data!);
    await refresh();
  };
  return (
    <div>
      <Button onClick={() => setOpen(true)}>
        <Trans>Release</Trans>
      </Button>
      <ConfirmDialog
        open={open}
        onClose={() => setOpen(false)}
        title={<Trans>Release this video from its legal hold?</Trans>}
        action={<Trans>Release</Trans>}
        look="danger"
        onConfirm={release}
      >
        <Trans>It can be deleted again, and retention applies to it again: it may be deleted within a minute.</Trans>
      </ConfirmDialog>
    </div>
  );
}
