/** Both ways to publish in docs/events.md, EventBridge bus and endpoint, from the publisher to the receiver. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { parseEventMessage } from '../../shared/events/bus-event.ts';
import { eventMessage } from '../../shared/events/event.ts';
import { ghostEvents } from '../../shared/foundation/event-names.ts';
import { deliveryTools } from '../support/deliveries.ts';
import { freshStack } from '../support/parts.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';
import { type BusEvent, busEventOf, busRule, putEventsEntry, sentByRule } from './bus-rule.ts';
import { accountId, arn } from './resolved.ts';
import { allows, statement as busStatement, policyDocument } from './resource-policy.ts';
import { everything, ofTable } from './stages.ts';
import { synthesized } from './synthesized.ts';

const templates = synthesized();
const doc = readFileSync(join(import.meta.dirname, '../../docs/events.md'), 'utf8');

const event: BusEvent = {
  id: '6a7e8feb-b491-4cf7-a9f1-bf3703467718',
  source: 'shop',
  'detail-type': 'post.published',
  account: '111111111111',
  time: '2026-11-21T08:00:00Z',
  region: 'eu-central-1',
  detail: { post: { current: { title: 'A "quoted" title' }, previous: {} } },
};

describe.each([...ofTable, everything])('the rule of the stage $name', ({ name: stage }) => {
  it('targets the events queue, whose dead-letter queue gets the events that EventBridge cannot deliver', () => {
    const [target] = busRule(templates, stage).Targets;
    expect(target.Arn).toBe(arn('sqs', `masthead-${stage}-events`));
    expect(target.DeadLetterConfig.Arn).toBe(arn('sqs', `masthead-${stage}-events-dead`));
  });

  it('is the only rule that may send to the queue', () => {
    const own = `${busRule(templates, stage).id}.Arn`;
    const queue = arn('sqs', `masthead-${stage}-events`);
    const policies = templates
      .of(stage, 'SQS::QueuePolicy', v.looseObject({ PolicyDocument: policyDocument }))
      .map(({ properties }) => properties.PolicyDocument);
    const maySend = (rule: string) =>
      policies.some((policy) =>
        allows(policy, {
          service: 'events.amazonaws.com',
          action: 'sqs:SendMessage',
          resource: queue,
          context: { 'aws:SecureTransport': 'true', 'aws:SourceAccount': accountId, 'aws:SourceArn': rule },
        }),
      );
    expect(maySend(own)).toBe(true);
    expect(maySend(arn('events', 'rule/default/of-somebody-else'))).toBe(false);
  });

  it('sends each event of the bus unchanged, and the worker can read it', () => {
    expect(v.parse(eventMessage, parseEventMessage(sentByRule(busRule(templates, stage), event)))).toEqual({
      kind: 'event',
      id: '6a7e8feb-b491-4cf7-a9f1-bf3703467718',
      publisher: 'eventbridge:111111111111:shop',
      event: 'post.published',
      accepted_at: '2026-11-21T08:00:00Z',
      payload: event.detail,
    });
  });

  it('lets no event choose its publisher, its id or its time', () => {
    const text = 'shop","id":"chosen","publisher":"integration","accepted_at":"2020-01-01T00:00:00Z","x":"';
    const sent = sentByRule(busRule(templates, stage), { ...event, source: text });
    expect(v.parse(eventMessage, parseEventMessage(sent))).toEqual({
      kind: 'event',
      id: event.id,
      publisher: `eventbridge:111111111111:${text}`,
      event: 'post.published',
      accepted_at: event.time,
      payload: event.detail,
    });
  });

  it('lets the accounts and the organization of the setting `bus` put events on it, and nobody else', () => {
    const own = { service: '', action: 'events:PutEvents', resource: arn('events', `event-bus/masthead-${stage}`) };
    const policies = templates.of(stage, 'Events::EventBusPolicy', v.looseObject({ Statement: busStatement }));
    const may = (account: string, organization: string) =>
      policies.some(({ properties: { Statement } }) =>
        allows({ Statement: [Statement] }, { ...own, account, context: { 'aws:PrincipalOrgID': organization } }),
      );
    const isOpen = stage === 'everything';
    expect(may('222222222222', 'o-another0000')).toBe(isOpen);
    expect(may('333333333333', 'o-everything0')).toBe(isOpen);
    expect(may('333333333333', 'o-another0000')).toBe(false);
    expect(JSON.stringify(busRule(templates, stage).EventPattern)).toBe(
      JSON.stringify({ account: isOpen ? [{ exists: true }] : [accountId] }),
    );
  });

  it('gives two accounts with the same source publishers of their own', () => {
    const publishers = ['111111111111', '222222222222'].map(
      (account) =>
        v.parse(v.object({ publisher: v.string() }), parseEventMessage(JSON.stringify({ ...event, account })))
          .publisher,
    );
    expect(new Set(publishers).size).toBe(2);
  });

  it('listens to the bus that the documented example names', () => {
    const [bus] = templates.of(stage, 'Events::EventBus', v.looseObject({ Name: v.string() }));
    expect(exampleEntries(stage).map(({ EventBusName }) => EventBusName)).toEqual([bus?.properties.Name]);
  });
});

const exampleEntries = (stage: string) => {
  const [, entries = ''] = /aws events put-events --entries '([^']+)'/.exec(doc) ?? [];
  return v.parse(v.array(putEventsEntry), JSON.parse(entries.replaceAll('<stage>', stage)));
};

const stack = await freshStack();
const keys = await stack.seed();
const tools = deliveryTools(stack, keys);
const receiver = await receiveWebhooks();
afterAll(() => receiver.close());

describe('an example in the documentation', () => {
  const [, body = ''] = /^Every webhook of `post\.published` gets this body.*\n`([^`]+)`/m.exec(doc) ?? [];
  let path: string;
  const arrived = () => receiver.deliveries.filter((delivery) => delivery.path === path);
  const deliverAll = async () => {
    await stack.drain('events');
    await stack.drain('deliveries');
    await stack.drain('slow-deliveries');
  };

  beforeEach(async ({ task }) => {
    path = `/${task.id}`;
    await tools.webhook(`${receiver.origin}${path}`);
  });

  it('for `put-events` delivers the documented body once, even if EventBridge sends the event twice', async () => {
    const [entry, ...others] = exampleEntries('prod');
    if (entry === undefined || others.length > 0) throw new Error('The example has one entry.');
    const message = JSON.parse(sentByRule(busRule(templates, 'prod'), busEventOf(entry)));
    await stack.send('events', message);
    await stack.send('events', message);
    await deliverAll();
    expect(arrived().map((delivery) => delivery.body)).toEqual([body]);
  });

  it('for `POST /admin/events/` delivers the documented body', async () => {
    const [, json = ''] = /curl \$URL\/admin\/events\/.*? -d '([^']+)'/.exec(doc) ?? [];
    const request = { path: '/admin/events/', key: keys.integration, body: JSON.parse(json) };
    expect(await stack.call('events/publish', request)).toMatchObject({ status: 202 });
    expect(await stack.call('events/publish', request)).toMatchObject({ status: 202 });
    await deliverAll();
    expect(arrived().map((delivery) => delivery.body)).toEqual([body]);
  });
});

it('the documentation lists exactly the events that can be published', () => {
  const [, names = ''] = /## Names\s+```\n([^`]+)```/.exec(doc) ?? [];
  expect(names.trim().split(/\s+/).sort()).toEqual([...ghostEvents].sort());
});
