import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type VisionModelRequest = {
  authorization: string | undefined;
  texts: string[];
  /** Images as data URLs; those of a clip come first. */
  images: string[];
  /** Number of the images that came as a clip (`video_url`). */
  clipFrames: number;
  responseFormat?: unknown;
};
export type VisionModelReply = {
  status?: number;
  headers?: Record<string, string>;
  text?: string;
  reasoning?: string;
  delayMs?: number;
  finish?: string;
  /** Default: by the sizes of the texts and 400 for each image, 200 for each of a clip. */
  inputTokens?: number;
  /** Closes the connection without an answer. */
  isDropped?: boolean;
};
export type VisionModelScript = (request: VisionModelRequest, n: number) => VisionModelReply;
export type VisionModel = {
  url: string;
  requests: VisionModelRequest[];
  /** Number of requests whose connection the client closed before their answer. */
  canceled: () => number;
  close: () => Promise<void>;
};

/**
 * A vision-language model on the wire: speaks the OpenAI protocol on a port, a free one by default, and answers as the
 * script says. `watch` returns the pictures of a clip; without it clips are refused with 400.
 * Also stands for a language model. Close it.
 */
export async function startVisionModel(
  script: VisionModelScript,
  { port = 0, watch }: { port?: number; watch?: (mp4: Buffer) => Promise<Buffer[]> } = {},
): Promise<VisionModel> {
  const requests: VisionModelRequest[] = [];
  let canceled = 0;
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    let isAnswered = false;
    res.on('close', () => {
      if (!isAnswered) canceled++;
    });
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', async () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as {
        messages: { content: string | Part[] }[];
        response_format?: unknown;
      };
      const content = body.messages.flatMap(({ content }): Part[] =>
        typeof content === 'string' ? [{ type: 'text', text: content }] : content,
      );
      const clips = content.flatMap((part) => part.video_url?.url ?? []);
      const watched = await Promise.all(clips.map(async (clip) => watch?.(bytesOf(clip)) ?? []));
      const frames = watched.flat().map((jpeg) => `data:image/jpeg;base64,${jpeg.toString('base64')}`);
      const request: VisionModelRequest = {
        authorization: req.headers.authorization,
        texts: content.flatMap(({ text }) => (text?.startsWith(CLIP_LABEL) ? text.split('\n').slice(1) : (text ?? []))),
        images: [...frames, ...content.flatMap((part) => part.image_url?.url ?? [])],
        clipFrames: frames.length,
        responseFormat: body.response_format,
      };
      requests.push(request);
      const {
        status = 200,
        headers = {},
        text = '',
        reasoning,
        delayMs = 0,
        finish = 'stop',
        inputTokens,
        isDropped = false,
      } = clips.length > 0 && !watch ? { status: 400 } : script(request, requests.length);
      const tokens =
        inputTokens ?? 400 * request.images.length - 200 * frames.length + Math.ceil(request.texts.join('').length / 4);
      setTimeout(() => {
        isAnswered = true;
        if (isDropped) return void res.destroy();
        res.writeHead(status, { 'content-type': 'application/json', ...headers });
        res.end(JSON.stringify(status === 200 ? completion(text, finish, reasoning, tokens) : refusal));
      }, delayMs);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    canceled: () => canceled,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

type Part = { type: string; text?: string; image_url?: { url: string }; video_url?: { url: string } };

/** First line of the labels of a clip. */
const CLIP_LABEL = 'The pictures of this clip';
export const bytesOf = (url: string) => Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');

const completion = (text: string, finish: string, reasoning: string | undefined, inputTokens: number) => {
  const outputTokens = Math.ceil(text.length / 4);
  return {
    id: 'x',
    object: 'chat.completion',
    created: 0,
    model: 'eyes',
    choices: [
      { index: 0, finish_reason: finish, message: { role: 'assistant', content: text, reasoning_content: reasoning } },
    ],
    usage: { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: inputTokens + outputTokens },
  };
};

const refusal = { error: { message: 'secret words of the endpoint', type: 'x' } };
