/** Each event's payload, its resource and parts: the OpenAPI document and `docs/events.d.ts` are made from them. */
import type * as v from 'valibot';
import { deliveryResource } from '../../shared/deliveries/resource.ts';
import { eventExamples } from '../../shared/events/examples.ts';
import * as schemas from './payload-schemas.ts';

export interface PayloadResource {
  readonly name: string;
  readonly schema: v.GenericSchema & { readonly entries: v.ObjectEntries };
  /** The fields that a part always has if it contains the whole resource. */
  readonly required: readonly string[];
}

const ofGhost = (name: string, schema: PayloadResource['schema']): PayloadResource => ({
  name,
  schema,
  required: ['id'],
});

const own = (name: string, schema: PayloadResource['schema']): PayloadResource => ({
  name,
  schema,
  required: Object.keys(schema.entries),
});

export const payloadResources: readonly PayloadResource[] = [
  ofGhost('Tag', schemas.tag),
  ofGhost('Author', schemas.author),
  ofGhost('Tier', schemas.tier),
  ofGhost('Label', schemas.label),
  ofGhost('Newsletter', schemas.newsletter),
  ofGhost('Post', schemas.post),
  ofGhost('Page', schemas.page),
  ofGhost('Member', schemas.member),
  own('PingedWebhook', schemas.pingedWebhook),
  own('ReportedWebhook', schemas.reportedWebhook),
  own('StaffMember', schemas.staffMember),
  own('SilentRelay', schemas.silentRelay),
];

const delivery = own('Delivery', deliveryResource);

/** What a part contains: the whole resource, previous values of changed fields, or nothing. */
export type Part = 'whole' | 'changes' | 'empty';

export interface EventPayload {
  readonly event: string;
  readonly description: string;
  readonly parts:
    | { readonly key: string; readonly resource: PayloadResource; readonly current: Part; readonly previous: Part }
    | undefined;
}

const resourceOf = (event: string, key: string): PayloadResource => {
  const names: Readonly<Record<string, string>> = {
    webhook: 'ReportedWebhook',
    staff: 'StaffMember',
    relay: 'SilentRelay',
    post: 'Post',
    page: 'Page',
    tag: 'Tag',
    member: 'Member',
  };
  const wanted = event === 'webhook.ping' ? 'PingedWebhook' : names[key];
  return payloadResources.find(({ name }) => name === wanted) ?? delivery;
};

const partsOf = (event: string): EventPayload['parts'] => {
  const [key] = Object.keys(eventExamples[event]?.payload ?? {});
  if (key === undefined) return undefined;
  const resource = resourceOf(event, key);
  if (/\.(deleted|removed)$/.test(event)) return { key, resource, current: 'empty', previous: 'whole' };
  const isChange = /\.(edited|published|unpublished|scheduled|unscheduled|rescheduled|attached|detached|changed)$/;
  return { key, resource, current: 'whole', previous: isChange.test(event) ? 'changes' : 'empty' };
};

export const eventPayloads: readonly EventPayload[] = Object.entries(eventExamples).map(([event, { description }]) => ({
  event,
  description,
  parts: partsOf(event),
}));
