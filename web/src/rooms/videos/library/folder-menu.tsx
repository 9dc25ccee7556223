import { Trans, useLingui } from '@lingui/react/macro';
import type { Folder } from '@sightline/sdk';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown, FolderIcon, FolderPlus, Pencil, Trash2, Users } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '#ui/button.tsx';
import { classes } from '#ui/classes.ts';
import { INPUT } from '#ui/field.tsx';
import { formatNumber } from '#ui/format.ts';
import { Popover } from '#ui/popover.tsx';
import { POPUP_ITEM } from '#ui/popup.ts';
import { ErrorNotice } from '#ui/states.tsx';
import { DeleteFolderDialog, FolderDialog } from './folder-dialogs.tsx';
import { foldersQuery } from './folders.ts';

/** Number of folders from which a filter is shown. */
const MANY = 8;

/** The folder of the library, as the last part of its title; opens the list of folders. */
export function FolderMenu({ folderId, onChoose }: { folderId?: string; onChoose: (id: string | undefined) => void }) {
  const { t } = useLingui();
  const { data: folders = [], error } = useQuery(foldersQuery);
  const [filter, setFilter] = useState('');
  const [open, setOpen] = useState(false);
  const [dialog, setDialog] = useState<{ kind: 'create' | 'rename' | 'delete'; folder?: Folder } | null>(null);
  const current = folders.find(({ id }) => id === folderId);
  const matching = folders.filter(({ name }) => name.toLowerCase().includes(filter.toLowerCase()));
  const choose = (id: string | undefined) => {
    setOpen(false);
    onChoose(id);
  };
  const ask = (kind: 'create' | 'rename' | 'delete', folder?: Folder) => {
    setOpen(false);
    setDialog({ kind, folder });
  };
  const groups = [
    { name: t`Team`, icon: Users, folders: matching.filter(({ scope }) => scope === 'org') },
    { name: t`Personal`, icon: FolderIcon, folders: matching.filter(({ scope }) => scope === 'user') },
  ];
  return (
    <>
      <Popover
        open={open}
        onOpenChange={setOpen}
        trigger={
          <button
            type="button"
            aria-label={t`Folder: ${current?.name ?? t`All folders`}`}
            className="inline-flex min-w-0 items-center gap-1 rounded-md px-1.5 py-0.5 font-medium hover:bg-raise"
          >
            <span className="truncate">{current?.name ?? <Trans>All folders</Trans>}</span>
            <ChevronDown size={14} className="shrink-0 text-ink-3" aria-hidden />
          </button>
        }
        className="w-72 p-1"
      >
        {error && <ErrorNotice error={error} />}
        {folders.length >= MANY && (
          <input
            type="search"
            aria-label={t`Filter folders`}
            placeholder={t`Filter folders`}
            value={filter}
            onChange={(event) => setFilter(event.target.value)}
            className={classes(INPUT, 'mb-1')}
          />
        )}
        <div className="max-h-[50vh] overflow-y-auto">
          <FolderButton current={!folderId} onClick={() => choose(undefined)}>
            <Trans>All folders</Trans>
          </FolderButton>
          {groups.map(
            (group) =>
              group.folders.length > 0 && (
                <section key={group.name} aria-label={group.name}>
                  <h3 className="flex items-center gap-1.5 px-2 pt-2 pb-1 text-ink-3 text-xs">
                    <group.icon size={12} aria-hidden />
                    {group.name}
                  </h3>
                  {group.folders.map((folder) => (
                    <div key={folder.id} className="group flex items-center">
                      <FolderButton current={folder.id === folderId} onClick={() => choose(folder.id)}>
                        <span className="truncate">{folder.name}</span>
                        <span className="num ml-auto text-ink-3 text-sm">{formatNumber(folder.video_count)}</span>
                      </FolderButton>
                      <IconButton
                        icon={Pencil}
                        label={t`Rename ${folder.name}`}
                        onClick={() => ask('rename', folder)}
                        className="h-7"
                      />
                      <IconButton
                        icon={Trash2}
                        label={t`Delete ${folder.name}`}
                        onClick={() => ask('delete', folder)}
                        className="h-7"
                      />
                    </div>
                  ))}
                </section>
              ),
          )}
        </div>
        <div className="mt-1 border-t pt-1">
          <FolderButton onClick={() => ask('create')}>
            <FolderPlus size={15} className="text-ink-3" aria-hidden />
            <Trans>New folder</Trans>
          </FolderButton>
        </div>
      </Popover>
      {(dialog?.kind === 'create' || dialog?.kind === 'rename') && (
        <FolderDialog folder={dialog.folder} onClose={() => setDialog(null)} onCreated={({ id }) => onChoose(id)} />
      )}
      {dialog?.kind === 'delete' && (
        <DeleteFolderDialog
          folder={dialog.folder!}
          onClose={() => setDialog(null)}
          onDeleted={() => dialog.folder!.id === folderId && onChoose(undefined)}
        />
      )}
    </>
  );
}

const FolderButton = ({
  current,
  onClick,
  children,
}: {
  current?: boolean;
  onClick: () => void;
  children: React.ReactNode;
}) => (
  <button
    type="button"
    aria-current={current || undefined}
    onClick={onClick}
    className={classes(
      POPUP_ITEM,
      'min-w-0 flex-1 hover:bg-raise',
      current && 'font-medium text-accent-text',
      'w-full',
    )}
  >
    {children}
  </button>
);
