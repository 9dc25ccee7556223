import { randomBytes } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { isReachable, parseNetworks } from './addresses.ts';
import { createGuardedFetch, download, type GuardedFetchSettings } from './index.ts';

/** A self-signed certificate and its key, for tests only. */
const SELF_SIGNED = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQglJSaeuRf+MUAKSmC
qzeD9rx/RpIQ7hoEcdQ8YBQy2nOhRANCAASQtt09vhKNu0ElUd2u2tzNQ74eEjba
ok/G8dp0S16S9/U+2yC7mLWpN+irHpxfmYaqPh78eaTZ8uzXdxxiqgkY
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBnDCCAUGgAwIBAgIUDM+UPXuG+Kdyk15C3mIUNzCuyiwwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTEwMDkzNloYDzIxMjYxMDI4
MTAwOTM2WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAASQtt09vhKNu0ElUd2u2tzNQ74eEjbaok/G8dp0S16S9/U+2yC7mLWp
N+irHpxfmYaqPh78eaTZ8uzXdxxiqgkYo28wbTAdBgNVHQ4EFgQUJSziebfkaqKs
44I2hDo39AXSKt4wHwYDVR0jBBgwFoAUJSziebfkaqKs44I2hDo39AXSKt4wDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSQAwRgIhAOjMUFy8LU6BIbG62MV08bUvPM17P9gWhL8okI6lVn9vAiEA
mFabRjtSlBBi2ME4tLp5VgWkPtvFzXxgR55tuhiCGO4=
-----END CERTIFICATE-----`,
};

const open: { close: () => unknown }[] = [];
afterAll(async () => {
  for (const each of open.reverse()) await each.close();
});

async function serve(handler: RequestListener, tls = false): Promise<string> {
  const server: Server = tls ? createTlsServer(SELF_SIGNED, handler) : createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push({
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  });
  return `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function fetcher(settings: Partial<GuardedFetchSettings> = {}) {
  const net = createGuardedFetch({ allowedNetworks: ['127.0.0.0/8'], ...settings });
  open.push(net);
  return net;
}

const say = (status: number, headers: Record<string, string> = {}, body: string | Buffer = ''): RequestListener => {
  return (_request, response) => {
    const length = body.length > 0 ? { 'content-length': Buffer.byteLength(body) } : {};
    response.writeHead(status, { ...headers, ...length }).end(body);
  };
};

describe('addresses', () => {
  test.each(['8.8.8.8', '2001:4860:4860::8888', '::ffff:8.8.8.8', '64:ff9b::808:808', '2002:808:808::1'])(
    '%s is public',
    (address) => expect(isReachable(address, [])).toBe(true),
  );

  test.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '100.100.100.200',
    '192.0.0.192',
    '168.63.129.16',
    '0.0.0.0',
    '0.1.2.3',
    '224.0.0.1',
    '255.255.255.255',
    '198.18.0.1',
    '240.0.0.1',
    '::',
    '::1',
    'fe80::1',
    'fe80::1%eth0',
    'fc00::1',
    'fd00:ec2::254',
    'fec0::1',
    'ff02::1',
    '::7f00:1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:0:7f00:1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b::7f00:1',
    '64:ff9b:1::808:808',
    '2002:7f00:1::',
    '2002:c0a8:101::1',
    '2001::1',
    '2001:db8::1',
    '4000::1',
    'not an address',
    '',
  ])('%s is not', (address) => expect(isReachable(address, [])).toBe(false));

  test('an operator opens networks, also for addresses that stand for them', () => {
    const allowed = parseNetworks(['10.0.0.0/8', 'fd00::/8', '127.0.0.1']);
    for (const yes of ['10.9.9.9', '::ffff:10.0.0.1', 'fd00::5', '127.0.0.1', '8.8.8.8']) {
      expect(isReachable(yes, allowed), yes).toBe(true);
    }
    for (const no of ['11.0.0.1', '127.0.0.2', '192.168.0.1', 'fe80::1']) {
      expect(isReachable(no, allowed), no).toBe(no === '11.0.0.1');
    }
    expect(() => parseNetworks(['10.0.0.0/8', 'everything'])).toThrow('"everything" is not a network');
  });
});

