/** Attacks with more than one request or a body of their own: each returns its answers and the expected ones. */
import { createHmac } from 'node:crypto';
import type { FunctionName } from '../../shared/contract.ts';
import { endpointLine } from '../support/openapi.ts';
import type { Attack } from './attack.ts';
import { attacksOnPeople } from './people.ts';
import { type AttackAnswer, type AttackRequest, requestFor } from './request.ts';
import type { World } from './world.ts';

const send = (
  world: World,
  name: FunctionName,
  path: string,
  body: string,
  headers: AttackRequest['headers'] = {},
): Promise<AttackAnswer> =>
  world.place.send({
    line: endpointLine(name),
    path,
    body,
    headers: { 'Content-Type': 'application/json', ...headers },
  });

const newSite = async (world: World) => {
  const { id } = await world.newIntegration();
  const line = endpointLine('integrations/replace-inbound-secret');
  const made = await world.place.send(requestFor(line, { id }, world.ownersCredentials()));
  const { secret } = made.body.secrets[0] as { readonly secret: string };
  const post = (body: string, sign: Sign, { key = secret, event = 'post.edited', at = Date.now() } = {}) => {
    const hash = createHmac('sha256', key).update(sign(body, at)).digest('hex');
    const headers = { 'X-Ghost-Signature': `sha256=${hash}, t=${at}` };
    return send(world, 'inbound/ghost', `/inbound/ghost/${id}/${event}/`, body, headers);
  };
  const deliver = async (body: string, sign: Sign, key = secret): Promise<number> =>
    (await post(body, sign, { key })).status;
  return { deliver, post };
};

type Sign = (body: string, at: number) => string;

const withTime = (body: string, at: number): string => `${body}${at}`;
const withoutTime = (body: string): string => body;
const edited = (title: string): string =>
  JSON.stringify({ post: { current: { title, status: 'draft' }, previous: { title: 'Untitled' } } });

export const attackClasses: Readonly<Record<string, Attack>> = {
  // A body that is not JSON shows whether it was parsed: that would be 400.
  'a body without a valid key is parsed': async (world) => {
    const { deliver } = await newSite(world);
    const answered = [
      (await send(world, 'events/publish', '/admin/events/', '{')).status,
      (await send(world, 'webhooks/create', '/admin/webhooks/', '{')).status,
      await deliver('{', withTime, 'guessed'),
    ];
    return { answered, expected: [403, 403, 401] };
  },
  'a Ghost site that signed the time signs the body alone': async (world) => {
    const { deliver } = await newSite(world);
    const answered = [await deliver(edited('one'), withTime), await deliver(edited('two'), withoutTime)];
    return { answered, expected: [202, 401] };
  },
  'a stolen body is published again, and as another event': async (world) => {
    const { post } = await newSite(world);
    const body = edited('stolen');
    const first = await post(body, withoutTime, { at: Date.now() - 60_000 });
    const again = await post(body, withoutTime);
    const other = await post(body, withoutTime, { event: 'post.published' });
    const isOneEvent = again.body.events[0].id === first.body.events[0].id;
    return { answered: [first.status, again.status, Number(isOneEvent), other.status], expected: [202, 202, 1, 422] };
  },
  'an integration subscribes to events about staff': async (world) => {
    const { credentials } = await world.newIntegration();
    const webhooks = [{ event: 'staff.added', target_url: `${world.place.receiver}/staff` }];
    const body = JSON.stringify({ webhooks });
    return {
      answered: [(await send(world, 'webhooks/create', '/admin/webhooks/', body, credentials())).status],
      expected: [403],
    };
  },
  ...attacksOnPeople,
  // Last: its source is refused for ten seconds afterwards, where it has no valid signature.
  'bad signatures block a validly signed delivery': async (world) => {
    const { deliver } = await newSite(world);
    for (let sent = 0; sent < 60; sent += 1) await deliver(edited('bad'), withTime, 'guessed');
    return { answered: [await deliver(edited('good'), withTime)], expected: [202] };
  },
};
