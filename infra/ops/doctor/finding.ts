/** The findings of `ops doctor`, and what its checks examine. */
import type { StageConfig } from '../../cdk/stage.ts';

export interface Finding {
  /** Name of the check, such as `mail`. */
  readonly check: string;
  /** `stops` prevents the stage or its next deployment from working; `warning` does not; `skipped` was not examined. */
  readonly result: 'passed' | 'warning' | 'stops' | 'skipped';
  readonly text: string;
  readonly fix?: string;
}

/** A finding without the name of its check, which the caller adds. */
export type Found = Omit<Finding, 'check'>;

export const passed = (text: string): Found => ({ result: 'passed', text });
export const skipped = (text: string): Found => ({ result: 'skipped', text });
export const warning = (text: string, fix: string): Found => ({ result: 'warning', text, fix });
export const stops = (text: string, fix: string): Found => ({ result: 'stops', text, fix });

export interface Examined {
  readonly config: StageConfig;
  readonly sharing: readonly StageConfig[];
  readonly account: string;
  readonly region: string;
  /** States of the stage's deployed stacks, by name without the stage, such as `data`. */
  readonly stacks: ReadonlyMap<string, string>;
  readonly outputs: ReadonlyMap<string, string>;
}
