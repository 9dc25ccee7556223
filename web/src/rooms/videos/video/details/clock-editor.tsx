import { useLingui } from '@lingui/react/macro';
import type { VideoStatus } from '@sightline/sdk';
import { useState } from 'react';
import { Button } from '#ui/controls/button.tsx';
import { TextField } from '#ui/controls/field.tsx';
import { formatInZone, formatNumber } from '#ui/format/format.ts';
import { fromZonedTime, toZonedTime } from '#ui/format/zoned-time.ts';
import { ErrorNotice } from '#ui/states.tsx';
import { isTimeZone, TimeZoneField } from '../../clock/time-zone-field.tsx';
import { zoneOf } from '../../recorded.ts';
import { useChangeVideo } from '../queries.ts';
import { Section } from './details-section.tsx';
import { KnownPoints } from './known-points.tsx';

type Clock = NonNullable<VideoStatus['clock']>;
type Draft = { local: string; zone: string };

/** The time at which a video was recorded, its source, what contradicts it, and fields to correct it. */
export function ClockEditor({ video }: { video: VideoStatus }) {
  const { t } = useLingui();
  const [draft, setDraft] = useState<Draft | null>(null);
  const { mutate, isPending, error } = useChangeVideo(video.video_id);
  const { recorded_at: recordedAt, clock } = video;
  const zone = zoneOf(video);
  const saved: Draft = { local: recordedAt ? toZonedTime(recordedAt, zone) : '', zone: video.time_zone ?? '' };
  const { local, zone: zoneText } = draft ?? saved;
  const change = (part: Partial<Draft>) => setDraft({ ...(draft ?? saved), ...part });
  const isZone = zoneText === '' || isTimeZone(zoneText);
  const done = { onSuccess: () => setDraft(null) };
  const save = () => {
    const timeZone = zoneText === '' ? null : zoneText;
    // A zone alone also moves a time that was read without one.
    const isTimeChanged = local !== '' && local !== saved.local;
    const recorded = isTimeChanged ? { recorded_at: fromZonedTime(local, timeZone ?? zone) } : {};
    mutate({ time_zone: timeZone, ...recorded }, done);
  };
  if (video.scope === 'sample' && !recordedAt) return null;
  return (
    <Section title={t`Recorded`}>
      <ClockFacts recordedAt={recordedAt} zone={zone} clock={clock} />
      {video.scope !== 'sample' && (
        <form
          className="grid gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            if (isZone) save();
          }}
        >
          <div className="flex flex-wrap items-start gap-2">
            <TextField
              label={t`First frame`}
              type="datetime-local"
              step="1"
              className="w-52"
              value={local}
              onChange={(event) => change({ local: event.target.value })}
            />
            <TimeZoneField value={zoneText} placeholder={t`Not known`} onChange={(text) => change({ zone: text })} />
          </div>
          <div className="flex flex-wrap gap-2 empty:hidden">
            {draft && (
              <Button type="submit" look="primary" busy={isPending} disabled={!isZone}>
                {t`Save`}
              </Button>
            )}
            {draft && <Button onClick={() => setDraft(null)}>{t`Cancel`}</Button>}
            {!draft && clock?.source === 'person' && (
              <Button busy={isPending} onClick={() => mutate({ recorded_at: null }, done)}>
                {t`Use what the file says`}
              </Button>
            )}
          </div>
          {error && <ErrorNotice error={error} />}
        </form>
      )}
      {video.scope !== 'sample' && <KnownPoints video={video} zone={zone} />}
    </Section>
  );
}

function ClockFacts({ recordedAt, zone, clock }: { recordedAt: string | null; zone: string; clock: Clock | null }) {
  const { t } = useLingui();
  if (!recordedAt || !clock) {
    return <p className="text-ink-3">{t`Neither the file nor its name says when it was recorded.`}</p>;
  }
  const sources: Record<Clock['source'], string> = {
    person: t`Set by a person.`,
    live: t`By the clock of this service, during the livestream.`,
    gps: t`By GPS.`,
    log: t`By the clock of the recording.`,
    sidecar: t`By a file beside the video.`,
    container: t`By the file.`,
    rule: t`By its path, as the folder says.`,
    name: t`By the name of the file.`,
    picture: t`By a clock in the picture.`,
  };
  const contradictions: Record<Clock['source'], (time: string) => string> = {
    person: (time) => t`A person set ${time}.`,
    live: (time) => t`The livestream says ${time}.`,
    gps: (time) => t`GPS says ${time}.`,
    log: (time) => t`The recording says ${time}.`,
    sidecar: (time) => t`A file beside the video says ${time}.`,
    container: (time) => t`The file says ${time}.`,
    rule: (time) => t`Its path says ${time}.`,
    name: (time) => t`The name of the file says ${time}.`,
    picture: (time) => t`The clock in the picture says ${time}.`,
  };
  return (
    <div className="grid gap-1">
      <p className="num">
        {formatInZone(recordedAt, zone)} ({zone})
      </p>
      <p className="text-ink-3 text-sm">
        {sources[clock.source]}
        {!clock.zone_known &&
          ` ${t`Its time zone is not known, so UTC is assumed: set the zone if this is local time.`}`}
        {clock.shift_s !== 0 && ` ${t`Shifted by ${clock.shift_s} s.`}`}
        {clock.rate !== 1 &&
          ` ${t`A second of the video is ${formatNumber(clock.rate, { maximumFractionDigits: 6 })} s.`}`}
      </p>
      {clock.conflicts.map(({ source, recorded_at: other }) => (
        <p key={source} className="text-sm text-warn">
          {contradictions[source](formatInZone(other, zone))}
        </p>
      ))}
    </div>
  );
}