describe('guarded fetch', () => {
  test('fetches from an allowed address', async () => {
    const base = await serve(say(200, { 'content-type': 'text/plain' }, 'hello'));
    const answer = await fetcher().get(`${base}/x`);
    expect(answer.status).toBe(200);
    expect(Buffer.concat(await answer.body.toArray()).toString()).toBe('hello');
  });

  test.each([
    ['nonsense', 'fetch_url_invalid'],
    ['', 'fetch_url_invalid'],
    ['/etc/passwd', 'fetch_url_invalid'],
    ['file:///etc/passwd', 'fetch_url_invalid'],
    ['ftp://example.com/a.mp4', 'fetch_url_invalid'],
    [`http://example.com/${'a'.repeat(9000)}`, 'fetch_url_invalid'],
    ['http://127.0.0.1:1/', 'fetch_address_refused'],
    ['http://2130706433:1/', 'fetch_address_refused'],
    ['http://0x7f.1:1/', 'fetch_address_refused'],
    ['http://[::1]:1/', 'fetch_address_refused'],
    ['http://[::ffff:127.0.0.1]:1/', 'fetch_address_refused'],
    ['http://[64:ff9b::7f00:1]:1/', 'fetch_address_refused'],
    ['http://169.254.169.254/latest/meta-data/', 'fetch_address_refused'],
    ['http://localhost:1/', 'fetch_address_refused'],
  ])('refuses %.40s', async (url, code) => {
    const net = fetcher({ allowedNetworks: [] });
    await expect(net.check(url)).rejects.toMatchObject({ code, status: 400 });
    await expect(net.get(url)).rejects.toMatchObject({ code, status: 400 });
  });

  test('connects only to the addresses of a name that it may reach', async () => {
    const base = await serve(say(200, {}, 'ok'));
    const named = base.replace('127.0.0.1', 'films.example');
    const mixed = fetcher({ resolve: async () => ['192.168.0.1', '127.0.0.1'] });
    expect((await mixed.get(named)).status).toBe(200);
    const inside = fetcher({ resolve: async () => ['192.168.0.1', '10.0.0.1'] });
    await expect(inside.get(named)).rejects.toMatchObject({ code: 'fetch_address_refused' });
    const unknown = fetcher({ resolve: async () => [] });
    await expect(unknown.get(named)).rejects.toMatchObject({ code: 'fetch_host_unknown' });
  });

  test('a name that changes its address between check and connection gains nothing', async () => {
    let reached = 0;
    const base = await serve((_request, response) => {
      reached++;
      response.end();
    });
    let requests = 0;
    const net = fetcher({
      allowedNetworks: [],
      // Public during the check, loopback for the connection.
      resolve: async () => (requests++ === 0 ? ['93.184.215.14'] : ['127.0.0.1']),
    });
    const rebinding = net.get(base.replace('127.0.0.1', 'rebinding.example'));
    await expect(rebinding).rejects.toMatchObject({ code: 'fetch_address_refused' });
    expect(requests).toBeGreaterThan(1);
    expect(reached).toBe(0);
  });

  test('follows redirects, five at most, and checks each', async () => {
    let base = '';
    base = await serve((request, response) => {
      const left = Number(request.url!.slice(1));
      if (left === 0) return response.end('there');
      response.writeHead(302, { location: left === 1 ? '0' : `${base}/${left - 1}` }).end();
    });
    const net = fetcher();
    const answer = await net.get(`${base}/5`);
    expect(answer.url.href).toBe(`${base}/0`);
    await expect(net.get(`${base}/6`)).rejects.toMatchObject({ code: 'fetch_too_many_redirects' });

    for (const [location, code] of [
      ['http://169.254.169.254/', 'fetch_address_refused'],
      ['http://[::ffff:10.0.0.1]/', 'fetch_address_refused'],
      ['file:///etc/passwd', 'fetch_url_invalid'],
    ] as const) {
      const away = await serve(say(302, { location }));
      await expect(net.get(away)).rejects.toMatchObject({ code });
    }
  });

  test('keeps the credentials of a URL to its own host', async () => {
    const seen: (string | undefined)[] = [];
    const other = await serve((request, response) => {
      seen.push(request.headers.authorization);
      response.end();
    });
    const base = await serve((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(302, { location: request.url === '/a' ? '/b' : other }).end();
    });
    await fetcher().get(`${base.replace('//', '//user:p%40ss@')}/a`);
    const basic = `Basic ${Buffer.from('user:p@ss').toString('base64')}`;
    expect(seen).toEqual([basic, basic, undefined]);
  });

  test('verifies TLS', async () => {
    const base = await serve(say(200), true);
    await expect(fetcher().get(base)).rejects.toMatchObject({ code: 'fetch_certificate_invalid' });
  });

  test('gives up on servers that are not there, say nothing, or are no web servers', async () => {
    const net = fetcher({ timeouts: { connect: 500, headers: 300, idle: 300 } });
    await expect(net.get('http://127.0.0.1:1/')).rejects.toMatchObject({ code: 'fetch_unreachable' });
    const silent = await serve(() => {});
    await expect(net.get(silent)).rejects.toMatchObject({ code: 'fetch_timeout' });
    const tls = await serve(say(200), true);
    await expect(net.get(tls.replace('https', 'http'))).rejects.toMatchObject({
      code: expect.stringMatching(/fetch_(unreachable|interrupted)/),
    });
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('enough')), 50);
    await expect(net.get(silent, { signal: controller.signal })).rejects.toThrow('enough');
  });
});

