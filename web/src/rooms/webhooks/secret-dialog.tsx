import { Trans, useLingui } from '@lingui/react/macro';
import type { WebhookWithSecret } from '@sightline/sdk';
import { Button } from '#ui/controls/button.tsx';
import { CopyField } from '#ui/controls/copy.tsx';
import { formatDateTime } from '#ui/format/format.ts';
import { Dialog } from '#ui/overlays/dialog.tsx';

/** Shows a new secret, which cannot be shown again. */
export function SecretDialog({ webhook, onClose }: { webhook: WebhookWithSecret; onClose: () => void }) {
  const { t } = useLingui();
  const { secret, previous_secret_until: until } = webhook;
  const end = until && formatDateTime(until);
  return (
    <Dialog open onClose={onClose} title={<Trans>Signing secret</Trans>} wide>
      <p className="mb-3 text-ink-2">
        <Trans>Copy the secret now: it cannot be shown again. Verify the signature of each message with it.</Trans>{' '}
        {end && <Trans>Messages are signed with the previous secret, too, until {end}.</Trans>}
      </p>
      <CopyField label={t`Secret`} text={secret} />
      <div className="mt-4 flex justify-end">
        <Button look="primary" onClick={onClose}>
          <Trans>Done</Trans>
        </Button>
      </div>
    </Dialog>
  );
}
