/** An embedded part of the local stack: its address and how to stop it. */
export interface Part {
  /** The origin of the part on loopback, without a trailing slash. */
  readonly url: string;
  /** Ends the part; resolves when its port is free again. */
  readonly stop: () => Promise<void>;
}

/** A part could not be started; the message is one line for the terminal. */
export class PartMissingError extends Error {
  override readonly name = 'PartMissingError';
}
