/** Messages to people and machines through servers that the operator has configured: mail, and an MQTT broker. */
import { createBroker } from './broker.ts';
import { createMailer } from './mailer.ts';
import type { Messaging } from './types.ts';

export type { Messaging, Publication, SendResult } from './types.ts';

export const createMessaging = (config: {
  mail: { url: string; from: string } | null;
  mqttUrl: string | null;
}): Messaging => ({
  mailer: config.mail && createMailer(config.mail),
  broker: config.mqttUrl === null ? null : createBroker(config.mqttUrl),
});
