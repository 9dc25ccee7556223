import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { joinWeekdays, type RecordedSearch, WEEKDAYS } from '#frame/search-params.ts';
import { classes } from '#ui/classes.ts';
import { TextField } from '#ui/controls/field.tsx';

const NAMES = {
  mon: msg`Mon`,
  tue: msg`Tue`,
  wed: msg`Wed`,
  thu: msg`Thu`,
  fri: msg`Fri`,
  sat: msg`Sat`,
  sun: msg`Sun`,
};

/** A text for each of these filters that is set. */
export function useRecordedChips({ recorded_after, recorded_before, time_of_day, weekday }: RecordedSearch) {
  const { t } = useLingui();
  const weekdays = useWeekdayNames();
  const chips: { id: keyof RecordedSearch; text: string }[] = [];
  const days = weekdays.filter(({ day }) => weekday?.split(',').includes(day)).map(({ name }) => name);
  if (recorded_after) chips.push({ id: 'recorded_after', text: t`Recorded from ${recorded_after}` });
  if (recorded_before) chips.push({ id: 'recorded_before', text: t`Recorded until ${recorded_before}` });
  if (time_of_day) chips.push({ id: 'time_of_day', text: t`Recorded ${time_of_day.replace('-', '–')}` });
  if (weekday) chips.push({ id: 'weekday', text: t`Recorded on ${days.join(', ')}` });
  return chips;
}

/** The days of the week, Monday first, with their short names. */
function useWeekdayNames() {
  const { t } = useLingui();
  return WEEKDAYS.map((day) => ({ day, name: t(NAMES[day]) }));
}

/** Filters by when videos were recorded: days, days of the week, and a time of the day in the zones of the videos. */
export function RecordedFilter({
  search,
  onChange,
}: {
  search: RecordedSearch;
  onChange: (next: RecordedSearch) => void;
}) {
  const { t } = useLingui();
  const weekdays = useWeekdayNames();
  const { recorded_after, recorded_before, time_of_day, weekday } = search;
  const chosen = weekday?.split(',') ?? [];
  const toggle = (day: string) => (chosen.includes(day) ? chosen.filter((each) => each !== day) : [...chosen, day]);
  return (
    <div className="@container grid content-start gap-3">
      <div className="grid @3xs:grid-cols-2 gap-2">
        <TextField
          label={t`Recorded from`}
          type="date"
          value={recorded_after ?? ''}
          onChange={(event) => onChange({ recorded_after: event.target.value || undefined })}
        />
        <TextField
          label={t`Recorded until`}
          type="date"
          value={recorded_before ?? ''}
          onChange={(event) => onChange({ recorded_before: event.target.value || undefined })}
        />
      </div>
      <TimeOfDay value={time_of_day} onChange={(next) => onChange({ time_of_day: next })} />
      <fieldset className="grid gap-1">
        <legend className="mb-1 font-medium text-ink-2 text-sm">
          <Trans>Days of the week</Trans>
        </legend>
        <div className="grid grid-cols-4 @3xs:grid-cols-7 gap-1">
          {weekdays.map(({ day, name }) => {
            const isOn = chosen.includes(day);
            return (
              <button
                key={day}
                type="button"
                aria-pressed={isOn}
                onClick={() => onChange({ weekday: joinWeekdays(toggle(day)) })}
                className={classes(
                  'h-7 rounded-md border text-sm hover:border-strong-line',
                  isOn ? 'border-strong-line bg-raise text-ink' : 'text-ink-2',
                )}
              >
                {name}
              </button>
            );
          })}
        </div>
      </fieldset>
    </div>
  );
}

/** Two times of the day. They filter once both are entered. */
function TimeOfDay({ value, onChange }: { value: string | undefined; onChange: (value: string | undefined) => void }) {
  const { t } = useLingui();
  const [entered, setEntered] = useState(() => value?.split('-') ?? ['', '']);
  const [known, setKnown] = useState(value);
  if (value !== known) {
    setKnown(value);
    // The filter was removed elsewhere.
    if (value === undefined && entered.every((time) => time !== '')) setEntered(['', '']);
  }
  const [from = '', until = ''] = value?.split('-') ?? entered;
  const enter = (next: [string, string]) => {
    setEntered(next);
    const isWhole = next.every((time) => time !== '');
    if (isWhole || value !== undefined) onChange(isWhole ? next.join('-') : undefined);
  };
  return (
    <div className="grid @3xs:grid-cols-2 gap-2">
      <TextField
        label={t`Time of day from`}
        type="time"
        value={from}
        onChange={(event) => enter([event.target.value, until])}
      />
      <TextField
        label={t`Time of day until`}
        type="time"
        value={until}
        onChange={(event) => enter([from, event.target.value])}
      />
    </div>
  );
}
