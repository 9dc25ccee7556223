import { hash, randomBytes } from 'node:crypto';
import { type AuditActor, recordAction } from '#features/audit/index';
import type { PushedSources } from '#features/live/index';
import type { Database, Transaction } from '#platform/db/index';
import type { Jobs } from '#platform/jobs/index';
import type { Log } from '#platform/log';
import type { RtmpRoom } from '#platform/media/index';
import type { Secrets } from '#platform/secrets/index';
import { startCamera } from './jobs.ts';
import { problems } from './problems.ts';
import * as publishers from './publishers-store.ts';
import { REFUSALS } from './refusals.ts';
import { isPush, isWanted } from './state.ts';
import * as store from './store.ts';
import type { Camera } from './types.ts';

/** Purpose of the tokens with which workers play what is published. */
const PURPOSE = 'push-play';
/** Lifetime of such a token: workers connect at once. */
const PLAY_MS = 60_000;
/** Keys have this form; what has another one is not looked up. */
const KEY = /^pk_[0-9a-f]{48}$/;

/** Unknown keys of one address in `WINDOW_MS` after which it is refused unheard until that is over. */
const WRONG_KEYS = 10;
const WINDOW_MS = 60_000;
/** Addresses and wrong keys that are remembered. */
const REMEMBERED = 10_000;

export type PublishingDeps = {
  database: Database;
  jobs: Pick<Jobs, 'send'>;
  secrets: Secrets;
  log: Log;
  /** `HOST:PORT` at which workers reach what is published to this process; null: it does not listen. */
  node: string | null;
  now?: (() => number) | undefined;
};

const digestOf = (key: string): Buffer => hash('sha256', key, 'buffer');

/** Cameras that push: their keys, and the encoders that publish to them. */
export function createPublishing({ database, jobs, secrets, log, node, now = Date.now }: PublishingDeps) {
  const { db } = database;
  /** Wrong keys by address, and those keys; both are forgotten after `WINDOW_MS`. */
  let wrong = { sinceMs: 0, byRemote: new Map<string, number>(), keys: new Set<string>() };

  function remembered() {
    const isOld = now() - wrong.sinceMs > WINDOW_MS || wrong.keys.size > REMEMBERED;
    if (isOld) wrong = { sinceMs: now(), byRemote: new Map(), keys: new Set() };
    return wrong;
  }

  /** The reason why nobody may publish to a camera now; null: one may. */
  function whyRefused(camera: Camera): string | null {
    if (isWanted(camera)) return null;
    return camera.enabled ? REFUSALS.off_by_schedule : REFUSALS.off;
  }

  async function refuse(camera: Camera, reason: string, remote: string): Promise<{ refused: string }> {
    log.info({ cameraId: camera.id, remote, reason }, 'an encoder was refused');
    await publishers.noteRefusal(db, camera.id, reason);
    return { refused: reason };
  }

  const room: RtmpRoom = {
    async publish(key, remote) {
      const { byRemote, keys } = remembered();
      const refused = 'The key is not valid.';
      const digest = digestOf(key);
      const name = digest.toString('base64');
      // An encoder that repeats one wrong key neither fills the log nor locks out the others of its network.
      if (keys.has(name)) return { refused };
      const count = byRemote.get(remote) ?? 0;
      if (count >= WRONG_KEYS) return { refused: 'Too many wrong keys came from this address. Try again in a minute.' };
      const camera = KEY.test(key) ? await publishers.findCameraByPushKey(db, digest) : null;
      if (!camera) {
        keys.add(name);
        byRemote.set(remote, count + 1);
        log.warn({ remote, wrongKeys: count + 1 }, 'an encoder was refused: its key is not valid');
        return { refused };
      }
      const reason = whyRefused(camera);
      return reason ? refuse(camera, reason, remote) : { stream: camera.id };
    },

    async claim({ id: connectionId, stream: cameraId }, key, remote) {
      const isOurs = await database.transaction(async (trx) => {
        const camera = await store.lockCamera(trx, cameraId);
        if (!camera || !isWanted(camera)) return false;
        // It may have been replaced since it was checked.
        if (!(await publishers.hasPushKey(trx, cameraId, digestOf(key)))) return false;
        if (!(await publishers.claimPublisher(trx, { cameraId, connectionId, node: node!, remote }))) return false;
        // Not the waiting job, which may be due in minutes.
        await jobs.send(trx, startCamera, { cameraId }, { orgId: camera.orgId });
        return true;
      });
      if (isOurs) log.info({ cameraId, remote }, 'an encoder publishes to a camera');
      return isOurs;
    },

    async busy(cameraId, remote) {
      const camera = await store.findCamera(db, cameraId);
      if (!camera) return;
      // It may have been switched off since its key was checked.
      await refuse(camera, whyRefused(camera) ?? `${REFUSALS.busy} The second one is ${remote}.`, remote);
    },

    play: async (cameraId, token) => secrets.verify(PURPOSE, cameraId, token) === 'ok',

    async renew(publications) {
      const found = await publishers.renewPublishers(
        db,
        publications.map(({ id }) => id),
      );
      const ended = [];
      for (const { id } of publications) {
        const cameraId = found.get(id);
        const camera = cameraId === undefined ? null : await store.findCamera(db, cameraId);
        const reason = camera ? whyRefused(camera) : 'The camera was deleted, or its key was replaced.';
        if (reason) ended.push({ id, reason });
        if (reason && camera) await publishers.noteRefusal(db, camera.id, reason);
      }
      return ended;
    },

    async closed({ id, stream: cameraId }, reason) {
      await publishers.releasePublisher(db, id);
      log.info({ cameraId, reason }, 'an encoder no longer publishes to a camera');
    },

    lost: () => publishers.releaseNode(db, node!),
  };

  const sources: PushedSources = {
    async find(cameraId) {
      const found = await publishers.findNode(db, cameraId);
      if (found === null) return null;
      const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(found) ?? [];
      const token = secrets.sign(PURPOSE, cameraId, new Date(now() + PLAY_MS));
      return { host: host.replace(/^\[|\]$/g, ''), port: Number(port), token };
    },
  };

  return {
    /** Answers the process that receives RTMP. */
    room,
    /** Where workers find what is published. */
    sources,

    /**
     * Gives a camera a new key in the caller's transaction, and disconnects the encoder with the previous one. Returns
     * the key, of which only a digest is stored. Throws `camera_not_push` (400).
     */
    async createKey(
      trx: Transaction,
      camera: Camera,
      { by, saveReference }: { by: AuditActor; saveReference: (trx: Transaction, id: string) => Promise<void> },
    ): Promise<string> {
      if (!isPush(camera)) throw problems.camera_not_push();
      const key = `pk_${randomBytes(24).toString('hex')}`;
      await publishers.setPushKey(trx, camera.id, digestOf(key));
      await publishers.releaseCamera(trx, camera.id);
      const { id: subjectId, orgId, name } = camera;
      await recordAction(trx, by, { orgId, action: 'camera.key_created', subjectId, detail: { name } });
      await saveReference(trx, camera.id);
      return key;
    },
  };
}

export type Publishing = ReturnType<typeof createPublishing>;
