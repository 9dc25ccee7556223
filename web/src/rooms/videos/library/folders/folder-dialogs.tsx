import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Folder } from '@sightline/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '#api/client.ts';
import { Button } from '#ui/controls/button.tsx';
import { TextField } from '#ui/controls/field.tsx';
import { Select } from '#ui/controls/select.tsx';
import { ConfirmDialog, Dialog } from '#ui/overlays/dialog.tsx';
import { ErrorNotice } from '#ui/states.tsx';
import { patchLibrary, refreshLibrary } from '../library-query.ts';

/** Creates a folder, or renames one. */
export function FolderDialog({
  folder,
  onClose,
  onCreated,
}: {
  folder?: Folder;
  onClose: () => void;
  onCreated: (folder: Folder) => void;
}) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const [name, setName] = useState(folder?.name ?? '');
  const [scope, setScope] = useState<'user' | 'org'>('org');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);

  async function save(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      if (folder) {
        const params = { path: { folder_id: folder.id } };
        const renamed = (await api.PATCH('/api/folders/{folder_id}', { params, body: { name } })).data!;
        patchLibrary(queries, (video) =>
          video.folder_id === folder.id ? { ...video, folder_name: renamed.name } : video,
        );
      } else onCreated((await api.POST('/api/folders', { body: { name, scope } })).data!);
      await queries.invalidateQueries({ queryKey: ['folders'] });
      onClose();
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  }
  return (
    <Dialog open onClose={onClose} title={folder ? t`Rename the folder` : t`New folder`}>
      <form className="grid gap-3" onSubmit={save}>
        <TextField
          label={t`Name`}
          value={name}
          maxLength={255}
          required
          autoFocus
          onChange={(event) => setName(event.target.value)}
        />
        {!folder && (
          <Select
            label={t`Who sees it`}
            value={scope}
            onChange={setScope}
            options={[
              { value: 'org', label: t`Everyone in the team` },
              { value: 'user', label: t`Only you` },
            ]}
          />
        )}
        {error !== null && <ErrorNotice error={error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button type="submit" look="primary" busy={busy} disabled={!name.trim()}>
            {folder ? t`Rename` : t`Create folder`}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Deletes a folder. Its videos move out of it, or are deleted with it. */
export function DeleteFolderDialog({
  folder,
  onClose,
  onDeleted,
}: {
  folder: Folder;
  onClose: () => void;
  onDeleted: () => void;
}) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const [videos, setVideos] = useState<'move_to_root' | 'delete'>('move_to_root');
  async function remove() {
    const params = { path: { folder_id: folder.id }, query: folder.video_count > 0 ? { videos } : {} };
    await api.DELETE('/api/folders/{folder_id}', { params });
    onDeleted();
    await Promise.all([queries.invalidateQueries({ queryKey: ['folders'] }), refreshLibrary(queries)]);
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={<Trans>Delete the folder “{folder.name}”?</Trans>}
      action={<Trans>Delete folder</Trans>}
      look="danger"
      onConfirm={remove}
    >
      {folder.video_count > 0 && (
        <div className="grid gap-2">
          <p>
            <Plural value={folder.video_count} one="It contains # video." other="It contains # videos." />
          </p>
          <Select
            label={t`Videos of the folder`}
            value={videos}
            onChange={setVideos}
            options={[
              { value: 'move_to_root', label: t`Keep the videos, in no folder` },
              { value: 'delete', label: t`Delete the videos, too` },
            ]}
          />
        </div>
      )}
    </ConfirmDialog>
  );
}
