import { Trans, useLingui } from '@lingui/react/macro';
import type { SavedQuestion, SavedQuestionRequest } from '@sightline/sdk';
import { type ReactNode, useState } from 'react';
import { formatLeast } from '#ui/controls/confidence-select.tsx';
import { Checkbox, TextField } from '#ui/controls/field.tsx';
import { fieldNumber, fieldText } from '#ui/controls/form.tsx';
import { SelectField } from '#ui/controls/select.tsx';

type Rule = SavedQuestion['rule'];
const CONFIDENCES = [0.6, 0.7, 0.8, 0.9];
const COOLDOWNS_S = { none: 0, minutes: 600, hour: 3_600, day: 86_400 } as const;

/** Reads the rule from the fields of a form. */
export function readRule(fields: FormData): SavedQuestionRequest['rule'] {
  const [from, to] = [fieldText(fields, 'quiet-from'), fieldText(fields, 'quiet-to')];
  const digestAt = fieldText(fields, 'digest-at');
  const labels = (fieldText(fields, 'labels') ?? '').split(',').map((label) => label.trim());
  return {
    labels: labels.filter(Boolean),
    min_confidence: fieldNumber(fields, 'confidence') ?? null,
    cooldown_s: fieldNumber(fields, 'cooldown') ?? 0,
    quiet_hours: from && to ? { from, to, time_zone: fieldText(fields, 'time-zone')! } : null,
    digest: digestAt ? { at: digestAt, time_zone: fieldText(fields, 'digest-zone')! } : null,
  };
}

/** Fields of the rule that decides which events are announced; `children`: where they go. */
export function RuleFields({ rule, children }: { rule: Rule | undefined; children?: ReactNode }) {
  const { t } = useLingui();
  const [confidence, setConfidence] = useState(String(rule?.min_confidence ?? ''));
  const [cooldown, setCooldown] = useState(String(rule?.cooldown_s ?? COOLDOWNS_S.minutes));
  const [isQuiet, setQuiet] = useState(rule?.quiet_hours != null);
  const [hasDigest, setDigest] = useState(rule?.digest != null);
  const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const digestZone = rule?.digest?.time_zone ?? ownZone;
  const timeZone = rule?.quiet_hours?.time_zone ?? ownZone;
  const known = [
    { value: String(COOLDOWNS_S.none), label: t`Every event` },
    { value: String(COOLDOWNS_S.minutes), label: t`At most every 10 minutes` },
    { value: String(COOLDOWNS_S.hour), label: t`At most every hour` },
    { value: String(COOLDOWNS_S.day), label: t`At most every day` },
  ];
  const other = known.some(({ value }) => value === cooldown)
    ? []
    : [{ value: cooldown, label: t`Every ${cooldown} s` }];
  const levels = [...new Set([...CONFIDENCES, ...(confidence === '' ? [] : [Number(confidence)])])].toSorted();
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 w-full border-t pt-3 font-medium">
        <Trans>Alerts</Trans>
      </legend>
      {children}
      <TextField
        label={t`Only labels with`}
        hint={<Trans>Separate several words by commas. Empty: all events.</Trans>}
        name="labels"
        defaultValue={rule?.labels.join(', ')}
        maxLength={2_000}
      />
      <div className="grid gap-3 sm:grid-cols-2">
        <SelectField
          label={t`Confidence`}
          value={confidence}
          options={[
            { value: '', label: t`Any confidence` },
            ...levels.map((level) => ({ value: String(level), label: formatLeast(level) })),
          ]}
          onChange={setConfidence}
        />
        <SelectField label={t`Frequency`} value={cooldown} options={[...known, ...other]} onChange={setCooldown} />
      </div>
      <input type="hidden" name="confidence" value={confidence} />
      <input type="hidden" name="cooldown" value={cooldown} />
      <Checkbox label={t`Quiet hours`} checked={isQuiet} onCheckedChange={(on) => setQuiet(on)} />
      {isQuiet && (
        <div className="grid grid-cols-2 items-start gap-3">
          <TextField
            label={t`From`}
            name="quiet-from"
            type="time"
            defaultValue={rule?.quiet_hours?.from ?? '22:00'}
            hint={timeZone}
            required
          />
          <TextField
            label={t`Until`}
            name="quiet-to"
            type="time"
            defaultValue={rule?.quiet_hours?.to ?? '06:00'}
            required
          />
          <input type="hidden" name="time-zone" value={timeZone} />
        </div>
      )}
      <Checkbox label={t`Daily digest`} checked={hasDigest} onCheckedChange={(on) => setDigest(on)} />
      {hasDigest && (
        <>
          <TextField
            label={t`Sent at`}
            name="digest-at"
            type="time"
            defaultValue={rule?.digest?.at ?? '08:00'}
            hint={<Trans>{digestZone}. What was found the day before, with a recap clip, goes to your webhooks.</Trans>}
            required
          />
          <input type="hidden" name="digest-zone" value={digestZone} />
        </>
      )}
    </fieldset>
  );
}
