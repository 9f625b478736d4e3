/** Choosing the cohort of a new webhook: with those that were created for the same event just before it. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type CohortId, idTime, neighbourhoodOf, type WebhookId } from '../../shared/foundation/ids.ts';
import { subscriberKey } from '../../shared/webhooks/table-keys.ts';
import { awsInMemory } from '../support/aws-in-memory.ts';
import { now, second } from '../support/deliver-in-memory.ts';
import { stopTime } from '../support/test-time.ts';

const aws = awsInMemory();
Object.assign(process.env, aws.environment);
stopTime(now);

/** The module as another environment has it. */
const environment = async () => {
  vi.resetModules();
  return (await import('../../shared/webhooks/cohorts.ts')).chooseCohort;
};
let chooseCohort: Awaited<ReturnType<typeof environment>>;
beforeEach(async () => {
  chooseCohort = await environment();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const event = 'post.published';
const cohortOf = (letter: string) => letter.repeat(24) as CohortId;
/** Subscribes a webhook, newer than those before it. */
let subscribed = 0;
const subscribe = (cohort: CohortId | undefined, name = event) => {
  const webhook_id = `${idTime(now - 1000 + subscribed++)}${'0'.repeat(12)}` as WebhookId;
  aws.put(subscriberKey(name, webhook_id), { webhook_id, ...(cohort !== undefined && { cohort }) });
};
const queries = () => aws.requests('QueryCommand').length;

describe('a new webhook', () => {
  it('of an event without others begins a cohort, which ten have together', async () => {
    const chosen = [];
    for (let made = 0; made < 21; made++) chosen.push(await chooseCohort(event));
    expect(new Set(chosen.slice(0, 10)).size).toBe(1);
    expect(new Set(chosen.slice(10, 20)).size).toBe(1);
    expect(new Set(chosen).size).toBe(3);
    expect(queries()).toBe(1);
  });

  it('joins the cohort of the newest subscriber until it has ten members, in any environment', async () => {
    for (let made = 0; made < 8; made++) subscribe(cohortOf('a'));
    expect(await chooseCohort(event)).toBe(cohortOf('a'));
    subscribe(cohortOf('a'));
    chooseCohort = await environment();
    expect(await chooseCohort(event)).toBe(cohortOf('a'));
    subscribe(cohortOf('a'));
    chooseCohort = await environment();
    expect(await chooseCohort(event)).not.toBe(cohortOf('a'));
  });

  it('is a neighbour of those of the four cohorts before it', async () => {
    const neighbourhoods: string[] = [];
    for (let made = 0; made < 101; made++) neighbourhoods.push(neighbourhoodOf(await chooseCohort(event)));
    expect(new Set(neighbourhoods.slice(0, 50)).size).toBe(1);
    expect(new Set(neighbourhoods.slice(50, 100)).size).toBe(1);
    expect(new Set(neighbourhoods).size).toBe(3);
  });

  it('is a neighbour of up to forty-nine subscribers, in any environment', async () => {
    const cohortAt = (made: number) => `${idTime(now - 2000)}${'a'.repeat(8)}000${Math.floor(made / 10)}` as CohortId;
    for (let made = 0; made < 40; made++) subscribe(cohortAt(made));
    const fifth = await chooseCohort(event);
    expect([neighbourhoodOf(fifth), fifth === cohortAt(39)]).toEqual(['a'.repeat(8), false]);
    for (let made = 40; made < 50; made++) subscribe(cohortAt(made));
    chooseCohort = await environment();
    expect(neighbourhoodOf(await chooseCohort(event))).not.toBe('a'.repeat(8));
  });

  it('is a neighbour of the newest subscribers, whose number those of another neighbourhood do not change', async () => {
    for (let made = 0; made < 40; made++) subscribe(cohortOf('b'));
    for (let made = 0; made < 10; made++) subscribe(cohortOf('a'));
    const chosen = await chooseCohort(event);
    expect([neighbourhoodOf(chosen), chosen === cohortOf('a')]).toEqual(['a'.repeat(8), false]);
  });

  it('counts the members among the newest subscribers, and not those of other cohorts', async () => {
    for (let made = 0; made < 9; made++) subscribe(cohortOf('a'));
    subscribe(cohortOf('b'));
    expect(await chooseCohort(event)).toBe(cohortOf('b'));
  });

  it('joins no cohort to which this environment has added ten, also if they got another event meanwhile', async () => {
    const kept = await chooseCohort(event);
    subscribe(kept);
    for (let made = 1; made < 10; made++) {
      vi.setSystemTime(now + made * 10 * second);
      expect(await chooseCohort(event)).toBe(kept);
    }
    vi.setSystemTime(now + 100 * second);
    expect(await chooseCohort(event)).not.toBe(kept);
    expect(queries()).toBe(11);
  });

  it('begins a cohort after webhooks without one', async () => {
    subscribe(cohortOf('a'));
    subscribe(undefined);
    expect(await chooseCohort(event)).not.toBe(cohortOf('a'));
  });

  it('has another cohort than webhooks of other events', async () => {
    subscribe(cohortOf('a'), 'page.published');
    expect(await chooseCohort('page.published')).toBe(cohortOf('a'));
    expect(await chooseCohort(event)).not.toBe(cohortOf('a'));
  });

  it('reads what other environments have created after ten seconds', async () => {
    const first = await chooseCohort(event);
    for (let made = 1; made < 9; made++) await chooseCohort(event);
    for (let made = 0; made < 10; made++) subscribe(cohortOf('a'));
    subscribe(cohortOf('b'));
    vi.setSystemTime(now + 10 * second - 1);
    expect(await chooseCohort(event)).toBe(first);
    vi.setSystemTime(now + 10 * second);
    expect(await chooseCohort(event)).toBe(cohortOf('b'));
    expect(queries()).toBe(2);
  });
});
