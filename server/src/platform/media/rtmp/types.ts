/** Limits of a listener, in milliseconds. */
export type RtmpTimeouts = {
  /** From the connection until it is accepted: handshake, and the request with a key. */
  acceptMs: number;
  /** Without data from a publisher that need not wait. */
  silentMs: number;
  /** Without data, after which another publisher with the same key replaces it. */
  replaceMs: number;
  /** Until the stream of a publisher that disconnected is played. */
  lingerMs: number;
  /** Between two checks of whether publishers may continue. */
  renewMs: number;
};

/** A stream with the connection that publishes it, by its id. */
export type RtmpPublication = { id: string; stream: string };

/** A question of the process to the service, which answers one at a time by a function of `RtmpRoom`. */
export type RtmpQuestion =
  /** It takes connections from now on. */
  | { kind: 'ready' }
  | { kind: 'publish'; key: string; remote: string }
  | ({ kind: 'claim'; key: string; remote: string } & RtmpPublication)
  | ({ kind: 'busy'; remote: string } & Pick<RtmpPublication, 'stream'>)
  | { kind: 'play'; stream: string; token: string }
  | { kind: 'renew'; publications: RtmpPublication[] }
  | ({ kind: 'closed'; reason: string } & RtmpPublication);

/** Answers questions of the process. `refused` is a sentence for the operator of the encoder. */
export type RtmpRoom = {
  /** Checks a key: the stream that it is for. Says nothing about other publishers of that stream. */
  publish(key: string, remote: string): Promise<{ stream: string } | { refused: string }>;
  /** Makes a connection the publisher of its stream. False if another node has one, or if the key was replaced. */
  claim(publication: RtmpPublication, key: string, remote: string): Promise<boolean>;
  /** Another publisher of a stream was refused, as it has one. */
  busy(stream: string, remote: string): Promise<void>;
  /** True if a stream may be played with this token. */
  play(stream: string, token: string): Promise<boolean>;
  /** The publications that have to end, with the reason. */
  renew(publications: readonly RtmpPublication[]): Promise<{ id: string; reason: string }[]>;
  closed(publication: RtmpPublication, reason: string): Promise<void>;
  /** All publications of this node have ended at once, as its process did. */
  lost(): Promise<void>;
};
