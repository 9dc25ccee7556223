import { Trans, useLingui } from '@lingui/react/macro';
import type { Camera } from '@sightline/sdk';
import { serviceNow } from '#api/service-clock.ts';
import { classes } from '#ui/classes.ts';
import { formatClock, formatMoment, formatWeekTime } from '#ui/format/format.ts';
import { ServiceText } from '#ui/service-text.tsx';

/** Groups of the filter above the list. */
export const STATE_FILTERS = ['live', 'record', 'offline', 'off'] as const;
export type StateFilter = (typeof STATE_FILTERS)[number];

/** The group of a camera. */
export function groupOf({ state, mode, questions }: Camera): StateFilter {
  if (state === 'offline') return 'offline';
  if (state === 'off' || state === 'off_by_schedule' || state === 'stopping') return 'off';
  return mode === 'analyze' && questions.some(({ active }) => active) ? 'live' : 'record';
}

const DOTS = { live: 'bg-bad', record: 'border-2 border-ink-3', offline: 'bg-ink-3', off: 'bg-ink-3' };

/** True while alerts are muted. */
export const isMuted = ({ muted_until }: Camera): boolean =>
  muted_until !== null && Date.parse(muted_until) > serviceNow();

export function CameraState({ camera }: { camera: Camera }) {
  const { state } = camera;
  const group = groupOf(camera);
  return (
    <div className="grid min-w-28 grid-cols-[8px_minmax(0,1fr)] items-center gap-x-2">
      <span aria-hidden className={classes('size-2 rounded-full', state === 'starting' ? 'bg-warn' : DOTS[group])} />
      <span className={state === 'offline' ? 'font-medium' : undefined}>
        <StateName camera={camera} />
      </span>
      <span className="col-start-2 text-sm empty:hidden">
        <StateNote camera={camera} />
      </span>
    </div>
  );
}

function StateName({ camera }: { camera: Camera }) {
  const { t } = useLingui();
  switch (camera.state) {
    case 'off':
      return t`Off`;
    case 'off_by_schedule':
      return t`Off by schedule`;
    case 'starting':
      return t`Connecting`;
    case 'stopping':
      return t`Ending`;
    case 'offline':
      return t`Offline`;
    case 'live':
      return groupOf(camera) === 'live' ? t`Live` : t`Recording only`;
  }
}

function StateNote({ camera }: { camera: Camera }) {
  const { state, message, next_change_at, muted_until, mode, questions, fault } = camera;
  if (state === 'offline' && message) {
    return (
      <span className="line-clamp-2 max-w-64 text-bad">
        <ServiceText>{message}</ServiceText>
      </span>
    );
  }
  if (fault && fault.kind !== 'offline') {
    const since = formatClock(Date.parse(fault.since));
    return (
      <span className="text-bad">
        {fault.kind === 'black' ? (
          <Trans>Black picture since {since}</Trans>
        ) : (
          <Trans>Frozen picture since {since}</Trans>
        )}
      </span>
    );
  }
  if (state === 'off_by_schedule' && next_change_at) {
    const at = formatWeekTime(next_change_at);
    return <span className="text-ink-3">{<Trans>On at {at}</Trans>}</span>;
  }
  if (isMuted(camera)) {
    const at = formatWeekTime(muted_until!);
    return <span className="text-ink-3">{<Trans>Muted until {at}</Trans>}</span>;
  }
  if (state !== 'live' || groupOf(camera) === 'live') return null;
  return (
    <span className="text-ink-3">
      {mode === 'record' ? (
        <Trans>By schedule</Trans>
      ) : questions.length === 0 ? (
        <Trans>No question set</Trans>
      ) : (
        <Trans>Questions paused</Trans>
      )}
    </span>
  );
}

/** Time of day of the newest frame while the camera is on. */
export const LastFrame = ({ camera: { last_frame_at } }: { camera: Camera }) =>
  last_frame_at === null ? (
    <span className="text-ink-3">–</span>
  ) : (
    <time dateTime={last_frame_at} title={formatMoment(Date.parse(last_frame_at))}>
      {formatClock(Date.parse(last_frame_at))}
    </time>
  );
