import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { Title } from '#frame/page-slots.tsx';
import { buttonClass } from '#ui/controls/button.tsx';
import { EmptyState } from '#ui/states.tsx';

/** The address of a browsable dataset in older clients. This service has none; the page leads to their events. */
export function DatasetPage() {
  const { t } = useLingui();
  return (
    <>
      <Title text={t`Dataset`} />
      <EmptyState
        title={<Trans>This service has no Dataset Studio</Trans>}
        action={
          <>
            <Link to="/search" search={{ review: 'approved' }} className={buttonClass('primary')}>
              <Trans>Show approved events</Trans>
            </Link>
            <Link to="/questions" className={buttonClass()}>
              <Trans>Show questions</Trans>
            </Link>
          </>
        }
      >
        <Trans>
          The events from which a dataset would be made are here: search them, or open a question and export its events.
        </Trans>
      </EmptyState>
    </>
  );
}
