import { Trans, useLingui } from '@lingui/react/macro';
import type { Camera, CameraKey } from '@sightline/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { sightline } from '#api/client.ts';
import { Title } from '#frame/page-slots.tsx';
import { LiveTabs } from '#rooms/live/live-tabs.tsx';
import { classes } from '#ui/classes.ts';
import { Button } from '#ui/controls/button.tsx';
import { SearchField } from '#ui/controls/search-field.tsx';
import { formatNumber } from '#ui/format/format.ts';
import { type Column, ListTable } from '#ui/lists/table.tsx';
import { ConfirmDialog } from '#ui/overlays/dialog.tsx';
import { EmptyState } from '#ui/states.tsx';
import { type CameraAction, CameraDetails } from './camera-details.tsx';
import { CameraDialog } from './camera-dialog.tsx';
import { CameraState, groupOf, LastFrame, STATE_FILTERS, type StateFilter } from './camera-state.tsx';
import { KeyDialog } from './key-dialog.tsx';
import { camerasQuery } from './queries.ts';
import { QuestionsDialog } from './questions-dialog.tsx';
import { RecordingDialog } from './recording-dialog.tsx';
import { RetentionDialog } from './retention-dialog.tsx';
import { ScheduleDialog } from './schedule-dialog.tsx';
import { Snapshot } from './snapshot.tsx';

/** The cameras with their states, and one of them. Filters and the selected camera are in the address. */
export function CamerasPage() {
  const { t } = useLingui();
  const queryClient = useQueryClient();
  const search = useSearch({ from: '/app/live/cameras' });
  const navigate = useNavigate({ from: '/live/cameras' });
  const [adding, setAdding] = useState(false);
  const [key, setKey] = useState<CameraKey | null>(null);
  const [action, setAction] = useState<CameraAction | null>(null);
  const query = useQuery(camerasQuery);
  const all = query.data ?? [];
  const text = search.q?.toLowerCase() ?? '';
  const rows = all.filter(
    (camera) =>
      (search.state === undefined || groupOf(camera) === search.state) &&
      [camera.name, camera.folder_name, camera.source_url].some((each) => each?.toLowerCase().includes(text)),
  );
  const selected = all.find(({ camera_id }) => camera_id === search.camera);
  const change = (changes: typeof search) => void navigate({ search: { ...search, ...changes }, replace: true });
  const refresh = () => void queryClient.invalidateQueries({ queryKey: camerasQuery.queryKey });
  const closeAction = () => setAction(null);
  const addButton = (
    <Button look="primary" icon={Plus} onClick={() => setAdding(true)}>
      <Trans>Add camera</Trans>
    </Button>
  );
  return (
    <div className={classes('grid min-h-full', selected && 'lg:grid-cols-[minmax(0,1fr)_minmax(340px,400px)]')}>
      <Title text={t`Cameras`} />
      <div className={classes('min-w-0 p-4.5', selected && 'max-lg:hidden')}>
        <div className="mb-3 flex flex-wrap items-center gap-2">
          <LiveTabs />
          <SearchField
            label={t`Filter cameras`}
            value={search.q ?? ''}
            onChange={(q) => change({ q: q || undefined })}
            className="w-44"
          />
          <StateChips cameras={query.data} value={search.state} onChange={(state) => change({ state })} />
          <span className="ml-auto">{all.length > 0 && addButton}</span>
        </div>
        <ListTable
          label={t`Cameras`}
          query={query}
          rows={rows}
          columns={useColumns(selected?.camera_id)}
          rowKey={({ camera_id }) => camera_id}
          empty={
            all.length > 0 ? (
              <EmptyState title={<Trans>No camera matches</Trans>} />
            ) : (
              <EmptyState title={<Trans>No cameras yet</Trans>} action={addButton}>
                <Trans>A camera is recorded while it is on, and its questions are answered as it runs.</Trans>
              </EmptyState>
            )
          }
        />
      </div>
      {selected && (
        <CameraDetails
          camera={selected}
          onClose={() => change({ camera: undefined })}
          onAction={setAction}
          onKey={(created) => {
            setKey(created);
            refresh();
          }}
        />
      )}
      {(adding || (selected && action === 'change')) && (
        <CameraDialog
          changed={adding ? undefined : selected}
          onClose={() => {
            setAdding(false);
            closeAction();
          }}
          onSaved={({ camera_id }) => {
            refresh();
            change({ camera: camera_id });
          }}
        />
      )}
      {key && <KeyDialog created={key} onClose={() => setKey(null)} />}
      {selected && action === 'schedule' && (
        <ScheduleDialog camera={selected} onClose={closeAction} onSaved={refresh} />
      )}
      {selected && action === 'questions' && (
        <QuestionsDialog camera={selected} onClose={closeAction} onSaved={refresh} />
      )}
      {selected && action === 'recording' && (
        <RecordingDialog camera={selected} onClose={closeAction} onSaved={refresh} />
      )}
      {selected && action === 'retention' && (
        <RetentionDialog camera={selected} onClose={closeAction} onSaved={refresh} />
      )}
      <ConfirmDialog
        open={selected !== undefined && action === 'delete'}
        onClose={closeAction}
        title={<Trans>Delete the camera?</Trans>}
        action={<Trans>Delete camera</Trans>}
        look="danger"
        onConfirm={async () => {
          await sightline.deleteCamera(selected!.camera_id);
          change({ camera: undefined });
          await queryClient.invalidateQueries({ queryKey: camerasQuery.queryKey });
        }}
      >
        <Trans>It is no longer recorded. Its recordings stay in the library.</Trans>
      </ConfirmDialog>
    </div>
  );
}

