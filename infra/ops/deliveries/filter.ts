/** The filters that lists of deliveries share. */
import type { Caller } from '../../command-line/client.ts';
import { apiCommand } from '../api/connection.ts';
import { pages } from '../api/request.ts';
import { type Delivery, read, waitReasons } from '../api/resources.ts';
import { withFields } from '../commands/fields.ts';

/** For the help of commands that print what a delivery waits for. */
export const words = { 'What a delivery waits for': waitReasons };

export type Filter = Readonly<Record<string, string | undefined>>;

/** Returns a command with these filters of the API, and a function that reads them. */
export const filtered = (name: string, filters: readonly string[]) => {
  const { command, read: valuesOf } = withFields(apiCommand(name), 'deliveries/list-all', filters);
  return {
    command,
    filterOf: async (caller: Caller, typed: object): Promise<Filter> => (await valuesOf(typed, caller)).query,
  };
};

/** Yields deliveries, newest first, page by page. */
export const listed = (caller: Caller, filter: Filter, limit?: number): AsyncGenerator<readonly Delivery[]> =>
  pages(caller, '/admin/deliveries/', { ...filter, limit }, read.deliveries);
