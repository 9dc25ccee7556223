import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { Title } from '#frame/page-slots.tsx';
import { buttonClass } from '#ui/controls/button.tsx';
import { EmptyState } from '#ui/states.tsx';

/** The address of a browsable dataset in older clients. This service has none; the page leads to what it has. */
export function DatasetStudioPage() {
  const { t } = useLingui();
  return (
    <>
      <Title text={t`Dataset`} />
      <EmptyState
        title={<Trans>This service has no Dataset Studio</Trans>}
        action={
          <>
            <Link to="/datasets" className={buttonClass('primary')}>
              <Trans>Show datasets</Trans>
            </Link>
            <Link to="/search" search={{ review: 'approved' }} className={buttonClass()}>
              <Trans>Show approved events</Trans>
            </Link>
          </>
        }
      >
        <Trans>Datasets of this service are downloaded as one file. Their events are found by the search.</Trans>
      </EmptyState>
    </>
  );
}
