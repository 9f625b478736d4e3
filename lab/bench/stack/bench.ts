/** Defines a benchmark of the local stack: its figures, and how a revision is measured in rounds. */
import type { Counter } from '../counter.ts';
import type { Revision } from './revision.ts';

export interface Figure {
  readonly title: string;
  readonly unit: string;
  readonly better: 'higher' | 'lower';
  /** One sentence: what was done, and which interval counts. */
  readonly explanation: string;
}

/** One value per figure. */
export type Values = Readonly<Record<string, number>>;

export interface Side {
  readonly revision: Revision;
  readonly counter: Counter;
  /** Options for the stack's command. */
  readonly args: readonly string[];
}

/** A revision that is ready to be measured; its stack is warm if the benchmark needs one. */
export interface Prepared {
  round(): Promise<Values>;
  end(): Promise<void>;
}

export interface Bench {
  readonly description: string;
  readonly figures: Readonly<Record<string, Figure>>;
  readonly rounds: number;
  /** Whether the benchmark runs only when it is named. */
  readonly isLong?: boolean;
  prepare(side: Side): Promise<Prepared>;
}
