/** The group of a new webhook: it joins webhooks that were created for the same event just before it. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { groupOf, idTime, type WebhookGroup, type WebhookId } from '../../shared/foundation/ids.ts';
import { subscriberKey } from '../../shared/webhooks/table-keys.ts';
import { awsInMemory } from '../support/aws-in-memory.ts';
import { now, second } from '../support/deliver-in-memory.ts';
import { failingWebhook } from '../support/notice.ts';
import { settingsText } from '../support/settings-text.ts';
import { stopTime } from '../support/test-time.ts';

const aws = awsInMemory();
const settings = {
  stage: 'test',
  publication: { name: 'Test', url: 'http://localhost' },
  mail: { from: 'desk@example.com' },
};
Object.assign(process.env, { ...aws.environment, SETTINGS: settingsText(settings) });
stopTime(now);

/** The module in another function. */
const environment = async () => {
  vi.resetModules();
  return (await import('../../shared/webhooks/groups.ts')).chooseGroup;
};
let chooseGroup: Awaited<ReturnType<typeof environment>>;
beforeEach(async () => {
  chooseGroup = await environment();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const event = 'post.published';
const named = (letter: string) => letter.repeat(10) as WebhookGroup;
/** Subscribes a webhook that is newer than all before it. */
let subscribed = 0;
const subscribe = (group: WebhookGroup, name = event) => {
  const webhook_id = `${idTime(now - 1000 + subscribed++)}${group}00` as WebhookId;
  aws.put(subscriberKey(name, webhook_id), { webhook_id });
};
const queries = () => aws.requests('QueryCommand').length;

describe('a new webhook', () => {
  it('begins a group if its event has no others; ten webhooks share a group', async () => {
    const chosen = [];
    for (let made = 0; made < 21; made++) chosen.push(await chooseGroup(event));
    expect(new Set(chosen.slice(0, 10)).size).toBe(1);
    expect(new Set(chosen.slice(10, 20)).size).toBe(1);
    expect(new Set(chosen).size).toBe(3);
    expect(queries()).toBe(1);
  });

  it('joins the group of the newest subscriber until that has ten members, in any function', async () => {
    for (let made = 0; made < 8; made++) subscribe(named('a'));
    expect(await chooseGroup(event)).toBe(named('a'));
    subscribe(named('a'));
    chooseGroup = await environment();
    expect(await chooseGroup(event)).toBe(named('a'));
    subscribe(named('a'));
    chooseGroup = await environment();
    expect(await chooseGroup(event)).not.toBe(named('a'));
  });

  it("ignores an earlier group that still has room: only the newest subscriber's group counts", async () => {
    for (let made = 0; made < 9; made++) subscribe(named('a'));
    subscribe(named('b'));
    expect(await chooseGroup(event)).toBe(named('b'));
  });

  it('joins no group to which this function has added ten, even if their events have changed', async () => {
    const kept = await chooseGroup(event);
    subscribe(kept);
    for (let made = 1; made < 10; made++) {
      vi.setSystemTime(now + made * 10 * second);
      expect(await chooseGroup(event)).toBe(kept);
    }
    vi.setSystemTime(now + 100 * second);
    expect(await chooseGroup(event)).not.toBe(kept);
    expect(queries()).toBe(11);
  });

  it('has another group than the webhooks of another event', async () => {
    subscribe(named('a'), 'page.published');
    expect(await chooseGroup('page.published')).toBe(named('a'));
    expect(await chooseGroup(event)).not.toBe(named('a'));
  });

  it('sees the webhooks that other functions have created after ten seconds', async () => {
    const first = await chooseGroup(event);
    for (let made = 1; made < 9; made++) await chooseGroup(event);
    for (let made = 0; made < 10; made++) subscribe(named('a'));
    subscribe(named('b'));
    vi.setSystemTime(now + 10 * second - 1);
    expect(await chooseGroup(event)).toBe(first);
    vi.setSystemTime(now + 10 * second);
    expect(await chooseGroup(event)).toBe(named('b'));
    expect(queries()).toBe(2);
  });
});

describe('a group', () => {
  const webhook = failingWebhook();
  /** The store in another function. */
  const anotherStore = async () => {
    vi.resetModules();
    return (await import('../../shared/webhooks/store.ts')).webhookStore;
  };
  let made = 0;
  type Store = Awaited<ReturnType<typeof anotherStore>>;
  /** Creates webhooks one after another, and returns their groups. */
  const create = async (store: Store, count: number): Promise<string[]> => {
    const groups: string[] = [];
    for (let number = 0; number < count; number++) {
      const target_url = `https://hooks.example/${made++}`;
      const created = await store.create(event, (id) => ({ ...webhook, id, event, target_url }));
      groups.push('id' in (created as object) ? groupOf((created as typeof webhook).id) : String(created));
    }
    return groups;
  };

  it('has at most ten members, even if many functions create webhooks at the same time', async () => {
    aws.put({ pk: `INTEGRATION#${webhook.integration_id}`, sk: 'INTEGRATION' }, { id: webhook.integration_id });
    const first = await create(await anotherStore(), 9);
    expect(new Set(first).size).toBe(1);
    const stores: Store[] = [];
    for (let number = 0; number < 8; number++) stores.push(await anotherStore());
    const others = await Promise.all(stores.map((store) => create(store, 3)));
    const members = new Map<string, number>();
    for (const group of [...first, ...others.flat()]) members.set(group, (members.get(group) ?? 0) + 1);
    expect([...members.values()].reduce((sum, count) => sum + count, 0)).toBe(9 + 24);
    expect(members.get(first[0] ?? '')).toBe(10);
    expect(Math.max(...members.values())).toBe(10);
  });
});
