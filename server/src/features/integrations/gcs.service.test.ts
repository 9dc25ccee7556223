import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { newId } from '#platform/ids';
import { type GcsServer, startGcsServer } from '#test/servers/gcs-server';
import { type IntegrationsService, startIntegrationsService } from './integrations.fixture.ts';

const { gcsServer } = inject('programs');

describe.skipIf(!gcsServer)('Google Cloud Storage', () => {
  let server: GcsServer;
  let service: IntegrationsService;
  beforeAll(async () => {
    server = await startGcsServer(gcsServer!);
    service = await startIntegrationsService({ env: { STORAGE_EMULATOR_HOST: server.endpoint } });
    await server.makeBucket('fleet');
    await server.put('fleet', 'a/one.mp4', Buffer.from('one'));
  });
  afterAll(async () => {
    await service.close();
    await server.stop();
  });
  const account = (more: object = {}) => ({
    name: 'Fleet',
    type: 'gcs',
    service_account: service.tokens.account,
    bucket: 'fleet',
    prefix: null,
    endpoint_url: server.endpoint,
    ...more,
  });

  test('is read with read-only tokens of a service account', async () => {
    const made = await service.call('POST', '/gcs', account());
    expect(made.json, made.text).toMatchObject({ type: 'gcs', bucket: 'fleet' });
    expect(made.text).not.toContain('PRIVATE KEY');
    expect(service.tokens.assertions.at(-1)).toMatchObject({ scope: expect.stringMatching(/devstorage\.read_only$/) });
  });

  test('is read as the service account of the deployment without an integration, by admins', async () => {
    await server.makeBucket('keyless');
    await server.put('keyless', 'a/one.mp4', Buffer.from('one'));
    const start = (key: string) =>
      service.app.api.call('POST', '/api/gcs/upload', { key, json: { bucket: 'keyless', files: ['a/one.mp4'] } });
    const { keys, accounts } = service.app.sightline;
    const owner = (await accounts.owner())!;
    const writer = (await keys.create({ ...owner, name: 'writer', scopes: ['read', 'write'] })).key;
    expect(await start(writer)).toMatchObject({ status: 400, json: { error: 'integration_missing' } });
    const before = service.tokens.assertions.length;
    expect(await start(service.key)).toMatchObject({ status: 200, json: { total: 1 } });
    expect(service.tokens.assertions.slice(before)).toContainEqual(
      expect.objectContaining({ scope: 'https://www.googleapis.com/auth/devstorage.read_only' }),
    );
    const { db } = service.app.sightline.database;
    await db.insertInto('organizations').values({ id: newId(), name: 'Another' }).execute();
    expect(await start(service.key)).toMatchObject({ status: 400, json: { error: 'integration_missing' } });
  });

  test.each([
    ['an invalid private key', { private_key: 'no key' }, /not a private key/],
    ['tokens from a private network', { token_uri: 'http://10.1.2.3/token' }, /not public/],
  ])('rejects %s', async (_, more, message) => {
    const answer = await service.call(
      'POST',
      '/gcs',
      account({ service_account: { ...service.tokens.account, ...more } }),
    );
    expect(answer.status).toBe(400);
    expect(answer.json.message).toMatch(message);
  });

  test('reports a deleted key of a service account', async () => {
    service.tokens.refuse('invalid_grant');
    const answer = await service.call('POST', '/gcs', account());
    service.tokens.refuse(null);
    expect(answer.json).toMatchObject({
      error: 'credentials_refused',
      message: expect.stringMatching(/key of the service account was deleted/),
    });
  });

  test('rejects other kinds of key files, which may name programs and URLs', async () => {
    const answer = await service.call(
      'POST',
      '/gcs',
      account({ service_account: { ...service.tokens.account, type: 'external_account' } }),
    );
    expect(answer.json).toMatchObject({ error: 'request_invalid' });
  });
});
