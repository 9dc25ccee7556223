import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { classes } from '#ui/classes.ts';
import { DAYS, HOURS, type Mode } from './schedule.ts';

const NAMES = [msg`Mon`, msg`Tue`, msg`Wed`, msg`Thu`, msg`Fri`, msg`Sat`, msg`Sun`];
const LOOKS: Record<Mode, string> = {
  analyze: 'bg-ink-3',
  record: 'bg-line',
  off: 'border bg-transparent',
};

/** The hours of a week. With `onChange`, each one is a button that switches to the next mode. */
export function ScheduleGrid({
  hours,
  onChange,
}: {
  hours: readonly (readonly Mode[])[];
  onChange?: (day: number, hour: number) => void;
}) {
  const { t } = useLingui();
  const modes: Record<Mode, string> = { analyze: t`Analyze and record`, record: t`Record only`, off: t`Off` };
  return (
    <div className="grid gap-1">
      <div className="grid grid-cols-[30px_repeat(24,minmax(0,1fr))] gap-px">
        <span />
        {HOURS.map((hour) => (
          <span key={hour} aria-hidden className="num text-ink-3 text-xs">
            {hour % 6 === 0 ? String(hour).padStart(2, '0') : ''}
          </span>
        ))}
        {hours.map((row, day) => {
          const name = t(NAMES[day]!);
          return (
            <div key={DAYS[day]} className="contents">
              <span className="text-ink-2 text-sm leading-4">{name}</span>
              {HOURS.map((hour) => {
                const mode = row[hour]!;
                const label = `${name} ${String(hour).padStart(2, '0')}:00: ${modes[mode]}`;
                const look = classes('h-4 min-w-0 rounded-[2px]', LOOKS[mode]);
                return onChange ? (
                  <button
                    key={hour}
                    type="button"
                    aria-label={label}
                    title={label}
                    className={look}
                    onClick={() => onChange(day, hour)}
                  />
                ) : (
                  <span key={hour} title={label} className={look} />
                );
              })}
            </div>
          );
        })}
      </div>
      <p className="flex flex-wrap gap-x-4 text-ink-3 text-sm">
        {(['analyze', 'record', 'off'] as const).map((mode) => (
          <span key={mode} className="inline-flex items-center gap-1.5">
            <span aria-hidden className={classes('size-2.5 rounded-[2px]', LOOKS[mode])} />
            {modes[mode]}
          </span>
        ))}
      </p>
      {onChange && (
        <p className="text-ink-3 text-sm">
          <Trans>Press an hour to switch it.</Trans>
        </p>
      )}
    </div>
  );
}
