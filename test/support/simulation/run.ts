/** One invocation of a function. */

export interface Run {
  readonly number: number;
  readonly functionName: string;
  /** Epoch ms. */
  readonly startedAt: number;
  /** Epoch ms at which it ended, however that was; undefined while it is under way. */
  endedAt: number | undefined;
  /** Whether it was killed, or ran into its timeout. */
  isKilled: boolean;
  /** Whether nothing goes wrong in it: the scenario prepares something. */
  readonly isFair: boolean;
  /** Is asked before and after each call whether the invocation dies there. */
  readonly onStep: () => void;
}
