import { Trans, useLingui } from '@lingui/react/macro';
import type { CreatedApiKey } from '@sightline/sdk';
import { Button } from '#ui/controls/button.tsx';
import { CopyField } from '#ui/controls/copy.tsx';
import { Dialog } from '#ui/overlays/dialog.tsx';

/** Shows a new key, which the service does not store, and a command that tries it. */
export function CreatedKeyDialog({ created, onClose }: { created: CreatedApiKey; onClose: () => void }) {
  const { t } = useLingui();
  const command = `curl ${window.location.origin}/api/my-videos \\\n  -H "Authorization: Bearer ${created.key}"`;
  return (
    <Dialog open onClose={onClose} title={<Trans>Key created</Trans>} wide>
      <p className="mb-3 text-ink-2">
        <Trans>Copy the key now: it is not stored and cannot be shown again.</Trans>
      </p>
      <div className="grid gap-3">
        <CopyField label={t`Key “${created.name}”`} text={created.key} />
        <CopyField label={t`Try it`} text={command} block />
      </div>
      <div className="mt-4 flex justify-end">
        <Button look="primary" onClick={onClose}>
          <Trans>Done</Trans>
        </Button>
      </div>
    </Dialog>
  );
}
