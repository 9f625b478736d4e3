/** The sweep: finds what is due and has no message on its way, and sends it; the table is the truth, queues are haste. */
import { type Clock, minute } from '../foundation/clock.ts';
import type { Key } from '../table/table-key.ts';

/** What is found is looked at again after so long, should its message be lost; and so soon where it could not be sent. */
const lookAgainMs = 6 * minute;
const tryAgainMs = minute;
const pageSize = 100;

type DueKey = Key & { readonly due_at: string };

/** One kind of what may be due. */
export interface DueKind {
  readonly owns: (key: Key) => boolean;
  /** Sends on what these keys stand for; those that are not due any more are dropped. */
  readonly sendOn: (keys: readonly Key[]) => Promise<unknown>;
}

export interface SweepPorts {
  readonly shards: number;
  /** Keys of what is due by a time in epoch ms, oldest first. */
  readonly due: (shard: number, until: number, limit: number) => Promise<readonly DueKey[]>;
  readonly kinds: readonly DueKind[];
  /** Moves the time at which the sweep looks again, unless somebody else has moved it. */
  readonly postpone: (key: DueKey, until: number) => Promise<void>;
  /** Is told of what failed; it holds up nothing else. */
  readonly onFault: (error: unknown) => void;
  readonly clock: Clock;
}

/**
 * Sweeps all shards until nothing is due or the time is over; gives how much was sent on. Messages go out first and the
 * times move afterwards: a crash between the two doubles messages, which their workers bear, and loses none.
 * @param deadline epoch ms
 */
export const sweep = async (ports: SweepPorts, deadline: number): Promise<number> => {
  const now = ports.clock();
  const shards = Array.from({ length: ports.shards }, (_, shard) => sweepShard(ports, shard, now, deadline));
  const counts = await settled(ports, shards);
  return counts.reduce((sum, sent) => sum + sent, 0);
};

const sweepShard = async (ports: SweepPorts, shard: number, until: number, deadline: number): Promise<number> => {
  let sent = 0;
  const seen = new Set<string>();
  while (ports.clock() < deadline) {
    const found = await ports.due(shard, until, pageSize);
    // The index lags behind the table: what was just moved may still stand in it.
    const keys = found.filter(({ pk, sk }) => !seen.has(`${pk} ${sk}`));
    if (keys.length === 0) break;
    for (const { pk, sk } of keys) seen.add(`${pk} ${sk}`);
    const counts = await settled(
      ports,
      ports.kinds.map((kind) => sendKind(ports, kind, keys.filter(kind.owns), until)),
    );
    sent += counts.reduce((sum, count) => sum + count, 0);
  }
  return sent;
};

/** What cannot be sent just now is moved too, or it would stand before everything else for ever. */
const sendKind = async (ports: SweepPorts, { sendOn }: DueKind, keys: readonly DueKey[], until: number) => {
  if (keys.length === 0) return 0;
  const [isSent] = await settled(ports, [sendOn(keys).then(() => true)]);
  const next = until + (isSent ? lookAgainMs : tryAgainMs);
  await settled(
    ports,
    keys.map((key) => ports.postpone(key, next)),
  );
  return isSent ? keys.length : 0;
};

/** What became of those that went well. */
const settled = async <T>({ onFault }: Pick<SweepPorts, 'onFault'>, work: readonly Promise<T>[]): Promise<T[]> => {
  const ends = await Promise.allSettled(work);
  return ends.flatMap((end) => {
    if (end.status === 'fulfilled') return [end.value];
    onFault(end.reason);
    return [];
  });
};
