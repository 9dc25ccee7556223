import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Camera, CameraKey, CameraTest } from '@sightline/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { BellOff, BellRing, EllipsisVertical, Pencil, Play, Square, Trash2, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { sightline } from '#api/client.ts';
import { serviceNow } from '#api/service-clock.ts';
import { RetainedText } from '#rooms/live/retained-text.tsx';
import { Button, buttonClass, IconButton } from '#ui/controls/button.tsx';
import { formatClock, formatInZone, formatMoment, formatNumber, formatTime } from '#ui/format/format.ts';
import { Menu, MenuItem } from '#ui/overlays/menu.tsx';
import { useToasts } from '#ui/overlays/toasts.tsx';
import { ErrorNotice, Skeleton } from '#ui/states.tsx';
import { CameraState, isMuted } from './camera-state.tsx';
import { ConnectionTest } from './connection-test.tsx';
import { Push } from './push.tsx';
import { cameraZonesQuery, useChangeCamera } from './queries.ts';
import { RetentionText } from './retention.tsx';
import { toHours } from './schedule.ts';
import { ScheduleGrid } from './schedule-grid.tsx';
import { Snapshot } from './snapshot.tsx';

const HOUR_MS = 3_600_000;
/** Duration for which the button mutes alerts. */
const MUTE_HOURS = 1;

export type CameraAction = 'change' | 'schedule' | 'questions' | 'recording' | 'retention' | 'delete';

/** One camera with its connection, schedule, zones, questions and clock. */
export function CameraDetails({
  camera,
  onClose,
  onAction,
  onKey,
}: {
  camera: Camera;
  onClose: () => void;
  onAction: (action: CameraAction) => void;
  /** A new key of the camera was created. */
  onKey: (key: CameraKey) => void;
}) {
  const { t } = useLingui();
  const change = useChangeCamera();
  const { name, enabled, folder_name, started_at, event_count, questions, time_zone, schedule } = camera;
  const started = started_at && formatClock(Date.parse(started_at));
  const isRunning = camera.state === 'live' || (camera.state === 'offline' && started_at !== null);
  const mutedUntil = isMuted(camera) ? null : new Date(serviceNow() + MUTE_HOURS * HOUR_MS).toISOString();
  return (
    <aside aria-label={t`Camera ${name}`} className="min-w-0 border-line lg:border-l">
      <header className="grid gap-2 border-b p-4">
        <div className="flex items-start justify-between gap-2">
          <div className="min-w-0">
            <h2 className="break-words text-lg">{name}</h2>
            <p className="text-ink-2">
              {folder_name ?? <Trans>No folder</Trans>}
              {isRunning && (
                <>
                  {' · '}
                  <Plural
                    value={event_count}
                    one={`Running since ${started}, # event`}
                    other={`Running since ${started}, # events`}
                  />
                </>
              )}
            </p>
          </div>
          <IconButton icon={X} label={t`Close`} onClick={onClose} />
        </div>
        <CameraState camera={camera} />
        <div className="flex flex-wrap gap-2">
          <OpenLive camera={camera} />
          <Button
            icon={mutedUntil === null ? BellRing : BellOff}
            onClick={() => void change(camera, { muted_until: mutedUntil })}
          >
            {mutedUntil === null ? <Trans>Unmute</Trans> : <Trans>Mute for an hour</Trans>}
          </Button>
          <Button icon={enabled ? Square : Play} onClick={() => void change(camera, { enabled: !enabled })}>
            {enabled ? <Trans>Stop</Trans> : <Trans>Start</Trans>}
          </Button>
          <Menu align="end" trigger={<IconButton icon={EllipsisVertical} label={t`More actions`} />}>
            <MenuItem icon={Pencil} onSelect={() => onAction('change')}>
              <Trans>Change…</Trans>
            </MenuItem>
            <MenuItem icon={Trash2} danger onSelect={() => onAction('delete')}>
              <Trans>Delete…</Trans>
            </MenuItem>
          </Menu>
        </div>
      </header>
      {camera.push ? (
        <Part title={<Trans>Connection</Trans>} note={<Trans>The camera pushes by RTMP</Trans>}>
          <Push key={camera.camera_id} camera={camera} onKey={onKey} />
        </Part>
      ) : (
        <Connection key={camera.camera_id} camera={camera} onChange={() => onAction('change')} />
      )}
      <Health camera={camera} />
      <Part
        title={<Trans>Schedule</Trans>}
        note={time_zone ?? t`UTC`}
        action={<PartButton label={t`Edit schedule`} onClick={() => onAction('schedule')} />}
      >
        {schedule === null ? <Trans>Always analyzed and recorded</Trans> : <ScheduleGrid hours={toHours(schedule)} />}
      </Part>
      <Zones id={camera.camera_id} />
      <Part
        title={<Trans>Questions and alerts</Trans>}
        action={<PartButton label={t`Edit questions`} onClick={() => onAction('questions')} />}
      >
        {questions.length === 0 ? (
          <span className="text-ink-3">
            <Trans>No question set: it is only recorded.</Trans>
          </span>
        ) : (
          <ul className="grid gap-1">
            {questions.map((question) => (
              <li key={question.saved_question_id} className="flex flex-wrap justify-between gap-2">
                <Link
                  to="/saved-questions"
                  search={{ question: question.saved_question_id }}
                  className="hover:underline"
                >
                  {question.name}
                </Link>
                {!question.active && (
                  <span className="text-ink-3">
                    <Trans>Paused</Trans>
                  </span>
                )}
              </li>
            ))}
          </ul>
        )}
      </Part>
      <Part
        title={<Trans>Recording</Trans>}
        action={<PartButton label={t`Edit recording`} onClick={() => onAction('recording')} />}
      >
        <RecordingText camera={camera} />
      </Part>
      <Part
        title={<Trans>Retention</Trans>}
        action={<PartButton label={t`Edit retention`} onClick={() => onAction('retention')} />}
      >
        <RetentionText retention={camera.retention} />
      </Part>
      <Part title={<Trans>Clock</Trans>}>
        {time_zone ? (
          <span className="num">
            {time_zone}, <Trans>now {formatInZone(new Date(serviceNow()).toISOString(), time_zone)}</Trans>
          </span>
        ) : (
          <Trans>Time zone not set</Trans>
        )}
      </Part>
    </aside>
  );
}

