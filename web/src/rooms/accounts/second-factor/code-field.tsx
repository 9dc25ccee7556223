import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { TextField } from '#ui/controls/field.tsx';

/** The code that an authenticator app shows; with `orRecovery`, a recovery code is accepted, too. */
export function CodeField({ orRecovery, hint }: { orRecovery?: boolean; hint?: ReactNode }) {
  const { t } = useLingui();
  return (
    <TextField
      label={orRecovery ? t`Code of your authenticator app, or a recovery code` : t`Code of your authenticator app`}
      hint={hint}
      name="code"
      inputMode={orRecovery ? 'text' : 'numeric'}
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={64}
      required
    />
  );
}
