import { Trans, useLingui } from '@lingui/react/macro';
import type { VideoStatus } from '@sightline/sdk';
import { type FormEvent, useState } from 'react';
import { Button } from '#ui/controls/button.tsx';
import { TextField } from '#ui/controls/field.tsx';
import { fromZonedTime } from '#ui/format/zoned-time.ts';
import { ErrorNotice } from '#ui/states.tsx';
import { useChangeVideo } from '../queries.ts';

type Point = { at: string; local: string };
const EMPTY: [Point, Point] = [
  { at: '', local: '' },
  { at: '', local: '' },
];

/** Corrects a clock that is too fast or too slow, also of a time lapse, by two seconds whose times are known. */
export function KnownPoints({ video, zone }: { video: VideoStatus; zone: string }) {
  const { t } = useLingui();
  const [points, setPoints] = useState<[Point, Point] | null>(null);
  const { mutate, isPending, error } = useChangeVideo(video.video_id);
  if (!points) {
    return (
      <Button className="mt-2 justify-self-start" onClick={() => setPoints(EMPTY)}>
        <Trans>Correct by two known times</Trans>
      </Button>
    );
  }
  const set = (index: number, part: Partial<Point>) =>
    setPoints(points.map((each, at) => (at === index ? { ...each, ...part } : each)) as [Point, Point]);
  const isComplete = points.every(({ at, local }) => at !== '' && local !== '') && points[0].at !== points[1].at;
  const save = (event: FormEvent) => {
    event.preventDefault();
    const known = points.map(({ at, local }) => ({ at_s: Number(at), recorded_at: fromZonedTime(local, zone) }));
    mutate({ reference_points: known }, { onSuccess: () => setPoints(null) });
  };
  return (
    <form className="mt-2 grid gap-2" onSubmit={save}>
      {([t`First known time`, t`Second known time`] as const).map((legend, index) => (
        <fieldset key={legend} className="flex flex-wrap gap-2">
          <legend className="mb-1 text-ink-2 text-sm">{legend}</legend>
          <TextField
            label={t`Second of the video`}
            type="number"
            min="0"
            max={video.duration_s ?? undefined}
            step="any"
            className="w-36"
            value={points[index]!.at}
            onChange={(event) => set(index, { at: event.target.value })}
          />
          <TextField
            label={t`Recorded at`}
            type="datetime-local"
            step="1"
            className="w-52"
            value={points[index]!.local}
            onChange={(event) => set(index, { local: event.target.value })}
          />
        </fieldset>
      ))}
      <div className="flex gap-2">
        <Button type="submit" look="primary" busy={isPending} disabled={!isComplete}>{t`Save`}</Button>
        <Button onClick={() => setPoints(null)}>{t`Cancel`}</Button>
      </div>
      {error && <ErrorNotice error={error} />}
    </form>
  );
}
