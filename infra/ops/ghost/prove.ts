/** Proves, with a harmless, announced change at Ghost, that the site's events arrive through the relay. */
import { ApiError } from '../../command-line/client.ts';
import { causeAtGhost } from './causes.ts';
import { type Facts, type Import, inboundSecretOf, readFacts, relayName, relayTarget } from './facts.ts';

/** An internal tag, which no page of a site shows. Ghost also sends `site.changed` for each change of a tag. */
const testTag = '#masthead-relay-test';
const testEvent = 'tag.added';
const eventsOfTest = ['tag.added', 'tag.deleted', 'site.changed'];

/** Ghost delivers one webhook after the other and waits up to two seconds for each. */
const testSeconds = 20;
/** How long to wait for a real event of the site if the test would reach receivers. */
const realSeconds = 10 * 60;
const everyMsOfTest = 250;
const everyMsOfReal = 2000;

/** The relay does not carry the events of the site; nothing was removed. */
export class NotProven extends Error {
  override readonly name = 'NotProven';
  readonly reason: string;

  constructor(reason: string) {
    super(`The relay does not work, so nothing was removed at Ghost. ${reason}`);
    this.reason = reason;
  }
}

const subscribed = ({ integrations, relays }: Facts): string[] => {
  const known = [...integrations.flatMap(({ webhooks }) => webhooks), ...relays].map(({ event }) => event);
  return eventsOfTest.filter((event) => known.includes(event));
};

/** Returns whether no webhook at Ghost gets an event of the test. */
export const isHarmless = (facts: Facts): boolean => subscribed(facts).length === 0;

/** Returns what the proof does, for the dry run and as an announcement. */
export const proofText = (facts: Facts): string =>
  isHarmless(facts)
    ? `at Ghost  test     the internal tag ${testTag} is made and deleted; its event must arrive through the relay`
    : 'at Ghost  test     an event of the site must arrive through the relay: ' +
      `the test with a tag would reach webhooks of ${subscribed(facts).join(', ')}`;

/** Waits until an event has arrived, and records when. @throws NotProven with the reason */
export const prove = async (work: Import): Promise<void> => {
  const facts = await readFacts(work);
  try {
    await work.record.save({ proven_at: await provenAt(work, facts), failures: [] });
  } catch (error) {
    if (!(error instanceof NotProven)) throw error;
    const failure = { event: testEvent, at: new Date().toISOString(), error: error.reason.slice(0, 500) };
    await work.record.save({ failures: [...work.record.now.failures, failure] });
    throw error;
  }
};

const provenAt = async (work: Import, facts: Facts): Promise<string> => {
  work.print(proofText(facts));
  if (isHarmless(facts)) return proveWithTag(work, facts, true);
  const receivers = subscribed(facts).join(', ');
  const question = `Make and delete the internal tag ${testTag} now? Webhooks of ${receivers} get its events.`;
  if (await work.ask(question))
    return proveWithTag(work, facts, !facts.relays.some(({ event }) => event === testEvent));
  work.print(
    `          Waiting for up to ${realSeconds / 60} minutes. ` +
      'Change something at Ghost, or press Ctrl-C and run this again: nothing was removed.',
  );
  const before = await lastEventAt(work, facts);
  return arrival(work, before, realSeconds, everyMsOfReal);
};

const proveWithTag = async (work: Import, facts: Facts, needsWebhook: boolean): Promise<string> => {
  const { site, record } = work;
  const before = await lastEventAt(work, facts);
  try {
    // Remove one that an earlier test has left behind.
    await site.deleteTags(testTag);
    if (needsWebhook && facts.receiver !== undefined && facts.relay !== undefined)
      await site
        .createWebhook({
          event: testEvent,
          target_url: relayTarget(record.now, facts.receiver, testEvent),
          name: `${relayName} relay test`,
          secret: inboundSecretOf(facts, work) ?? null,
          integration_id: facts.relay.id,
        })
        .catch(unlessPresent);
    await site.createTag(testTag);
    return await arrival(work, before, testSeconds, everyMsOfTest);
  } finally {
    await site.deleteTags(testTag);
    if (needsWebhook)
      for (const webhook of (await readFacts(work)).relays)
        if (webhook.event === testEvent) await site.deleteWebhook(webhook.id);
  }
};

const unlessPresent = (error: unknown): void => {
  if (!(error instanceof ApiError) || error.status !== 422) throw error;
};

const lastEventAt = async ({ stage }: Import, { receiver }: Facts): Promise<string | null> =>
  (await stage.readRelays()).find(({ integration_id }) => integration_id === receiver?.id)?.last_event_at ?? null;

/** Waits until the stage has accepted another event of the site. @throws NotProven with what Ghost has recorded */
const arrival = async (work: Import, before: string | null, seconds: number, everyMs: number): Promise<string> => {
  const began = new Date().toISOString();
  for (let waited = 0; waited < seconds * 1000; waited += everyMs) {
    const facts = await readFacts(work);
    const last = await lastEventAt(work, facts);
    if (last !== null && last !== before) {
      work.print('          It arrived.');
      return last;
    }
    const failed = facts.relays.find(
      (one) => (one.last_triggered_at ?? '') >= began.slice(0, 19) && causeAtGhost(one) !== undefined,
    );
    if (failed !== undefined) throw new NotProven(causeAtGhost(failed) ?? '');
    await work.wait(everyMs);
  }
  const noted = (await readFacts(work)).relays.flatMap((one) => causeAtGhost(one) ?? []);
  throw new NotProven(noted[0] ?? `No event arrived within ${seconds} seconds, and Ghost noted no error.`);
};
