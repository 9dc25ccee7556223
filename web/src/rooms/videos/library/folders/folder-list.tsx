import { Trans, useLingui } from '@lingui/react/macro';
import type { Folder } from '@sightline/sdk';
import { useQuery } from '@tanstack/react-query';
import { Clock, FolderIcon, FolderPlus, Pencil, Trash2, Users } from 'lucide-react';
import { type ReactNode, useDeferredValue, useMemo, useState } from 'react';
import { foldersQuery } from '#api/folders-query.ts';
import { classes } from '#ui/classes.ts';
import { IconButton } from '#ui/controls/button.tsx';
import { INPUT } from '#ui/controls/field.tsx';
import { formatNumber } from '#ui/format/format.ts';
import { VirtualList } from '#ui/lists/virtual-list.tsx';
import { POPUP_ITEM } from '#ui/overlays/popup.ts';
import { ErrorNotice, Skeleton } from '#ui/states.tsx';

export type FolderAction = 'create' | 'rename' | 'clock' | 'delete';

/** Number of folders from which a filter is shown. */
const MANY = 8;
const ROW_PX = 32;

/** The folders of the team and of the user, with what can be done with them. */
export function FolderList({
  folderId,
  onChoose,
  onAction,
}: {
  folderId: string | undefined;
  onChoose: (id: string | undefined) => void;
  onAction: (action: FolderAction, folder?: Folder) => void;
}) {
  const { t } = useLingui();
  const { data: folders = [], error, isPending } = useQuery(foldersQuery);
  const [filter, setFilter] = useState('');
  const rows = useRows(folders, useDeferredValue(filter));
  return (
    <>
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
        <FolderButton current={!folderId} onClick={() => onChoose(undefined)}>
          <Trans>All folders</Trans>
        </FolderButton>
        {isPending && <Skeleton className="m-1 h-16" />}
        <VirtualList
          label={t`Folders`}
          items={rows}
          itemKey={(row) => (typeof row === 'string' ? row : row.id)}
          estimate={ROW_PX}
        >
          {(row) =>
            typeof row === 'string' ? (
              <Heading scope={row} />
            ) : (
              <div className="group flex items-center">
                <FolderButton current={row.id === folderId} onClick={() => onChoose(row.id)}>
                  <span className="truncate">{row.name}</span>
                  <span className="num ml-auto text-ink-3 text-sm">{formatNumber(row.video_count)}</span>
                </FolderButton>
                <IconButton
                  icon={Pencil}
                  label={t`Rename ${row.name}`}
                  onClick={() => onAction('rename', row)}
                  className="h-7"
                />
                <IconButton
                  icon={Clock}
                  label={t`Clocks of ${row.name}`}
                  onClick={() => onAction('clock', row)}
                  className="h-7"
                />
                <IconButton
                  icon={Trash2}
                  label={t`Delete ${row.name}`}
                  onClick={() => onAction('delete', row)}
                  className="h-7"
                />
              </div>
            )
          }
        </VirtualList>
      </div>
      <div className="mt-1 border-t pt-1">
        <FolderButton onClick={() => onAction('create')}>
          <FolderPlus size={15} className="text-ink-3" aria-hidden />
          <Trans>New folder</Trans>
        </FolderButton>
      </div>
    </>
  );
}

const SCOPES = ['org', 'user'] as const;

/** The folders whose names contain a text: for each scope that has some, the scope and its folders. */
function useRows(folders: readonly Folder[], text: string): ((typeof SCOPES)[number] | Folder)[] {
  return useMemo(() => {
    const matching = folders.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()));
    return SCOPES.flatMap((scope) => {
      const group = matching.filter((folder) => folder.scope === scope);
      return group.length > 0 ? [scope, ...group] : [];
    });
  }, [folders, text]);
}

function Heading({ scope }: { scope: (typeof SCOPES)[number] }) {
  const Icon = scope === 'org' ? Users : FolderIcon;
  return (
    <h3 className="flex items-center gap-1.5 px-2 pt-2 pb-1 text-ink-3 text-xs">
      <Icon size={12} aria-hidden />
      {scope === 'org' ? <Trans>Team</Trans> : <Trans>Personal</Trans>}
    </h3>
  );
}

const FolderButton = ({
  current,
  onClick,
  children,
}: {
  current?: boolean;
  onClick: () => void;
  children: ReactNode;
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
