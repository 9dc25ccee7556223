import { Trans, useLingui } from '@lingui/react/macro';
import type { Camera } from '@sightline/sdk';
import { useState } from 'react';
import { sightline } from '#api/client.ts';
import { Button } from '#ui/controls/button.tsx';
import { FormDialog } from '#ui/controls/form.tsx';
import { SelectField } from '#ui/controls/select.tsx';
import { TIME_ZONES } from '#ui/format/zoned-time.ts';
import { fromHours, type Mode, toHours } from './schedule.ts';
import { ScheduleGrid } from './schedule-grid.tsx';

const NEXT: Record<Mode, Mode> = { analyze: 'record', record: 'off', off: 'analyze' };

/** Edits the weekly hours of a camera, in its time zone. */
export function ScheduleDialog({
  camera,
  onClose,
  onSaved,
}: {
  camera: Camera;
  onClose: () => void;
  onSaved: () => void;
}) {
  const { t } = useLingui();
  const [hours, setHours] = useState(() => toHours(camera.schedule));
  const [zone, setZone] = useState(camera.time_zone ?? 'UTC');
  const zones = TIME_ZONES.includes(zone) ? TIME_ZONES : [zone, ...TIME_ZONES];
  const fill = (mode: Mode) => setHours(hours.map((day) => day.map(() => mode)));
  return (
    <FormDialog
      open
      wide
      onClose={onClose}
      title={<Trans>Schedule of {camera.name}</Trans>}
      action={<Trans>Save</Trans>}
      onSubmit={async () => {
        await sightline.changeCamera(camera.camera_id, { schedule: fromHours(hours), time_zone: zone });
        onSaved();
      }}
    >
      <SelectField
        label={t`Time zone`}
        value={zone}
        onChange={setZone}
        options={zones.map((value) => ({ value, label: value }))}
      />
      <ScheduleGrid
        hours={hours}
        onChange={(day, hour) =>
          setHours(hours.map((row, d) => row.map((mode, h) => (d === day && h === hour ? NEXT[mode] : mode))))
        }
      />
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => fill('analyze')}>
          <Trans>Always analyze</Trans>
        </Button>
        <Button onClick={() => fill('record')}>
          <Trans>Always record</Trans>
        </Button>
        <Button onClick={() => fill('off')}>
          <Trans>Clear</Trans>
        </Button>
      </div>
    </FormDialog>
  );
}
