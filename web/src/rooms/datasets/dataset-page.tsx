import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Dataset, DatasetChange } from '@sightline/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { sightline } from '#api/client.ts';
import { isUnavailable } from '#api/queries.ts';
import { Breadcrumbs } from '#frame/breadcrumbs.tsx';
import { Title } from '#frame/page-slots.tsx';
import { Button, buttonClass, IconButton } from '#ui/controls/button.tsx';
import { Ago } from '#ui/format/ago.tsx';
import { formatNumber } from '#ui/format/format.ts';
import { useToasts } from '#ui/overlays/toasts.tsx';
import { Section } from '#ui/section.tsx';
import { ErrorNotice, Skeleton, UnavailableState } from '#ui/states.tsx';
import { AddQuestionsDialog, EditDatasetDialog } from './dataset-dialogs.tsx';
import { DatasetClips, DatasetQuestions, DatasetVideos } from './dataset-parts.tsx';
import { DatasetState } from './dataset-state.tsx';
import { DatasetVersions } from './dataset-versions.tsx';
import { DeleteDatasetDialog } from './delete-dataset.tsx';
import { DownloadMenu } from './download-menu.tsx';
import { FieldValues } from './field-values.tsx';
import { datasetQuery, refreshDatasets, useCanChange } from './queries.ts';
import { ReviewBar } from './review-bar.tsx';

/** A dataset: what it has, how far its events are reviewed, and its download. */
export function DatasetPage() {
  const { t } = useLingui();
  const { datasetId } = useParams({ from: '/app/datasets/$datasetId' });
  const { data: dataset, error, refetch } = useQuery(datasetQuery(datasetId));
  const title = dataset?.name ?? t`Dataset`;
  return (
    <>
      <Title text={title}>
        <Breadcrumbs to="/datasets" list={<Trans>Datasets</Trans>} title={title} />
      </Title>
      {isUnavailable(error) ? (
        <UnavailableState
          title={<Trans>This dataset is not available</Trans>}
          action={
            <Link to="/datasets" className={buttonClass('primary')}>
              <Trans>Show datasets</Trans>
            </Link>
          }
        />
      ) : error ? (
        <ErrorNotice error={error} onRetry={() => void refetch()} className="m-4.5" />
      ) : dataset ? (
        <Content dataset={dataset} />
      ) : (
        <Skeleton className="m-4.5 h-60" />
      )}
    </>
  );
}

function Content({ dataset }: { dataset: Dataset }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const { showError } = useToasts();
  const canChange = useCanChange()(dataset.id);
  const [dialog, setDialog] = useState<'add' | 'edit' | 'delete' | null>(null);
  const close = () => setDialog(null);
  const { batch_count: questions, video_count: videos, clip_count: clips, event_counts: events } = dataset.totals;

  async function remove(change: DatasetChange) {
    try {
      await sightline.changeDataset(dataset.id, change);
      await refreshDatasets();
    } catch (error) {
      showError(error);
    }
  }
  return (
    <div className="p-4.5 md:py-6">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <DatasetState of={dataset} />
        <span className="text-ink-3 text-sm">
          {dataset.scope === 'org' ? <Trans>Shared with the organization</Trans> : <Trans>Only you see it</Trans>}
          {' · '}
          <Trans>
            changed <Ago time={dataset.updated_at} />
          </Trans>
        </span>
        <span className="ml-auto flex flex-wrap gap-2">
          {canChange && (
            <>
              <IconButton icon={Trash2} label={t`Delete dataset`} onClick={() => setDialog('delete')} />
              <IconButton icon={Pencil} label={t`Edit`} onClick={() => setDialog('edit')} />
            </>
          )}
          <DownloadMenu dataset={dataset} />
        </span>
      </div>
      {dataset.search_description && (
        <p className="mt-3 max-w-prose whitespace-pre-wrap break-words text-ink-2">{dataset.search_description}</p>
      )}
      <dl className="mt-5 flex flex-wrap gap-x-10 gap-y-3">
        <Count name={<Plural value={questions} one="Question" other="Questions" />} count={questions} />
        <Count name={<Plural value={videos} one="Video" other="Videos" />} count={videos} />
        <Count name={<Plural value={events.total} one="Event" other="Events" />} count={events.total} />
        {clips > 0 && <Count name={<Plural value={clips} one="Clip" other="Clips" />} count={clips} />}
      </dl>
      <div className="mt-4 mb-6">{events.total > 0 && <ReviewBar counts={events} />}</div>
      <Section
        title={<Trans>Questions</Trans>}
        action={
          canChange && (
            <Button icon={Plus} onClick={() => setDialog('add')}>
              <Trans>Add questions</Trans>
            </Button>
          )
        }
      >
        <DatasetQuestions
          ids={dataset.batch_ids}
          onRemove={canChange ? (id) => void remove({ remove_batch_ids: [id] }) : undefined}
        />
      </Section>
      <DatasetVersions dataset={dataset} canChange={canChange} />
      <FieldValues datasetId={dataset.id} />
      {dataset.video_ids.length > 0 && (
        <Section title={<Trans>Videos without analyses</Trans>}>
          <DatasetVideos
            ids={dataset.video_ids}
            onRemove={canChange ? (id) => void remove({ remove_video_ids: [id] }) : undefined}
          />
        </Section>
      )}
      {clips > 0 && (
        <Section title={<Trans>Clips</Trans>}>
          <DatasetClips
            clips={dataset.clips ?? []}
            onRemove={canChange ? (id) => void remove({ remove_clip_ids: [id] }) : undefined}
          />
        </Section>
      )}
      {dialog === 'add' && <AddQuestionsDialog dataset={dataset} onClose={close} onDone={close} />}
      {dialog === 'edit' && <EditDatasetDialog dataset={dataset} onClose={close} />}
      <DeleteDatasetDialog
        dataset={dialog === 'delete' ? dataset : null}
        onClose={close}
        // The page of the deleted dataset must not be read again.
        onDeleted={async () => {
          await navigate({ to: '/datasets', replace: true });
          void refreshDatasets();
        }}
      />
    </div>
  );
}

const Count = ({ name, count }: { name: ReactNode; count: number }) => (
  <div className="flex flex-col-reverse">
    <dt className="text-ink-2 text-sm">{name}</dt>
    <dd className="num text-xl">{formatNumber(count)}</dd>
  </div>
);
