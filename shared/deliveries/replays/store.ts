/** Where jobs lie in the table, by their id; one that is not done is due, so that the sweep wakes it if nobody works on it. */

import { dueAt } from '../../due/due-index.ts';
import { minute } from '../../foundation/clock.ts';
import type { JobId } from '../../foundation/ids.ts';
import { is, missing } from '../../table/condition.ts';
import { get, put } from '../../table/item.ts';
import { tryOnce, updateOnce } from '../../table/once.ts';
import type { Key } from '../../table/table-key.ts';
import type { Replay } from './replay.ts';

const jobKey = (id: JobId): Key => ({ pk: `JOB#${id}`, sk: 'JOB' });

/** The job that a key of the index of what is due stands for. */
export const jobOfDue = ({ pk, sk }: Key): JobId | undefined =>
  sk === 'JOB' ? (pk.slice('JOB#'.length) as JobId) : undefined;

/** A run that has not said anything for so long is dead, or its message is. */
const silentMs = 2 * minute;

export const readReplay = (id: JobId): Promise<Replay | undefined> => get<Replay>(jobKey(id));

/** Adds a replay; a refused condition means that it was added and the answer was lost, since its id is new. */
export const addReplay = async (replay: Replay): Promise<void> => {
  const key = jobKey(replay.id);
  await tryOnce(
    put({ ...key, ...replay, ...dueAt(key, Date.parse(replay.created_at) + silentMs) }, missing()),
    async () => (await readReplay(replay.id)) !== undefined,
  );
};

/** Writes how far a replay is; gives false where another run has gone on meanwhile. */
export const advanceReplay = async (before: Replay, after: Replay): Promise<boolean> => {
  const { state, cursor, checked, replayed, updated_at } = after;
  const due = state === 'running' ? dueAt(jobKey(after.id), Date.parse(updated_at) + silentMs) : undefined;
  const { written } = await updateOnce(
    jobKey(after.id),
    {
      set: { state, cursor, checked, replayed, updated_at, ...due },
      ...(due === undefined && { remove: ['due', 'due_at'] }),
    },
    is('cursor', before.cursor),
  );
  return written;
};