/** Link to the page of the running session, which is that of its recording. */
function OpenLive({ camera: { video_id, state, last_frame_at } }: { camera: Camera }) {
  if (video_id === null || last_frame_at === null) return null;
  return (
    <Link to="/videos/$videoId" params={{ videoId: video_id }} className={buttonClass('primary')}>
      {state === 'live' ? <Trans>Open live</Trans> : <Trans>Open last recording</Trans>}
    </Link>
  );
}

function Connection({ camera, onChange }: { camera: Camera; onChange: () => void }) {
  const { t } = useLingui();
  const { showError } = useToasts();
  const [test, setTest] = useState<CameraTest | null>(null);
  const [isTesting, setTesting] = useState(false);
  async function run() {
    setTesting(true);
    try {
      setTest(await sightline.testCamera({ id: camera.camera_id }));
    } catch (error) {
      showError(error);
    } finally {
      setTesting(false);
    }
  }
  const at = test && formatClock(Date.parse(test.tested_at));
  return (
    <Part
      title={<Trans>Connection</Trans>}
      note={test && (test.ok ? t`passed at ${at}` : t`failed at ${at}`)}
      action={
        <Button look="ghost" busy={isTesting} className="text-accent-text" onClick={() => void run()}>
          {isTesting ? <Trans>Testing…</Trans> : test ? <Trans>Test again</Trans> : <Trans>Test</Trans>}
        </Button>
      }
    >
      <div className="grid gap-3">
        {test ? <ConnectionTest test={test} /> : <Snapshot camera={camera} className="w-full max-w-80" />}
        <div className="flex flex-wrap items-center gap-x-2">
          <span className="min-w-0 break-all font-mono text-sm">{camera.source_url}</span>
          {camera.has_credentials && (
            <span className="text-ink-3 text-sm">
              <Trans>credentials stored, encrypted</Trans>
            </span>
          )}
          <Button look="ghost" className="ml-auto text-accent-text" onClick={onChange}>
            <Trans>Change</Trans>
          </Button>
        </div>
      </div>
    </Part>
  );
}

