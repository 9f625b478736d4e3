/** The delivery profiles whose cost is counted, and the payloads of their events. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Behaviour } from './receivers.ts';

/** How events are published: one per request, ten per request (the maximum), or one by one to the EventBridge bus. */
export type Publishing = (typeof publishings)[number];

export interface Profile {
  readonly receivers: Behaviour;
  /** Subscribers of each event. */
  readonly fanOut: number;
  /** Kilobytes of an event's payload. */
  readonly payloadKb: number;
  readonly publishing: Publishing;
}

export const fanOuts = [1, 10, 1000] as const;
export const payloads = [2, 50] as const;
export const behaviours = ['healthy', 'failing', 'hanging'] as const;
export const publishings = ['single', 'ten', 'bus'] as const;

/** The profile of the goal in docs/cost.md, for each way to publish. */
export const goalProfile = (publishing: Publishing): Profile => ({
  receivers: 'healthy',
  fanOut: 10,
  payloadKb: 2,
  publishing,
});

export const profiles: readonly Profile[] = [
  ...behaviours.flatMap((receivers) =>
    payloads.flatMap((payloadKb) =>
      fanOuts.map((fanOut) => ({ receivers, fanOut, payloadKb, publishing: 'single' as const })),
    ),
  ),
  goalProfile('ten'),
  goalProfile('bus'),
];

/** The rate at which the deliveries of a profile are published. */
export const deliveriesPerSecond = 200;

export const nameOf = ({ receivers, fanOut, payloadKb, publishing }: Profile): string =>
  `${receivers}, fan-out of ${fanOut}, ${payloadKb} KB${{ single: '', ten: ', ten a request', bus: ', bus' }[publishing]}`;

const docs = join(import.meta.dirname, '../../docs');
/** Prose that compresses like the text of posts. */
const prose = readdirSync(docs)
  .filter((file) => file.endsWith('.md') && file !== 'cost.md')
  .map((file) => readFileSync(join(docs, file), 'utf8'))
  .join('\n');

/** Returns an event's payload of about `kb` KB as JSON; each number yields a different text. */
export const payloadOf = (event: string, payloadKb: number, number: number): object => {
  const bytes = 1000 * payloadKb;
  const from = (number * 7919) % (prose.length - bytes);
  const [resource = ''] = event.split('.');
  const withText = (html: string) => ({ [resource]: { current: { id: `number-${number}`, html }, previous: {} } });
  const excess = JSON.stringify(withText(prose.slice(from, from + bytes))).length - bytes;
  return withText(prose.slice(from, from + bytes - excess));
};
