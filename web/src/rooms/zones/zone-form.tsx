import { Trans, useLingui } from '@lingui/react/macro';
import type { VideoStatus } from '@sightline/sdk';
import { ArrowUpDown, Plus } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Button } from '#ui/controls/button.tsx';
import { TextField } from '#ui/controls/field.tsx';
import { SelectField } from '#ui/controls/select.tsx';
import { ErrorNotice } from '#ui/states.tsx';
import { addPoint, isDrawn, isFull, turn, type ZoneDraft } from './draft.ts';
import { PointFields } from './point-fields.tsx';
import { useSaveZone } from './queries.ts';

/** Names a zone and its points, which are also drawn over the video. */
export function ZoneForm({
  video,
  draft,
  onDraft,
}: {
  video: VideoStatus;
  draft: ZoneDraft;
  onDraft: (draft: ZoneDraft | null) => void;
}) {
  const { t } = useLingui();
  const { mutate, isPending, error } = useSaveZone(video);
  const { kind, name, zoneId, holdsFor } = draft;
  const folder = video.folder_name ?? video.folder_id;
  const nameField = useRef<HTMLInputElement>(null);
  // A text that is written replaces the suggested name.
  useEffect(() => {
    nameField.current!.focus();
    nameField.current!.select();
  }, []);
  const isReady = isDrawn(draft) && name.trim() !== '';
  return (
    <form
      className="grid grid-cols-[minmax(0,1fr)] gap-3.5 p-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) mutate(draft, { onSuccess: () => onDraft(null) });
      }}
    >
      <h2 className="font-medium">
        {kind === 'line' ? (
          zoneId === null ? (
            <Trans>New line</Trans>
          ) : (
            <Trans>Change line</Trans>
          )
        ) : zoneId === null ? (
          <Trans>New zone</Trans>
        ) : (
          <Trans>Change zone</Trans>
        )}
      </h2>
      <p className="text-ink-2 text-sm">
        {kind === 'line' ? (
          <Trans>
            Press where the line starts and where it ends. The arrow points to its inner side. Draw it on the ground:
            people and vehicles count where they stand.
          </Trans>
        ) : (
          <Trans>
            Press at each corner of the zone, and drag points to move them. Draw it on the ground: people and vehicles
            count where they stand.
          </Trans>
        )}
      </p>
      <TextField
        label={t`Name`}
        ref={nameField}
        autoComplete="off"
        value={name}
        maxLength={40}
        placeholder={kind === 'line' ? 'A' : 'door'}
        onChange={(event) => onDraft({ ...draft, name: event.target.value })}
      />
      {zoneId === null && (folder !== null || video.camera_id !== null) && (
        <SelectField
          label={t`Holds for`}
          value={holdsFor}
          onChange={(value) => onDraft({ ...draft, holdsFor: value })}
          options={[
            ...(video.camera_id === null ? [] : [{ value: 'camera' as const, label: t`All recordings of the camera` }]),
            ...(folder === null ? [] : [{ value: 'folder' as const, label: t`All videos of ${folder}` }]),
            { value: 'video' as const, label: t`This video` },
          ]}
        />
      )}
      <PointFields draft={draft} onDraft={onDraft} />
      <div className="flex flex-wrap gap-2">
        {!isFull(draft) && (
          <Button icon={Plus} onClick={() => onDraft(addPoint(draft))}>
            <Trans>Add point</Trans>
          </Button>
        )}
        {kind === 'line' && isDrawn(draft) && (
          <Button icon={ArrowUpDown} onClick={() => onDraft(turn(draft))}>
            <Trans>Swap sides</Trans>
          </Button>
        )}
      </div>
      {error && <ErrorNotice error={error} />}
      <div className="flex gap-2 border-t pt-3.5">
        <Button type="submit" look="primary" busy={isPending} disabled={!isReady}>
          <Trans>Save</Trans>
        </Button>
        <Button onClick={() => onDraft(null)}>
          <Trans>Cancel</Trans>
        </Button>
      </div>
    </form>
  );
}
