import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';

const TAB =
  'inline-flex h-7.5 items-center px-3 text-ink-2 hover:text-ink data-[status=active]:bg-raise data-[status=active]:font-medium data-[status=active]:text-ink';

/** The pages about livestreams. */
export function LiveTabs() {
  const { t } = useLingui();
  return (
    <nav aria-label={t`Livestreams`} className="inline-flex overflow-hidden rounded-md border">
      <Link to="/live" activeOptions={{ exact: true, includeSearch: false }} className={TAB}>
        <Trans>Sessions</Trans>
      </Link>
      <Link to="/live/wall" activeOptions={{ includeSearch: false }} className={TAB}>
        <Trans>Wall</Trans>
      </Link>
      <Link to="/live/cameras" activeOptions={{ includeSearch: false }} className={TAB}>
        <Trans>Cameras</Trans>
      </Link>
    </nav>
  );
}
