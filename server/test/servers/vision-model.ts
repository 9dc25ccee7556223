import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type VisionModelRequest = {
  authorization: string | undefined;
  texts: string[];
  images: string[];
  responseFormat?: unknown;
};
export type VisionModelReply = {
  status?: number;
  text?: string;
  reasoning?: string;
  delayMs?: number;
  finish?: string;
};
export type VisionModelScript = (request: VisionModelRequest, n: number) => VisionModelReply;
export type VisionModel = { url: string; requests: VisionModelRequest[]; close: () => Promise<void> };

/**
 * A vision-language model on the wire: speaks the OpenAI protocol on a port, a free one by default, and answers as the
 * script says. Also stands for a language model. Close it.
 */
export async function startVisionModel(script: VisionModelScript, port = 0): Promise<VisionModel> {
  const requests: VisionModelRequest[] = [];
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as {
        messages: { content: string | Part[] }[];
        response_format?: unknown;
      };
      const content = body.messages.flatMap(({ content }): Part[] =>
        typeof content === 'string' ? [{ type: 'text', text: content }] : content,
      );
      const request: VisionModelRequest = {
        authorization: req.headers.authorization,
        texts: content.flatMap((part) => part.text ?? []),
        images: content.flatMap((part) => part.image_url?.url ?? []),
        responseFormat: body.response_format,
      };
      requests.push(request);
      const { status = 200, text = '', reasoning, delayMs = 0, finish = 'stop' } = script(request, requests.length);
      setTimeout(() => {
        res.writeHead(status, { 'content-type': 'application/json' });
        res.end(JSON.stringify(status === 200 ? completion(text, finish, reasoning) : refusal));
      }, delayMs);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

type Part = { type: string; text?: string; image_url?: { url: string } };

const completion = (text: string, finish: string, reasoning?: string) => ({
  id: 'x',
  object: 'chat.completion',
  created: 0,
  model: 'eyes',
  choices: [
    { index: 0, finish_reason: finish, message: { role: 'assistant', content: text, reasoning_content: reasoning } },
  ],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});

const refusal = { error: { message: 'secret words of the endpoint', type: 'x' } };

/** True if the request asks the model to verify a finding. */
export const isVerification = (request: VisionModelRequest) =>
  request.texts.some((text) => text.includes('Someone claims'));

/** First look: the model says that some of the frames show a pothole. */
export const claimReply = (over: object = {}) =>
  JSON.stringify({
    events: [{ question: 1, first_frame: 2, last_frame: 4, label: 'a pothole in the lane', confidence: 0.9, ...over }],
  });

/** Second look: whether it stands by that. */
export const verificationReply = (shown: boolean) => JSON.stringify({ shown, confidence: 0.9, why: 'because' });
