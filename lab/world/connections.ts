/** An environment's connections: few per origin, for which requests wait (shared/deliveries/sender/connections.ts). */
import type { Task } from './agenda.ts';
import type { Environment } from './environment.ts';

/** Starts a request, which may have waited for its connection. */
type Begin = (hasWaited: boolean) => unknown;

interface Origin {
  open: number;
  readonly waiting: { readonly begin: Begin; readonly deadline: Task }[];
}

export class OriginConnections {
  private readonly origins = new Map<string, Origin>();
  private readonly environment: Environment;
  private readonly perOrigin: number;

  constructor(environment: Environment, perOrigin: number) {
    this.environment = environment;
    this.perOrigin = perOrigin;
  }

  acquire(name: string, withinMs: number, begin: Begin, giveUp: () => void): void {
    const origin = this.origins.get(name) ?? { open: 0, waiting: [] };
    this.origins.set(name, origin);
    if (origin.open < this.perOrigin) {
      origin.open++;
      begin(false);
      return;
    }
    const deadline = this.environment.later(withinMs, () => {
      origin.waiting.splice(origin.waiting.indexOf(waiting), 1);
      giveUp();
    });
    const waiting = { begin, deadline };
    origin.waiting.push(waiting);
  }

  release(name: string): void {
    const origin = this.origins.get(name);
    const next = origin?.waiting.shift();
    if (origin === undefined) return;
    if (next === undefined) {
      origin.open--;
      if (origin.open === 0) this.origins.delete(name);
      return;
    }
    this.environment.world.cancel(next.deadline);
    next.begin(true);
  }
}
