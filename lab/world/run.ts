/** One invocation of a function. */

export interface Run {
  readonly number: number;
  readonly functionName: string;
  /** Epoch ms. */
  readonly startedAt: number;
  /** Epoch ms of its end; undefined while it is running. */
  endedAt: number | undefined;
  /** Whether it was killed or timed out. */
  isKilled: boolean;
  /** Whether a request to AWS ended with an error in it, so that something it was to record may be missing. */
  hasFailed: boolean;
  /** Whether it runs without faults, because the scenario prepares something. */
  readonly isFair: boolean;
  /** Called before and after each call; returns whether the invocation is killed there. */
  readonly onStep: () => void;
}
