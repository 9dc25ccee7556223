import { Trans, useLingui } from '@lingui/react/macro';
import type { CameraKey } from '@sightline/sdk';
import { Button } from '#ui/controls/button.tsx';
import { CopyField } from '#ui/controls/copy.tsx';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { PushOff } from './push.tsx';

/** Shows the new key of a camera that pushes, which cannot be shown again, and where to enter it. */
export function KeyDialog({ created, onClose }: { created: CameraKey; onClose: () => void }) {
  const { t } = useLingui();
  const { push_url: url, push_key: key } = created;
  return (
    <Dialog open onClose={onClose} title={<Trans>Key of the camera</Trans>} wide>
      <div className="grid gap-3">
        <p className="text-ink-2">
          <Trans>Copy the key now: it cannot be shown again.</Trans>{' '}
          {url !== null && (
            <Trans>
              Enter both in the settings of the camera or encoder for RTMP; in OBS, under Stream as a custom service.
            </Trans>
          )}
        </p>
        {url === null ? <PushOff /> : <CopyField label={t`Server`} text={url} />}
        <CopyField label={t`Stream key`} text={key} />
        {url !== null && <CopyField label={t`Both in one address`} text={`${url}/${key}`} />}
      </div>
      <div className="mt-4 flex justify-end">
        <Button look="primary" onClick={onClose}>
          <Trans>Done</Trans>
        </Button>
      </div>
    </Dialog>
  );
}