function Health({ camera }: { camera: Camera }) {
  const { bitrate, interruption_count, lost_s, recent_faults, last_frame_at } = camera;
  const { t } = useLingui();
  const kinds = { offline: t`Offline`, black: t`Black picture`, frozen: t`Frozen picture` };
  const rate = bitrate !== null && formatNumber(bitrate / 1e6, { maximumFractionDigits: 1 });
  const lost = formatNumber(lost_s, { maximumFractionDigits: 1 });
  return (
    <Part title={<Trans>Health</Trans>}>
      <ul className="num grid gap-1">
        {rate && (
          <li>
            <Trans>{rate} Mbit/s in the last minute</Trans>
          </li>
        )}
        <li>
          {last_frame_at === null ? (
            <Trans>No frame in this session</Trans>
          ) : interruption_count === 0 ? (
            <Trans>No interruption in the last 24 hours</Trans>
          ) : (
            <Plural
              value={interruption_count}
              one={`# interruption in the last 24 hours, ${lost} s`}
              other={`# interruptions in the last 24 hours, ${lost} s together`}
            />
          )}
        </li>
      </ul>
      {recent_faults.length > 0 && (
        <ul aria-label={t`Faults`} className="num grid max-h-60 gap-1 overflow-y-auto">
          {recent_faults.map(({ kind, from, until }) => (
            <li key={`${kind} ${from}`} className="flex flex-wrap justify-between gap-x-2">
              <span>{kinds[kind]}</span>
              <span className="text-ink-3">
                {formatMoment(Date.parse(from))} ·{' '}
                {until === null ? <Trans>lasts</Trans> : formatTime((Date.parse(until) - Date.parse(from)) / 1_000, 0)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Part>
  );
}

/** States which part of a camera is recorded, and how much of its newest session is. */
function RecordingText({ camera }: { camera: Camera }) {
  const { recording, pre_roll_s, post_roll_s, session_recording } = camera;
  if (recording === 'continuous') return <Trans>Everything</Trans>;
  const [before, after] = [pre_roll_s, post_roll_s].map((seconds) => formatNumber(seconds));
  return (
    <div className="grid gap-1">
      <p>
        <Trans>
          Only around events: {before} s before and {after} s after them
        </Trans>
      </p>
      {session_recording === 'events' && <RetainedText session={camera} />}
      {session_recording === 'continuous' && (
        <p className="text-ink-3">
          <Trans>The newest session is recorded as a whole, as no question was active.</Trans>
        </p>
      )}
    </div>
  );
}

function Zones({ id }: { id: string }) {
  const { data: zones, error, refetch } = useQuery(cameraZonesQuery(id));
  return (
    <Part title={<Trans>Zones</Trans>}>
      {error ? (
        <ErrorNotice error={error} onRetry={() => void refetch()} />
      ) : !zones ? (
        <Skeleton className="h-5" />
      ) : zones.length === 0 ? (
        <span data-empty="" className="text-ink-3">
          <Trans>None. Draw one on the live page of the camera, for all of its recordings.</Trans>
        </span>
      ) : (
        <ul className="flex flex-wrap gap-x-4 gap-y-1">
          {zones.map(({ zone_id, name }) => (
            <li key={zone_id}>{name}</li>
          ))}
        </ul>
      )}
    </Part>
  );
}

function Part({
  title,
  note,
  action,
  children,
}: {
  title: ReactNode;
  note?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className="grid gap-2 border-b px-4 py-3 last:border-b-0">
      <div className="flex min-h-7.5 items-center gap-2">
        <h3 className="font-medium">{title}</h3>
        {note && <span className="text-ink-3 text-sm">{note}</span>}
        <span className="ml-auto">{action}</span>
      </div>
      {children}
    </section>
  );
}

const PartButton = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <Button look="ghost" aria-label={label} className="text-accent-text" onClick={onClick}>
    <Trans>Edit</Trans>
  </Button>
);
