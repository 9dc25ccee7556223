import { Trans, useLingui } from '@lingui/react/macro';
import type { VideoStatus, Zone } from '@sightline/sdk';
import { MessageSquare, Pencil, Slash, Trash2, VectorSquare } from 'lucide-react';
import { useState } from 'react';
import { Button, IconButton } from '#ui/controls/button.tsx';
import { ConfirmDialog } from '#ui/overlays/dialog.tsx';
import { ErrorNotice, Skeleton } from '#ui/states.tsx';
import { draftOf, newDraft, phraseOf, questionAbout, type ZoneReach } from './draft.ts';
import { useDeleteZone } from './queries.ts';
import type { ZonesState } from './use-zones.ts';
import { ZoneForm } from './zone-form.tsx';

/** Lists the zones that hold for a video, and draws, changes and deletes them. `onAsk` opens a question about one. */
export function ZonesPanel({
  video,
  zones: state,
  onAsk,
}: {
  video: VideoStatus;
  zones: ZonesState;
  onAsk?: (prompt: string) => void;
}) {
  const { zones, isPending, error, refetch, draft, setDraft } = state;
  const [deleted, setDeleted] = useState<Zone | null>(null);
  const { mutateAsync: remove } = useDeleteZone();
  const isChangeable = video.scope !== 'sample';
  const draw = (kind: Zone['kind']) => setDraft(newDraft(kind, widestOf(video), zones));
  if (draft) return <ZoneForm key={draft.zoneId ?? draft.kind} video={video} draft={draft} onDraft={setDraft} />;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3.5 p-4">
      <p className="text-ink-2">
        <Trans>
          Draw the places that matter in the frame of a fixed camera, and call them by their names in questions: “a
          person enters zone door”, “a car crosses line A”.
        </Trans>
      </p>
      {isChangeable && (
        <div className="flex flex-wrap gap-2">
          <Button look={zones.length === 0 ? 'primary' : 'plain'} icon={VectorSquare} onClick={() => draw('polygon')}>
            <Trans>Draw zone</Trans>
          </Button>
          <Button icon={Slash} onClick={() => draw('line')}>
            <Trans>Draw line</Trans>
          </Button>
        </div>
      )}
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {isPending && <Skeleton className="h-10" />}
      <ul className="grid divide-y">
        {zones.map((zone) => (
          <ZoneRow
            key={zone.zone_id}
            zone={zone}
            folder={video.folder_name}
            onChange={isChangeable ? () => setDraft(draftOf(zone)) : null}
            onDelete={() => setDeleted(zone)}
            onAsk={onAsk && (() => onAsk(questionAbout(zone)))}
          />
        ))}
      </ul>
      <ConfirmDialog
        open={deleted !== null}
        onClose={() => setDeleted(null)}
        title={<Trans>Delete “{deleted?.name ?? ''}”?</Trans>}
        action={<Trans>Delete</Trans>}
        look="danger"
        onConfirm={() => remove(deleted!.zone_id)}
      >
        {deleted?.folder_id != null && (
          <>
            <Trans>It holds for all videos of the folder.</Trans>{' '}
          </>
        )}
        {deleted?.camera_id != null && (
          <>
            <Trans>It holds for all recordings of the camera.</Trans>{' '}
          </>
        )}
        <Trans>Questions can no longer name it. Existing answers stay as they are.</Trans>
      </ConfirmDialog>
    </div>
  );
}

/** A camera is fixed, and the videos of a folder are those of one camera. */
const widestOf = ({ camera_id, folder_id }: VideoStatus): ZoneReach =>
  camera_id !== null ? 'camera' : folder_id !== null ? 'folder' : 'video';

function ZoneRow({
  zone,
  folder,
  onChange,
  onDelete,
  onAsk,
}: {
  zone: Zone;
  folder: string | null;
  /** Null if the zone cannot be changed. */
  onChange: (() => void) | null;
  onDelete: () => void;
  onAsk: (() => void) | undefined;
}) {
  const { t } = useLingui();
  const { name } = zone;
  return (
    <li className="flex items-center gap-2 py-1.5">
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium" lang="en">
          {phraseOf(zone)}
        </p>
        <p className="truncate text-ink-3 text-sm">
          {zone.video_id !== null ? (
            <Trans>This video</Trans>
          ) : zone.camera_id !== null ? (
            <Trans>All recordings of the camera</Trans>
          ) : (
            <Trans>Folder {folder ?? ''}</Trans>
          )}
          {zone.note && ` · ${zone.note}`}
        </p>
      </div>
      {onAsk && (
        <Button icon={MessageSquare} aria-label={t`Ask about ${name}`} onClick={onAsk}>
          <Trans>Ask</Trans>
        </Button>
      )}
      {onChange && (
        <>
          <IconButton icon={Pencil} label={t`Change ${name}`} onClick={onChange} />
          <IconButton icon={Trash2} label={t`Delete ${name}`} onClick={onDelete} />
        </>
      )}
    </li>
  );
}
