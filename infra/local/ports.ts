/** The ports of a local stack: the same in every start of a home, unless one is in use. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { type Home, writePrivate } from './home.ts';

const port = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535));
const portsSchema = v.object({ api: port, receiver: port, mailbox: port, proxy: port });

export type StackPorts = v.InferOutput<typeof portsSchema>;

const defaultPort = 3368;

const names: Readonly<Record<keyof StackPorts, string>> = {
  api: 'API',
  receiver: 'demo receiver',
  mailbox: 'mailbox',
  proxy: 'proxy',
};

export interface WantedPorts {
  readonly ports: StackPorts;
  /** Whether the API may use another port, because `PORT` does not name this one. */
  readonly orNext: boolean;
  readonly isKept: boolean;
}

const fileOf = (home: Home): string => join(home.folder, 'ports.json');

/** Returns the ports of the last start, at first from 3368 on. `PORT` sets the API's; 0 chooses free ones once. */
export const wantedPorts = (home: Home, given: number | undefined): WantedPorts => {
  if (given === 0) return { ports: { api: 0, receiver: 0, mailbox: 0, proxy: 0 }, orNext: false, isKept: false };
  const kept = readPorts(home);
  const api = given ?? kept?.api ?? defaultPort;
  const others = kept?.api === api ? kept : { receiver: api + 1, mailbox: api + 2, proxy: api + 3 };
  return { ports: { ...others, api }, orNext: given === undefined, isKept: true };
};

const readPorts = (home: Home): StackPorts | undefined => {
  if (!existsSync(fileOf(home))) return undefined;
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), portsSchema), readFileSync(fileOf(home), 'utf8'));
  return parsed.success ? parsed.output : undefined;
};

/** Stores the used ports for the next start; returns a sentence for each that differs from the wanted one. */
export const keepPorts = (home: Home, { ports, isKept }: WantedPorts, used: StackPorts): readonly string[] => {
  if (!isKept) return [];
  writePrivate(home, fileOf(home), used);
  return (Object.keys(names) as (keyof StackPorts)[])
    .filter((name) => ports[name] !== used[name])
    .map((name) => `Port ${ports[name]} is in use, so the ${names[name]} is on port ${used[name]}.`);
};
