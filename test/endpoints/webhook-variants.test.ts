/** URLs that differ by query or fragment reach one address: an integration can have few such webhooks for an event. */
import { describe, expect, it } from 'vitest';
import { expectRefusal } from '../support/envelope.ts';
import { freshStack } from '../support/parts.ts';
import { newUrl, webhookCalls } from '../support/webhooks.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { create, update, remove, existing } = webhookCalls(stack);

const event = 'post.added';
const variantsOf = async (url: string, count: number) => {
  const made = [];
  // One after the other: requests at the same time may exceed the maximum.
  for (let index = 0; index < count; index++)
    made.push(
      await existing(keys.integration, { event, target_url: `${url}${index % 2 === 0 ? '#' : '?v='}${index}` }),
    );
  return made;
};
const refusal = { status: 422, type: 'ValidationError', property: 'target_url' } as const;

describe('of the webhooks of an integration for one event', () => {
  it('at most twenty have URLs that differ by query or fragment only, and one that is deleted makes room', async () => {
    const url = newUrl();
    const [first] = await variantsOf(url, 20);
    const one = { event, target_url: `${url.toUpperCase().replace('HTTP', 'http')}?one=more` };
    const refused = await create(one, keys.integration);
    expectRefusal(refused, refusal);
    expect(refused.body.errors[0].details).toMatchObject([{ rule: 'variants', limit: 20 }]);
    await remove(first?.id ?? '', keys.integration);
    expect((await create(one, keys.integration)).status).toBe(201);
    expectRefusal(await create({ event, target_url: `${url}#again` }, keys.integration), refusal);
  });

  it('none of the twenty is refused when it changes its own query', async () => {
    const url = newUrl();
    const [first] = await variantsOf(url, 20);
    expect((await update(first?.id ?? '', { target_url: `${url}?changed` }, keys.integration)).status).toBe(200);
  });

  it('a PUT does not move another one there, nor give one there the event', async () => {
    const url = newUrl();
    await variantsOf(url, 20);
    const elsewhere = await existing(keys.integration, { event });
    expectRefusal(await update(elsewhere.id, { target_url: `${url}?21` }, keys.integration), refusal);
    const there = await existing(keys.integration, { event: 'page.added', target_url: `${url}?21` });
    expectRefusal(await update(there.id, { event: `page.added,${event}` }, keys.integration), refusal);
  });

  it('other paths, events and integrations do not count, and an existing webhook is still a duplicate', async () => {
    const url = newUrl();
    const [first] = await variantsOf(url, 20);
    for (const [fields, key] of [
      [{ event, target_url: `${url}/more` }, keys.integration],
      [{ event: 'tag.added', target_url: `${url}?more` }, keys.integration],
      [{ event, target_url: `${url}?more` }, keys.otherIntegration],
    ] as const)
      expect((await create(fields, key)).status).toBe(201);
    const again = await create({ event, target_url: `${url}#0` }, keys.integration);
    expect(again.body.errors[0].details).toMatchObject([{ rule: 'unique', limit: first?.id }]);
  });
});
