import { useLingui } from '@lingui/react/macro';
import { TextField } from '#ui/controls/field.tsx';
import { TIME_ZONES } from '#ui/format/zoned-time.ts';

/** The time zone of a place, by its name or an offset; empty: not known. */
export function TimeZoneField({
  value,
  placeholder,
  onChange,
}: {
  value: string;
  placeholder: string;
  onChange: (zone: string) => void;
}) {
  const { t } = useLingui();
  const isValid = value === '' || isTimeZone(value);
  return (
    <>
      <TextField
        label={t`Time zone`}
        className="min-w-40 flex-1"
        list="time-zones"
        placeholder={placeholder}
        value={value}
        error={!isValid && t`Enter the name of a time zone, such as Europe/Berlin, or an offset, such as +01:00.`}
        onChange={(event) => onChange(event.target.value.trim())}
      />
      <datalist id="time-zones">
        {TIME_ZONES.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}

/** True for a name, and for an offset as the service reads it. */
export function isTimeZone(name: string): boolean {
  if (/^[+-]/.test(name)) return /^[+-]\d\d:\d\d$/.test(name);
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
