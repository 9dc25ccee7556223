import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type GcsServer, startGcsServer } from '#test/servers/gcs-server';
import { type IntegrationsService, startIntegrationsService } from './integrations.fixture.ts';

const { gcsServer } = inject('programs');

describe.skipIf(!gcsServer)('Google Cloud Storage', () => {
  let server: GcsServer;
  let service: IntegrationsService;
  beforeAll(async () => {
    service = await startIntegrationsService();
    server = await startGcsServer(gcsServer!);
    await server.makeBucket('fleet');
    await server.put('fleet', 'a/one.mp4', Buffer.from('one'));
  }, 180_000);
  afterAll(async () => {
    await service.close();
    await server.stop();
  });
  const account = (more: object = {}) => ({
    ...{ name: 'Fleet', type: 'gcs', service_account: service.tokens.account, bucket: 'fleet', prefix: null },
    endpoint_url: server.endpoint,
    ...more,
  });

  test('is read with read-only tokens of a service account', async () => {
    const made = await service.call('POST', '/gcs', account());
    expect(made.json, made.text).toMatchObject({ type: 'gcs', bucket: 'fleet' });
    expect(made.text).not.toContain('PRIVATE KEY');
    expect(service.tokens.assertions.at(-1)).toMatchObject({ scope: expect.stringMatching(/devstorage\.read_only$/) });
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
