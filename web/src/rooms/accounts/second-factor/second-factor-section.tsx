import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#api/client.ts';
import { sessionQuery, useSession } from '#api/session.ts';
import { Button } from '#ui/controls/button.tsx';
import { FormDialog } from '#ui/controls/form.tsx';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { useToasts } from '#ui/overlays/toasts.tsx';
import { Section } from '#ui/section.tsx';
import { CurrentPasswordField } from '../password-fields.tsx';
import { CodeField } from './code-field.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { SecondFactorSetup } from './setup.tsx';

/** The second factor of the signed-in user: set it up, replace its recovery codes, turn it off. */
export function SecondFactorSection() {
  const session = useSession();
  const [open, setOpen] = useState<'setup' | 'codes' | 'off' | null>(null);
  const close = () => setOpen(null);
  if (!session.has_password) return null;
  const left = session.recovery_codes_left;
  return (
    <Section
      title={<Trans>Two-factor sign-in</Trans>}
      hint={
        session.has_second_factor ? (
          <Trans>
            Signing in needs your password and a code of your authenticator app.{' '}
            <Plural value={left} one="You have # recovery code left." other="You have # recovery codes left." />
          </Trans>
        ) : (
          <Trans>With an authenticator app, nobody can sign in with your password alone.</Trans>
        )
      }
      action={
        session.has_second_factor ? (
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => setOpen('codes')}>
              <Trans>New recovery codes</Trans>
            </Button>
            <Button look="danger" onClick={() => setOpen('off')}>
              <Trans>Turn off</Trans>
            </Button>
          </div>
        ) : (
          <Button onClick={() => setOpen('setup')}>
            <Trans>Set up</Trans>
          </Button>
        )
      }
    >
      <Dialog open={open === 'setup'} onClose={close} title={<Trans>Two-factor sign-in</Trans>}>
        <SecondFactorSetup onDone={close} />
      </Dialog>
      {open === 'codes' && <NewCodesDialog onClose={close} />}
      {open === 'off' && <TurnOffDialog onClose={close} />}
    </Section>
  );
}

const proofOf = (fields: FormData) => ({ password: String(fields.get('password')), code: String(fields.get('code')) });

function NewCodesDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const queryClient = useQueryClient();
  const [codes, setCodes] = useState<string[] | null>(null);
  if (codes) {
    return (
      <Dialog open onClose={onClose} title={t`New recovery codes`}>
        <RecoveryCodes codes={codes} onDone={onClose} />
      </Dialog>
    );
  }
  return (
    <FormDialog
      open
      onClose={onClose}
      title={t`New recovery codes`}
      action={t`Replace`}
      onSubmit={async (fields) => {
        const { data } = await api.POST('/api/auth/second-factor/recovery-codes', { body: proofOf(fields) });
        setCodes(data!.recovery_codes);
        await queryClient.invalidateQueries(sessionQuery);
        return false;
      }}
    >
      <p className="text-ink-2">
        <Trans>The present recovery codes are then no longer accepted.</Trans>
      </p>
      <CurrentPasswordField label={t`Password`} name="password" />
      <CodeField orRecovery />
    </FormDialog>
  );
}

function TurnOffDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const queryClient = useQueryClient();
  const { show } = useToasts();
  return (
    <FormDialog
      open
      onClose={onClose}
      title={t`Turn two-factor sign-in off`}
      action={t`Turn off`}
      onSubmit={async (fields) => {
        const { data } = await api.POST('/api/auth/second-factor/turn-off', { body: proofOf(fields) });
        // Where the organization requires one, the page to set it up follows.
        if (data!.needs_second_factor) return window.location.reload();
        queryClient.setQueryData(sessionQuery.queryKey, data);
        show(t`Two-factor sign-in is off.`);
      }}
    >
      <p className="text-ink-2">
        <Trans>Your password alone is then enough to sign in.</Trans>
      </p>
      <CurrentPasswordField label={t`Password`} name="password" />
      <CodeField orRecovery />
    </FormDialog>
  );
}
