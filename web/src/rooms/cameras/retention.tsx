import { Plural, Trans } from '@lingui/react/macro';
import type { Camera } from '@sightline/sdk';
import { formatBytes } from '#ui/format/format.ts';

/** Which recordings of a camera stay, in words. */
export function RetentionText({ retention }: Pick<Camera, 'retention'>) {
  const { days = null, bytes = null, keep_approved = true } = retention ?? {};
  if (days === null && bytes === null) return <Trans>All recordings stay</Trans>;
  const size = bytes !== null && formatBytes(bytes);
  return (
    <ul className="grid gap-1">
      {days !== null && (
        <li>
          <Plural value={days} one="Recordings stay for # day" other="Recordings stay for # days" />
        </li>
      )}
      {size && (
        <li>
          <Trans>At most {size}: then the oldest are deleted</Trans>
        </li>
      )}
      {keep_approved && (
        <li className="text-ink-3">
          <Trans>Recordings with an approved event stay</Trans>
        </li>
      )}
    </ul>
  );
}
