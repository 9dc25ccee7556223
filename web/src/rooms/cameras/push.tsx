import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { Camera, CameraKey } from '@sightline/sdk';
import { useState } from 'react';
import { sightline } from '#api/client.ts';
import { Button } from '#ui/controls/button.tsx';
import { CopyField } from '#ui/controls/copy.tsx';
import { formatDateTime } from '#ui/format/format.ts';
import { ConfirmDialog } from '#ui/overlays/dialog.tsx';
import { ServiceText } from '#ui/service-text.tsx';

/** Note that the service does not receive RTMP, with the variable that changes that. */
export const PushOff = () => (
  <p className="text-warn">
    <Trans>
      This service does not receive RTMP yet. Its operator switches that on with{' '}
      <code className="font-mono text-sm">SIGHTLINE_RTMP_LISTEN=0.0.0.0:1935</code>.
    </Trans>
  </p>
);

const REFUSALS: Record<NonNullable<NonNullable<Camera['push']>['refused_code']>, MessageDescriptor> = {
  off: msg`The camera is off.`,
  off_by_schedule: msg`The schedule of the camera does not include this time.`,
  busy: msg`Another encoder publishes with this key.`,
};

/** Where a camera that pushes publishes to, what arrives, and its key. */
export function Push({ camera, onKey }: { camera: Camera; onKey: (key: CameraKey) => void }) {
  const { t } = useLingui();
  const [isAsking, setAsking] = useState(false);
  const { url, has_key, publishing, remote, connected_at, refused_at, refused_code, refused_reason } = camera.push!;
  const since = connected_at && formatDateTime(connected_at);
  const refused = refused_at && formatDateTime(refused_at);
  return (
    <div className="grid gap-2">
      {url === null ? <PushOff /> : <CopyField label={t`Server`} text={url} />}
      <p className={publishing ? undefined : 'text-ink-3'}>
        {publishing ? (
          <Trans>
            Published by an encoder at {remote} since {since}
          </Trans>
        ) : (
          <Trans>No encoder publishes</Trans>
        )}
      </p>
      {refused_reason && (
        <p className="text-sm text-warn" title={refused_reason}>
          <Trans>Refused {refused}:</Trans>{' '}
          {refused_code ? t(REFUSALS[refused_code]) : <ServiceText>{refused_reason}</ServiceText>}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-x-2">
        <span className="text-ink-3 text-sm">
          {has_key ? <Trans>The key is shown only once, when it is created</Trans> : <Trans>No key yet</Trans>}
        </span>
        <Button look="ghost" className="ml-auto text-accent-text" onClick={() => setAsking(true)}>
          {has_key ? <Trans>Replace key…</Trans> : <Trans>Create key…</Trans>}
        </Button>
      </div>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={has_key ? <Trans>Replace the key?</Trans> : <Trans>Create a key?</Trans>}
        action={has_key ? <Trans>Replace key</Trans> : <Trans>Create key</Trans>}
        look={has_key ? 'danger' : 'primary'}
        onConfirm={async () => onKey(await sightline.createCameraKey(camera.camera_id))}
      >
        {has_key ? (
          <Trans>The current key stops working, and an encoder that publishes with it is disconnected.</Trans>
        ) : (
          <Trans>The encoder of the camera publishes with it. It is shown once.</Trans>
        )}
      </ConfirmDialog>
    </div>
  );
}
