import { Trans } from '@lingui/react/macro';
import { ShieldAlert } from 'lucide-react';

/** Explains why a part of the settings is missing for members. */
export function AdminOnly() {
  return (
    <p className="flex items-start gap-2 text-ink-2">
      <ShieldAlert size={16} className="mt-0.5 shrink-0 text-ink-3" aria-hidden />
      <Trans>Only admins and owners can see and change this. Ask an admin of your organization.</Trans>
    </p>
  );
}
