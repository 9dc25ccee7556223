import { Trans, useLingui } from '@lingui/react/macro';
import type { ConfirmedSecondFactor, SecondFactorKey } from '@sightline/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#api/client.ts';
import { sessionQuery, useSession } from '#api/session.ts';
import { CopyField } from '#ui/controls/copy.tsx';
import { Form } from '#ui/controls/form.tsx';
import { CurrentPasswordField } from '../password-fields.tsx';
import { CodeField } from './code-field.tsx';
import { QrCode } from './qr-code.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

/** Sets up a second factor in three steps: password, key and code of the app, recovery codes. */
export function SecondFactorSetup({ onDone }: { onDone: () => void }) {
  const [key, setKey] = useState<SecondFactorKey | null>(null);
  const [confirmed, setConfirmed] = useState<ConfirmedSecondFactor | null>(null);
  const queryClient = useQueryClient();
  function show(response: ConfirmedSecondFactor) {
    setConfirmed(response);
    queryClient.setQueryData(sessionQuery.queryKey, response.session);
    void queryClient.invalidateQueries({ queryKey: ['sessions'] });
  }
  if (confirmed) return <RecoveryCodes codes={confirmed.recovery_codes} onDone={onDone} />;
  return key ? <ConfirmStep factor={key} onConfirmed={show} /> : <PasswordStep onKey={setKey} />;
}

function PasswordStep({ onKey }: { onKey: (key: SecondFactorKey) => void }) {
  const { t } = useLingui();
  const { email } = useSession();
  return (
    <Form
      action={t`Continue`}
      onSubmit={async (fields) => {
        const password = String(fields.get('password'));
        onKey((await api.POST('/api/auth/second-factor', { body: { password } })).data!);
      }}
    >
      <input type="text" name="username" autoComplete="username" defaultValue={email} hidden readOnly />
      <CurrentPasswordField label={t`Password`} name="password" />
    </Form>
  );
}

function ConfirmStep({
  factor,
  onConfirmed,
}: {
  factor: SecondFactorKey;
  onConfirmed: (confirmed: ConfirmedSecondFactor) => void;
}) {
  const { t } = useLingui();
  return (
    <div className="grid gap-3">
      <p className="text-ink-2">
        <Trans>
          Scan the QR code with an authenticator app, or enter the key there. Then enter the code that it shows.
        </Trans>
      </p>
      <QrCode text={factor.uri} label={t`QR code for your authenticator app`} />
      <CopyField label={t`Key`} text={factor.key.replaceAll(/.{4}(?=.)/g, '$& ')} block />
      <Form
        action={t`Confirm`}
        onSubmit={async (fields) => {
          const body = { code: String(fields.get('code')) };
          onConfirmed((await api.POST('/api/auth/second-factor/confirm', { body })).data!);
        }}
      >
        <CodeField />
      </Form>
    </div>
  );
}
