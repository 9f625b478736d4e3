/** What a benchmark of the local stack is: figures, and how a revision is measured in rounds. */
import type { Counter } from '../counter.ts';
import type { Revision } from './revision.ts';

export interface Figure {
  readonly title: string;
  readonly unit: string;
  readonly better: 'higher' | 'lower';
  /** One sentence: what was done, and from when to when it counts. */
  readonly explanation: string;
}

/** One value for each figure. */
export type Values = Readonly<Record<string, number>>;

export interface Side {
  readonly revision: Revision;
  readonly counter: Counter;
  /** Options of the stack's command. */
  readonly args: readonly string[];
}

/** One side that is ready: warm, if the benchmark is of a warm stack. */
export interface Prepared {
  round(): Promise<Values>;
  end(): Promise<void>;
}

export interface Bench {
  readonly description: string;
  readonly figures: Readonly<Record<string, Figure>>;
  readonly rounds: number;
  /** Whether it runs only if it is named. */
  readonly isLong?: boolean;
  prepare(side: Side): Promise<Prepared>;
}
