import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { Title } from '#frame/page-slots.tsx';
import { buttonClass } from '#ui/controls/button.tsx';
import { EmptyState } from '#ui/states.tsx';

/** The address of a dataset in older clients: this service has none, and offers what they were made of. */
export function DatasetPage() {
  const { t } = useLingui();
  return (
    <>
      <Title text={t`Dataset`} />
      <EmptyState
        title={<Trans>This service has no datasets</Trans>}
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
