/** An attack: what it does in the world, and what it returns. */
import type { World } from './world.ts';

interface AttackResult {
  readonly answered: readonly number[];
  readonly expected: readonly number[];
}

export type Attack = (world: World) => Promise<AttackResult>;
