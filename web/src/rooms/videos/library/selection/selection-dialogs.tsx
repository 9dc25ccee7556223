import { Plural, Trans } from '@lingui/react/macro';
import { useEffect } from 'react';
import { AskManyDialog } from '#rooms/batches/ask-many-dialog.tsx';
import { ExportDialog } from '#rooms/exports/export-dialog.tsx';
import { ConfirmDialog } from '#ui/overlays/dialog.tsx';
import { ClockDialog } from '../../clock/clock-dialog.tsx';
import type { LibraryVideo } from '../library-query.ts';
import { useVideoActions } from '../video-actions.ts';
import { MoveDialog } from './move-dialog.tsx';
import { ObserveDialog } from './observe-dialog.tsx';
import type { SelectionAction } from './selection-bar.tsx';
import { TagDialog } from './tag-dialog.tsx';

/** Does what was chosen for the selected videos. What can be undone is done at once, the rest asks before. */
export function SelectionDialogs({
  action,
  videos,
  selected,
  onDone,
  onClose,
}: {
  action: SelectionAction;
  videos: readonly LibraryVideo[];
  selected: ReadonlySet<string>;
  onDone: () => void;
  onClose: () => void;
}) {
  const actions = useVideoActions();
  const ids = [...selected];
  const chosen = videos.filter(({ video_id }) => selected.has(video_id));

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each chosen action.
  useEffect(() => {
    if (action !== 'delete' && action !== 'restore') return;
    onClose();
    onDone();
    void (action === 'delete' ? actions.remove(ids) : actions.restore(ids));
  }, [action]);

  if (action === 'ask') {
    return (
      <AskManyDialog
        open
        onClose={onClose}
        videos={ids}
        title={<Plural value={ids.length} one="Ask about # video" other="Ask about # videos" />}
      />
    );
  }
  if (action === 'export') {
    return (
      <ExportDialog
        onClose={onClose}
        title={<Plural value={ids.length} one="Export the events of # video" other="Export the events of # videos" />}
        filter={{ video_ids: ids }}
      />
    );
  }
  if (action === 'observe') return <ObserveDialog videoIds={ids} onClose={onClose} />;
  if (action === 'move') {
    return (
      <MoveDialog
        count={chosen.length}
        onClose={onClose}
        onChoose={(folder) => {
          onDone();
          void actions.move(chosen, folder?.id ?? null, folder?.name ?? null);
        }}
      />
    );
  }
  if (action === 'clock') return <ClockDialog videoIds={ids} onClose={onClose} onDone={onDone} />;
  if (action === 'tag') {
    return (
      <TagDialog
        videos={chosen}
        onClose={onClose}
        onSave={async (add, remove) => {
          await actions.tag(chosen, add, remove);
          onDone();
        }}
      />
    );
  }
  return (
    <ConfirmDialog
      open={action === 'erase'}
      onClose={onClose}
      title={<Plural value={ids.length} one="Delete # video permanently?" other="Delete # videos permanently?" />}
      action={<Trans>Delete permanently</Trans>}
      look="danger"
      onConfirm={async () => {
        await actions.remove(ids, true);
        onDone();
      }}
    >
      <Trans>The videos and their analyses are erased at once. This cannot be undone.</Trans>
    </ConfirmDialog>
  );
}
