import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Dataset, DatasetVersion } from '@sightline/sdk';
import { useQuery } from '@tanstack/react-query';
import { Download, Snowflake, Trash2 } from 'lucide-react';
import { Suspense, useState } from 'react';
import { api } from '#api/client.ts';
import { lazyComponent } from '#api/lazy-component.ts';
import { download } from '#rooms/exports/queries.ts';
import { Button, IconButton } from '#ui/controls/button.tsx';
import { formatDateTime } from '#ui/format/format.ts';
import { ConfirmDialog } from '#ui/overlays/dialog.tsx';
import { useToasts } from '#ui/overlays/toasts.tsx';
import { Section } from '#ui/section.tsx';
import { ErrorNotice, Skeleton } from '#ui/states.tsx';
import { datasetVersionsQuery, refreshDatasets, VERSION_PATH } from './queries.ts';

// Loaded when it is first opened.
const FreezeDialog = lazyComponent(async () => (await import('./freeze-dialog.tsx')).FreezeDialog);

/** The versions of a dataset, which stay as they were frozen. */
export function DatasetVersions({ dataset, canChange }: { dataset: Dataset; canChange: boolean }) {
  const [freezing, setFreezing] = useState(false);
  const [deleted, setDeleted] = useState<DatasetVersion | null>(null);
  const { data: versions, error, refetch } = useQuery(datasetVersionsQuery(dataset.id));
  return (
    <Section
      title={<Trans>Versions</Trans>}
      hint={<Trans>Copies of the events, verdicts, clips and splits. Later changes do not affect them.</Trans>}
      action={
        canChange && (
          <Button icon={Snowflake} disabled={dataset.status === 'processing'} onClick={() => setFreezing(true)}>
            <Trans>Freeze a version</Trans>
          </Button>
        )
      }
    >
      {error ? (
        <ErrorNotice error={error} onRetry={() => void refetch()} />
      ) : !versions ? (
        <Skeleton className="h-11" />
      ) : versions.length === 0 ? (
        <p className="text-ink-3">
          <Trans>No version was frozen yet.</Trans>
        </p>
      ) : (
        <ul>
          {versions.map((version) => (
            <Row key={version.number} version={version} onDelete={canChange ? () => setDeleted(version) : undefined} />
          ))}
        </ul>
      )}
      {freezing && (
        <Suspense>
          <FreezeDialog datasetId={dataset.id} onClose={() => setFreezing(false)} />
        </Suspense>
      )}
      <ConfirmDialog
        open={deleted !== null}
        onClose={() => setDeleted(null)}
        title={<Trans>Delete the version?</Trans>}
        action={<Trans>Delete version</Trans>}
        look="danger"
        onConfirm={async () => {
          await api.DELETE(VERSION_PATH, { params: { path: toPath(deleted!) } });
          await refreshDatasets();
        }}
      >
        <Trans>Its file cannot be made again. The dataset and its events stay.</Trans>
      </ConfirmDialog>
    </Section>
  );
}

const toPath = ({ dataset_id, number: version }: DatasetVersion) => ({ dataset_id, version });

function Row({ version, onDelete }: { version: DatasetVersion; onDelete: (() => void) | undefined }) {
  const { t } = useLingui();
  const { showError } = useToasts();
  const { name, number, status, sha256, missing_videos: missing } = version;
  async function save() {
    try {
      const { download_url } = (await api.GET(`${VERSION_PATH}/download`, { params: { path: toPath(version) } })).data!;
      if (download_url) download(download_url);
    } catch (error) {
      showError(error);
    }
  }
  return (
    <li className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 border-b px-2 py-1.5">
      <div className="min-w-0 flex-1 basis-48">
        <p className="truncate font-medium">
          <span className="num text-ink-3">{number}</span> {name}
        </p>
        <p className="num text-ink-3 text-sm">
          <Plural value={version.video_count} one="# video" other="# videos" />
          {' · '}
          <Plural value={version.event_count} one="# event" other="# events" />
          {version.clip_count > 0 && (
            <>
              {' · '}
              <Plural value={version.clip_count} one="# clip" other="# clips" />
            </>
          )}
          {' · '}
          {formatDateTime(version.created_at)}
          {sha256 && <span title={`SHA-256: ${sha256}`}> · {sha256.slice(0, 12)}</span>}
        </p>
      </div>
      {missing > 0 && (
        <p className="text-ink-2 text-sm">
          <Plural value={missing} one="# video was deleted since" other="# videos were deleted since" />
        </p>
      )}
      {status === 'processing' && (
        <p className="text-ink-2 text-sm">
          <Trans>Being frozen</Trans>
        </p>
      )}
      {status === 'failed' && (
        <p className="text-bad text-sm">
          <Trans>Failed because of an internal error</Trans>
        </p>
      )}
      <span className="flex gap-1">
        {onDelete && <IconButton icon={Trash2} label={t`Delete ${name}`} onClick={onDelete} />}
        <IconButton
          icon={Download}
          label={t`Download ${name}`}
          disabled={status !== 'ready'}
          onClick={() => void save()}
        />
      </span>
    </li>
  );
}
