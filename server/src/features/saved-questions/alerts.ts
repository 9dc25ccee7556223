import { isTimeZone } from '#platform/local-time';
import type { AlertRule, QuietHours, SavedQuestion, Silence } from './types.ts';

/** Alerts of one run without a cooldown; the last one counts the events beyond. */
export const MAX_ALERTS = 100;

/** Fields of an event of an analysis document that a rule reads. */
export type RuleEvent = { label?: unknown; category?: unknown; confidence?: unknown };

/** An announced event, by its position in the document. `otherEvents`: further matching events that it stands for. */
export type Alert = { position: number; otherEvents: number };

export type AlertDecision = { matchingCount: number; alerts: Alert[]; silenced: Silence | null };

type State = Pick<SavedQuestion, 'enabled' | 'snoozedUntil' | 'lastAlertAt'> & {
  rule: AlertRule;
  /** False: the run was started without alerts. */
  announces: boolean;
};

/**
 * The events of a completed run that are announced now. With a cooldown, the most confident event stands for all
 * matching ones of the video.
 */
export function decideAlerts(events: readonly RuleEvent[], state: State, now: Date): AlertDecision {
  const matching = events.flatMap((event, position) => (matchesRule(event, state.rule) ? [{ event, position }] : []));
  const matchingCount = matching.length;
  if (matchingCount === 0) return { matchingCount, alerts: [], silenced: null };
  const silenced = findSilence(state, now);
  if (silenced) return { matchingCount, alerts: [], silenced };
  const announced =
    state.rule.cooldownS > 0
      ? [matching.reduce((best, each) => (toConfidence(each.event) > toConfidence(best.event) ? each : best))]
      : matching.slice(0, MAX_ALERTS);
  const alerts = announced.map(({ position }, index) => ({
    position,
    otherEvents: index === announced.length - 1 ? matchingCount - announced.length : 0,
  }));
  return { matchingCount, alerts, silenced: null };
}

/** True if an event matches the rule, whenever it is. */
export function matchesRule(event: RuleEvent, { labels, minConfidence }: AlertRule): boolean {
  if (minConfidence !== null && toConfidence(event) < minConfidence) return false;
  if (labels.length === 0) return true;
  const text = `${event.label ?? ''}\n${event.category ?? ''}`.toLowerCase();
  return labels.some((label) => text.includes(label.toLowerCase()));
}

const toConfidence = ({ confidence }: RuleEvent) => Number(confidence ?? 0);

function findSilence({ announces, enabled, snoozedUntil, lastAlertAt, rule }: State, now: Date): Silence | null {
  if (!announces) return 'not_requested';
  if (!enabled) return 'paused';
  if (snoozedUntil && snoozedUntil > now) return 'snoozed';
  if (rule.quietHours && isQuiet(rule.quietHours, now)) return 'quiet_hours';
  if (lastAlertAt && now.getTime() - lastAlertAt.getTime() < rule.cooldownS * 1_000) return 'cooldown';
  return null;
}

/** True if the local time of day is in the interval. */
export function isQuiet({ from, to, timeZone }: QuietHours, now: Date): boolean {
  const time = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const local = time.format(now);
  return from < to ? from <= local && local < to : from <= local || local < to;
}

/** True if the times differ and the time zone is known. */
export const isValidQuietHours = ({ from, to, timeZone }: QuietHours): boolean => from !== to && isTimeZone(timeZone);
