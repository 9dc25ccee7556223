import { Trans, useLingui } from '@lingui/react/macro';
import { FileVideo, FolderUp, Link2, Upload, User, Users } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button, type ButtonLook } from '#ui/controls/button.tsx';
import { Menu, MenuItem, MenuSeparator } from '#ui/overlays/menu.tsx';
import { filesOfInput, pickFiles } from './chosen-files.ts';
import { useAddFiles, useUploadScope } from './upload-target.ts';
import { UrlDialog } from './url-dialog.tsx';

/** React's types lack the attribute that lets an input choose a folder. */
const FOLDERS = { webkitdirectory: '' };

/** Uploads files, a folder, or the file at a URL. */
export function UploadButton({ look = 'plain' }: { look?: ButtonLook }) {
  const { t } = useLingui();
  const addFiles = useAddFiles();
  const [scope, setScope] = useUploadScope();
  const [urlOpen, setUrlOpen] = useState(false);
  const fileInput = useRef<HTMLInputElement>(null);
  const folderInput = useRef<HTMLInputElement>(null);
  const fromInput = (input: HTMLInputElement) => {
    addFiles(filesOfInput(input.files ?? []));
    input.value = '';
  };
  async function chooseFiles() {
    const files = await pickFiles();
    if (files) addFiles(files);
    else fileInput.current!.click();
  }
  return (
    <>
      <Menu
        align="end"
        trigger={
          <Button look={look} icon={Upload}>
            <Trans>Upload</Trans>
          </Button>
        }
      >
        <MenuItem icon={FileVideo} onSelect={() => void chooseFiles()}>
          {t`Choose files`}
        </MenuItem>
        <MenuItem icon={FolderUp} onSelect={() => folderInput.current!.click()}>
          {t`Choose a folder`}
        </MenuItem>
        <MenuItem icon={Link2} onSelect={() => setUrlOpen(true)}>
          {t`From a URL`}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={scope === 'org' ? Users : User} onSelect={() => setScope(scope === 'org' ? 'user' : 'org')}>
          {scope === 'org' ? t`Visible to: the team` : t`Visible to: only you`}
        </MenuItem>
      </Menu>
      <input
        ref={fileInput}
        type="file"
        multiple
        hidden
        aria-label={t`Choose files`}
        onChange={(event) => fromInput(event.currentTarget)}
      />
      <input
        ref={folderInput}
        type="file"
        multiple
        hidden
        {...FOLDERS}
        aria-label={t`Choose a folder`}
        onChange={(event) => fromInput(event.currentTarget)}
      />
      {urlOpen && <UrlDialog onClose={() => setUrlOpen(false)} />}
    </>
  );
}
