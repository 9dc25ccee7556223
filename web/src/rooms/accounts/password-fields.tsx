import { useLingui } from '@lingui/react/macro';
import { TextField } from '#ui/controls/field.tsx';

/** The password that the user has. */
export function CurrentPasswordField({ label, name }: { label: string; name: string }) {
  return (
    <TextField label={label} name={name} type="password" autoComplete="current-password" maxLength={256} required />
  );
}

/** A password to set; the browser checks its length, the service the rest. */
export function NewPasswordField({ name }: { name: string }) {
  const { t } = useLingui();
  return (
    <TextField
      label={t`New password, at least 12 characters`}
      name={name}
      type="password"
      autoComplete="new-password"
      minLength={12}
      maxLength={256}
      required
    />
  );
}
