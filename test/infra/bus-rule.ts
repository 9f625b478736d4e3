/** The rule of the EventBridge bus in the templates, and the message that EventBridge sends by it. */
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { accountId, region } from './resolved.ts';
import type { Synthesized } from './synthesized.ts';

const target = v.strictObject({
  Id: v.string(),
  Arn: v.string(),
  DeadLetterConfig: v.object({ Arn: v.string() }),
});
const rule = v.looseObject({
  EventBusName: v.string(),
  EventPattern: v.strictObject({
    account: v.array(v.union([v.string(), v.strictObject({ exists: v.literal(true) })])),
  }),
  Targets: v.tuple([target]),
});
export type BusRule = v.InferOutput<typeof rule> & { readonly id: string };

/** Returns the only rule of the stack `data`. */
export const busRule = (templates: Synthesized, stage: string): BusRule => {
  const [found, ...others] = templates.of(stage, 'Events::Rule', v.unknown()).filter(({ stack }) => stack === 'data');
  if (found === undefined || others.length > 0) throw new Error(`The stage ${stage} has ${others.length + 1} rules.`);
  return { ...v.parse(rule, found.properties), id: found.id };
};

export const putEventsEntry = v.strictObject({
  EventBusName: v.string(),
  Source: v.string(),
  DetailType: v.string(),
  Detail: v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown())),
});

export interface BusEvent {
  readonly id: string;
  readonly source: string;
  readonly 'detail-type': string;
  readonly account: string;
  readonly time: string;
  readonly region: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

export const busEventOf = ({ Source, DetailType, Detail }: v.InferOutput<typeof putEventsEntry>): BusEvent => ({
  id: randomUUID(),
  source: Source,
  'detail-type': DetailType,
  account: accountId,
  time: new Date().toISOString().replace(/\.\d+Z/, 'Z'),
  region,
  detail: Detail,
});

/** Returns what the rule puts into the queue: the whole event. @throws Error if its pattern does not match the event */
export const sentByRule = ({ EventPattern }: BusRule, event: BusEvent): string => {
  if (!EventPattern.account.some((one) => typeof one === 'object' || one === event.account))
    throw new Error(`The rule is not for ${event.account}.`);
  return JSON.stringify(event);
};
