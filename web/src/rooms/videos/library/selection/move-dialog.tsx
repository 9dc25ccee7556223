import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Folder } from '@sightline/sdk';
import { FolderIcon, FolderMinus, FolderPlus, Users } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useFolders } from '#api/folders-query.ts';
import { classes } from '#ui/classes.ts';
import { INPUT } from '#ui/controls/field.tsx';
import { VirtualList } from '#ui/lists/virtual-list.tsx';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { POPUP_ITEM } from '#ui/overlays/popup.ts';
import { FolderDialog } from '../folders/folder-dialogs.tsx';

const ROW_PX = 32;

/** Chooses the folder that videos are moved into. */
export function MoveDialog({
  count,
  onClose,
  onChoose,
}: {
  count: number;
  onClose: () => void;
  onChoose: (folder: Folder | null) => void;
}) {
  const { t } = useLingui();
  const folders = useFolders();
  const [filter, setFilter] = useState('');
  const [creating, setCreating] = useState(false);
  const matching = useMemo(
    () => folders.filter(({ name }) => name.toLowerCase().includes(filter.toLowerCase())),
    [folders, filter],
  );
  const choose = (folder: Folder | null) => {
    onClose();
    onChoose(folder);
  };
  if (creating) return <FolderDialog onClose={() => setCreating(false)} onCreated={choose} />;
  const item = classes(POPUP_ITEM, 'w-full hover:bg-raise');
  return (
    <Dialog open onClose={onClose} title={<Plural value={count} one="Move # video into" other="Move # videos into" />}>
      <input
        type="search"
        aria-label={t`Filter folders`}
        placeholder={t`Filter folders`}
        value={filter}
        onChange={(event) => setFilter(event.target.value)}
        className={classes(INPUT, 'mb-2')}
      />
      <div className="max-h-[46vh] overflow-y-auto">
        <VirtualList label={t`Folders`} items={matching} itemKey={({ id }) => id} estimate={ROW_PX}>
          {(folder) => (
            <button type="button" className={item} onClick={() => choose(folder)}>
              {folder.scope === 'org' ? <Users size={15} aria-hidden /> : <FolderIcon size={15} aria-hidden />}
              <span className="truncate">{folder.name}</span>
            </button>
          )}
        </VirtualList>
      </div>
      <div className="mt-1 border-t pt-1">
        <button type="button" className={item} onClick={() => setCreating(true)}>
          <FolderPlus size={15} aria-hidden />
          <Trans>New folder</Trans>
        </button>
        <button type="button" className={item} onClick={() => choose(null)}>
          <FolderMinus size={15} aria-hidden />
          <Trans>No folder</Trans>
        </button>
      </div>
    </Dialog>
  );
}
