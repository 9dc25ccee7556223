import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export type Received = {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  json: { type: string; timestamp: string; subject: string; sequence: number; data: Record<string, unknown> };
};
type Reply = { status: number; headers?: Record<string, string>; body?: string };

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** An endpoint on this machine that stores what it receives. */
export async function startReceiver(reply: (received: Received) => Reply | Promise<Reply> = () => ({ status: 204 })) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const isJson = request.headers['content-type'] === 'application/json';
    const each = { path: request.url!, headers: request.headers, body, json: isJson ? JSON.parse(body) : null };
    received.push(each);
    const { status, headers, body: text } = await receiver.reply(each);
    response.writeHead(status, headers).end(text);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    /** Responds to a message. */
    reply,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}

/** Verifies a message with the reference library of Standard Webhooks; throws if its signature is wrong. */
export const verify = (secret: string, { body, headers }: Pick<Received, 'body' | 'headers'>) =>
  new Webhook(secret).verify(body, headers as Record<string, string>);
