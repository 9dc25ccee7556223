import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Clock, Download, FolderInput, MessageSquare, RotateCcw, ScanEye, Tag, Trash2, X } from 'lucide-react';
import { Button, IconButton } from '#ui/controls/button.tsx';
import { useSelection, type VideoSelection } from './selection.ts';

export type SelectionAction = 'ask' | 'observe' | 'export' | 'move' | 'tag' | 'clock' | 'delete' | 'erase' | 'restore';

/** Actions on the selected videos, at the bottom of the page. */
export function SelectionBar({
  selection,
  trash,
  samples,
  onAction,
}: {
  selection: VideoSelection;
  trash: boolean;
  /** Samples can be asked about, but not changed. */
  samples: boolean;
  onAction: (action: SelectionAction) => void;
}) {
  const { t } = useLingui();
  const { size } = useSelection(selection);
  if (size === 0) return null;
  return (
    <section
      aria-label={t`Selected videos`}
      className="absolute inset-x-3 bottom-5 z-10 mx-auto flex w-fit flex-wrap items-center justify-center gap-1.5 rounded-lg bg-panel py-1.5 pr-1.5 pl-3.5 shadow-float"
    >
      <span className="num mr-1 whitespace-nowrap" role="status">
        <Plural value={size} one="# selected" other="# selected" />
      </span>
      {!trash && (
        <Button look="primary" icon={MessageSquare} onClick={() => onAction('ask')}>
          <Trans>Ask</Trans>
        </Button>
      )}
      {trash ? (
        <>
          <Button look="primary" icon={RotateCcw} onClick={() => onAction('restore')}>
            <Trans>Restore</Trans>
          </Button>
          <Button look="danger" onClick={() => onAction('erase')}>
            <Trans>Delete permanently</Trans>
          </Button>
        </>
      ) : (
        !samples && (
          <>
            <Button icon={FolderInput} onClick={() => onAction('move')}>
              <Trans>Move</Trans>
            </Button>
            <Button icon={Tag} onClick={() => onAction('tag')}>
              <Trans>Tag</Trans>
            </Button>
            <Button icon={Clock} onClick={() => onAction('clock')}>
              <Trans>Clock</Trans>
            </Button>
            <Button icon={ScanEye} onClick={() => onAction('observe')}>
              <Trans>Observe</Trans>
            </Button>
            <Button icon={Download} onClick={() => onAction('export')}>
              <Trans>Export</Trans>
            </Button>
            <Button look="danger" icon={Trash2} onClick={() => onAction('delete')}>
              <Trans>Delete</Trans>
            </Button>
          </>
        )
      )}
      <IconButton icon={X} label={t`Clear the selection`} onClick={() => selection.clear()} />
    </section>
  );
}
