import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Webhook } from '@sightline/sdk';

export type EventType = Webhook['event_types'][number];

/** Types of messages, in the order in which forms list them. */
export const EVENT_TYPES: Record<EventType, MessageDescriptor> = {
  'video.ready': msg`Video ready`,
  'video.failed': msg`Video failed`,
  'analysis.completed': msg`Analysis completed`,
  'analysis.failed': msg`Analysis failed`,
  'event.found': msg`Event found`,
  'alert.raised': msg`Alert of a saved question`,
  'digest.created': msg`Daily digest`,
  'event.reviewed': msg`Event reviewed`,
  'batch.completed': msg`Question completed`,
  'import.completed': msg`Import completed`,
  'import.failed': msg`Import failed`,
  'live.event': msg`Event of a livestream`,
  'live.ended': msg`Livestream ended`,
  'camera.fault': msg`Fault of a camera`,
  'camera.recovered': msg`Camera works again`,
  'limit.reached': msg`Limit reached`,
};

/** Name of the type of a message; undefined for one that this version of the console does not know. */
export const typeName = (type: string): MessageDescriptor | undefined =>
  type === 'webhook.ping' ? msg`Test message` : (EVENT_TYPES as Record<string, MessageDescriptor>)[type];

export type Format = Webhook['format'];

/** Formats of messages, in the order in which forms list them. */
export const FORMATS: Record<Format, MessageDescriptor> = {
  standard: msg`JSON (Standard Webhooks)`,
  slack: msg`Slack, Mattermost, Rocket.Chat`,
  discord: msg`Discord`,
  teams: msg`Microsoft Teams`,
  ntfy: msg`ntfy`,
  email: msg`E-mail`,
  mqtt: msg`MQTT, Home Assistant`,
};

/** Examples of URLs by the format of messages. */
export const EXAMPLES: Partial<Record<Format, string>> & { standard: string } = {
  standard: 'https://hooks.example.com/sightline',
  email: 'mailto:ada@example.com',
  mqtt: 'mqtt:gate/alerts',
};

/** True if messages have a signature, for which the receiver needs the secret. */
export const isSigned = (format: Format): boolean => format !== 'email' && format !== 'mqtt';
