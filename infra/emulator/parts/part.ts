/** What an embedded part of the local stack is to the rest: an address and a way to end it. */
export interface Part {
  /** Origin of the part on loopback, without a slash at the end. */
  readonly url: string;
  /** Ends the part; resolves when its port is free again. */
  readonly stop: () => Promise<void>;
}

/** A part that could not be started; the message is one line for the person at the terminal. */
export class PartMissingError extends Error {
  override readonly name = 'PartMissingError';
}