describe('download', () => {
  const content = randomBytes(300_000);
  /** Serves `film` with range support, and breaks each connection after `step` bytes. */
  const breaking = (step: number, headers: Record<string, string>, log: string[] = []): RequestListener => {
    return (request, response) => {
      log.push(request.headers.range ?? 'whole');
      const at = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
      const rest = content.subarray(at);
      const partial = at > 0 && headers['accept-ranges'] === 'bytes';
      response.writeHead(partial ? 206 : 200, {
        ...headers,
        'content-length': partial ? rest.length : content.length,
        ...(partial ? { 'content-range': `bytes ${at}-${content.length - 1}/${content.length}` } : {}),
      });
      const sent = partial ? rest : content;
      response.write(sent.subarray(0, step), () => {
        if (step >= sent.length) response.end();
        else response.destroy();
      });
    };
  };

  test('says size and name', async () => {
    const net = fetcher();
    const plain = await serve(say(200, {}, content));
    const url = `${plain}/some/My%20film.mp4?sig=1`;
    const file = await download(net, url);
    expect({ size: file.size, filename: file.filename }).toEqual({ size: content.length, filename: 'My film.mp4' });
    expect(Buffer.concat(await file.body.toArray()).equals(content)).toBe(true);
    const named = await serve(say(200, { 'content-disposition': `attachment; filename*=UTF-8''%C3%84.mp4` }, 'x'));
    const other = await download(net, named);
    expect(other.filename).toBe('Ä.mp4');
    other.body.destroy();
  });

  test('takes up a broken connection where it broke', async () => {
    const log: string[] = [];
    const url = await serve(breaking(110_000, { 'accept-ranges': 'bytes', etag: '"1"' }, log));
    const { body } = await download(fetcher(), url);
    expect(Buffer.concat(await body.toArray()).equals(content)).toBe(true);
    expect(log[0]).toBe('whole');
    expect(log.length).toBeGreaterThan(2);
    expect(log.slice(1).every((range) => /^bytes=\d+-$/.test(range))).toBe(true);
  });

  test('fails with a reason when the server cannot resume, and when it breaks endlessly', async () => {
    const net = fetcher();
    const whole = await download(net, await serve(breaking(100_000, {})));
    await expect(whole.body.toArray()).rejects.toMatchObject({ code: 'fetch_refused' });
    const stuck = await serve((request, response) => {
      if (request.headers.range) return response.destroy();
      response.writeHead(200, { 'content-length': '100' });
      response.write('x', () => response.destroy());
    });
    const broken = await download(net, stuck);
    await expect(broken.body.toArray()).rejects.toMatchObject({ code: 'fetch_interrupted' });
  });

  describe('keeps to a minimum rate', () => {
    const minimumRate = { bytesPerS: 20_000, windowMs: 200 };
    /** Sends a byte of `film` every 20 ms from the requested offset, for `lastsMs` per connection. */
    const trickling = (lastsMs: number): RequestListener => {
      return (request, response) => {
        const at = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
        const range = { 'content-range': `bytes ${at}-${content.length - 1}/${content.length}` };
        response.writeHead(at ? 206 : 200, { 'content-length': content.length - at, ...(at ? range : {}) });
        let sent = at;
        const timer = setInterval(() => response.write(content.subarray(sent, ++sent)), 20);
        const end = setTimeout(() => response.destroy(), lastsMs);
        response.once('close', () => {
          clearInterval(timer);
          clearTimeout(end);
        });
      };
    };

    test.each([60_000, 100])('and ends with a reason where connections of %d ms trickle', async (lastsMs) => {
      const { body } = await download(fetcher({ minimumRate }), await serve(trickling(lastsMs)));
      await expect(body.toArray()).rejects.toMatchObject({
        code: 'fetch_too_slow',
        message: expect.stringMatching(/^127\.0\.0\.1:\d+ sent fewer than 20000 bytes a second for 0\.6 seconds/),
      });
    });

    test('and resumes where one connection stalled', async () => {
      let requests = 0;
      const whole = breaking(content.length, { 'accept-ranges': 'bytes' });
      const silent: RequestListener = (_request, response) => {
        response.writeHead(200, { 'content-length': content.length });
        response.write(content.subarray(0, 1_000));
      };
      const url = await serve((...args) => (requests++ === 0 ? silent : whole)(...args));
      const { body } = await download(fetcher({ minimumRate }), url);
      expect(Buffer.concat(await body.toArray()).equals(content)).toBe(true);
      expect(requests).toBe(2);
    });

    test('which the time that its reader takes does not count for', async () => {
      const large = Buffer.concat(Array(20).fill(content));
      const { body } = await download(fetcher({ minimumRate }), await serve(say(200, {}, large)));
      let size = 0;
      for await (const chunk of body) {
        if (size === 0) await sleep(3 * minimumRate.windowMs);
        size += chunk.length;
      }
      expect(size).toBe(large.length);
    });
  });

  test('an answer that is not the file is refused, for good or for now', async () => {
    const net = fetcher();
    for (const [status, code] of [
      [404, 'fetch_refused'],
      [403, 'fetch_refused'],
      [206, 'fetch_refused'],
      [204, 'fetch_refused'],
      [503, 'fetch_unavailable'],
      [429, 'fetch_unavailable'],
    ] as const) {
      await expect(download(net, await serve(say(status)))).rejects.toMatchObject({ code });
    }
  });
});