function StateChips({
  cameras,
  value,
  onChange,
}: {
  /** Undefined while they load: no number is shown. */
  cameras: readonly Camera[] | undefined;
  value: StateFilter | undefined;
  onChange: (state: StateFilter | undefined) => void;
}) {
  const { t } = useLingui();
  const names = { live: t`Live`, record: t`Recording only`, offline: t`Offline`, off: t`Off` };
  const chip = (state: StateFilter | undefined, name: string) => (
    <button
      key={name}
      type="button"
      aria-pressed={value === state}
      onClick={() => onChange(state)}
      className={classes(
        'inline-flex h-7.5 items-center gap-1.5 rounded-full border px-3 hover:border-strong-line',
        value === state ? 'border-strong-line bg-raise text-ink' : 'border-line text-ink-2',
      )}
    >
      {name}{' '}
      {cameras && (
        <span className="num text-ink-3">
          {formatNumber(cameras.filter((camera) => state === undefined || groupOf(camera) === state).length)}
        </span>
      )}
    </button>
  );
  return (
    <fieldset className="flex flex-wrap gap-1.5">
      <legend className="sr-only">{t`State`}</legend>
      {chip(undefined, t`All`)}
      {STATE_FILTERS.map((state) => chip(state, names[state]))}
    </fieldset>
  );
}

function useColumns(selected: string | undefined): Column<Camera>[] {
  const { t } = useLingui();
  return [
    {
      id: 'image',
      header: t`Image`,
      hideHeader: true,
      className: 'w-20',
      cell: (camera) => <Snapshot camera={camera} className="w-15.5" />,
    },
    {
      id: 'name',
      header: t`Name`,
      sort: ({ name }) => name,
      cell: ({ camera_id, name }) => (
        <Link
          to="/live/cameras"
          search={(search) => ({ ...search, camera: camera_id })}
          aria-current={camera_id === selected || undefined}
          className="font-medium hover:underline aria-[current=true]:text-accent-text"
        >
          {name}
        </Link>
      ),
    },
    {
      id: 'place',
      header: t`Folder`,
      className: 'max-sm:hidden',
      sort: ({ folder_name }) => folder_name,
      cell: ({ folder_name }) => folder_name ?? <span className="text-ink-3">–</span>,
    },
    {
      id: 'address',
      header: t`Address`,
      className: selected ? 'hidden 2xl:table-cell' : 'max-lg:hidden',
      cell: ({ source_url, push }) =>
        push ? (
          <span className="text-ink-2">
            <Trans>Pushes by RTMP</Trans>
          </span>
        ) : (
          <span className="line-clamp-1 break-all font-mono text-ink-2 text-sm">{source_url}</span>
        ),
    },
    {
      id: 'state',
      header: t`State`,
      sort: ({ state }) => state,
      cell: (camera) => <CameraState camera={camera} />,
    },
    {
      id: 'last-frame',
      header: t`Last frame`,
      end: true,
      className: 'num whitespace-nowrap max-md:hidden',
      sort: ({ last_frame_at }) => last_frame_at,
      cell: (camera) => <LastFrame camera={camera} />,
    },
    {
      id: 'questions',
      header: t`Questions`,
      end: true,
      className: 'num max-md:hidden',
      sort: ({ questions }) => questions.length,
      cell: ({ questions }) =>
        questions.length === 0 ? <span className="text-ink-3">–</span> : formatNumber(questions.length),
    },
  ];
}
