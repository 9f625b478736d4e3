/** Reports on each receiver that was ever taken over: who sends to it now, when, what failed, and what to do. */
import { day, minute } from '../../../shared/foundation/clock.ts';
import { importCommand } from '../../../shared/integrations/relay/import-command.ts';
import { visible } from '../../command-line/print.ts';
import { timeText } from '../output/times.ts';
import { causeAtGhost, causeOf, isTimeout, notedAtGhost, refusedHere } from './causes.ts';
import { eventsOf, type Facts, type Import, type Receiver, relayName } from './facts.ts';
import { isRelayed, isRight } from './plan.ts';
import type { Relay } from './stage.ts';
import { shown } from './steps.ts';

/** What is found: `✓` events arrive, `!` something to know, `✗` a receiver gets nothing, something wrong or doubles. */
interface Finding {
  readonly mark: '✓' | '!' | '✗' | ' ';
  readonly text: string;
}

const maxFailures = 50;
/** The stage counts the events of this many days. */
const countedDays = 28;

/** Returns the command line that continues the move. */
export const commandFor = (
  { record, stage }: Pick<Import, 'record' | 'stage'>,
  act: Parameters<typeof importCommand>[2],
  url = stage.baseUrl,
): string => importCommand(record.now.from, url, act);

/** Returns what is known of the relays, and records the failures that Ghost shows now, because it forgets them. */
export const examineRelays = async (work: Import, facts: Facts): Promise<readonly Finding[]> => {
  const { stage, record } = work;
  const failures = failuresOf(facts);
  const relay = (await stage.readRelays()).find(({ integration_id }) => integration_id === facts.receiver?.id);
  if (facts.record.revision > 0 && JSON.stringify(failures) !== JSON.stringify(facts.record.failures))
    await record.save({ ...facts.unrecorded, failures });
  return ofRelays(facts, relay, failures, commandFor(work, '--apply'));
};

/** Prints what is known of the relays and of each receiver. Returns whether all is well. */
export const report = async (work: Import, facts: Facts): Promise<boolean> => {
  const findings = [
    ...(await examineRelays(work, facts)),
    ...(await notSent(work, facts)),
    ...facts.receivers
      .filter(({ original }) => original !== undefined)
      .map((one) => judge(one, facts, (act) => commandFor(work, act))),
  ];
  for (const { mark, text } of findings) work.print(`${mark} ${text}`);
  return findings.every(({ mark }) => mark !== '✗');
};

type Failure = Facts['record']['failures'][number];

/** Whether a time is later than the last proof. Ghost may store whole seconds, so the second of the proof counts. */
const isSince = (at: string, proven: string | null): boolean => {
  const since = proven ?? '';
  return at.endsWith('.000Z') ? at.slice(0, 19) >= since.slice(0, 19) : at > since;
};

/** Returns what Ghost could not send since the last proof: what it notes now, and what it noted at an earlier check. */
const failuresOf = ({ relays, record }: Facts): Failure[] => {
  const noted = relays.flatMap((one): Failure[] => {
    const error = notedAtGhost(one);
    return error === undefined
      ? []
      : [{ event: one.event, at: one.last_triggered_at ?? '', error: error.slice(0, 500) }];
  });
  const known = record.failures.filter((one) => !noted.some(({ event, at }) => event === one.event && at === one.at));
  return [...known, ...noted].filter(({ at }) => isSince(at, record.proven_at)).slice(-maxFailures);
};

/** What is wrong with the relays, whoever gets their events. */
const ofRelays = (facts: Facts, relay: Relay | undefined, failures: readonly Failure[], repair: string): Finding[] => {
  const { record, relays, otherRelays } = facts;
  if (facts.receiver === undefined) return [];
  const isWorking = failures.length === 0 && relays.every((one) => isRight(one, facts));
  const silent = relay?.last_event_at === null && record.proven_at !== null && isOld(record.proven_at);
  const since = relay?.silent_since ?? (silent ? record.proven_at : null);
  const isDepending = record.originals.some(({ removed }) => removed);
  const lost = record.relay_id !== null && facts.relay === undefined && record.relays.length > 0;
  const last =
    `The last event arrived at ${timeText(relay?.last_event_at ?? null)}, and ${relay?.events_per_day ?? 0} arrive ` +
    'a day.';
  return [
    { mark: ' ', text: last },
    ...otherRelays.map((one): Finding => {
      const text =
        `Ghost also sends ${one.event} to ${visible(one.target_url)}, so receivers may get it twice. ` +
        'Delete that webhook at Ghost.';
      return { mark: '✗', text };
    }),
    ...(lost ? [fault(`The integration ${relayName} was deleted at Ghost. → ${repair}`)] : []),
    ...(record.proven_at === null && relays.length > 0
      ? [
          {
            mark: isDepending || failures.length > 0 ? '✗' : '!',
            text: `No event has arrived through the relay yet. → ${repair}`,
          } as const,
        ]
      : []),
    ...(relay === undefined ? [] : refusedHere(relay, record.proven_at)).map(({ reason, text }): Finding => {
      const isStranger = reason.startsWith('signature_') && isWorking;
      return isStranger
        ? { mark: '!', text: `${text}. The relays have the right secret, so these were probably not from Ghost.` }
        : fault(`${text}. Their events are lost. When the cause is mended, this tests the relays again → ${repair}`);
    }),
    ...(since === null ? [] : [fault(`No event since ${timeText(since)}. This tests the relays → ${repair}`)]),
  ];
};

const isOld = (at: string): boolean => Date.now() - Date.parse(at) > countedDays * day;

const fault = (text: string): Finding => ({ mark: '✗', text });

/** What was published, though Ghost sent no event of it: where the times tell. */
const notSent = async ({ site, record }: Import, { relays }: Facts): Promise<Finding[]> => {
  const found = (['posts', 'pages'] as const).map(async (kind): Promise<Finding[]> => {
    const relay = relays.find(({ event }) => event === `${kind.slice(0, -1)}.published`);
    const { proven_at } = record.now;
    if (relay === undefined || proven_at === null) return [];
    const published = await site.newestPublished(kind);
    const at = Date.parse(published ?? '');
    const last = Date.parse(relay.last_triggered_at ?? proven_at);
    if (Number.isNaN(at) || at <= Date.parse(proven_at) || at <= last + minute) return [];
    const text =
      `${kind}: the newest was published at ${timeText(published ?? '')}, but Ghost sent its last ${relay.event} at ` +
      `${timeText(relay.last_triggered_at)}.`;
    return [{ mark: '!', text }];
  });
  return (await Promise.all(found)).flat();
};

const lastEvent = (at: string | null | undefined): string => (at == null ? 'none yet' : timeText(at));

const judge = (receiver: Receiver, facts: Facts, repair: (act: '--apply' | '--undo') => string): Finding => {
  const { there, original, copy, differing } = receiver;
  const name = shown(there ?? copy ?? original ?? { event: '', target_url: '' });
  const bad = (text: string) => fault(`${name}: ${text}`);
  const fromGhost = `${name}: from Ghost; last event ${lastEvent(there?.last_triggered_at)}.`;
  if (there !== undefined && copy !== undefined) {
    if (differing.length > 0)
      return bad(`at Ghost it has another ${differing.join(', ')} than its copy here. → ${repair('--apply')}`);
    if (copy.status !== 'available')
      return { mark: '!', text: `${fromGhost} It is not switched, because its copy here is disabled.` };
    if (!isRelayed(there.event, facts))
      return { mark: '!', text: `${fromGhost} Its relay is missing or wrong. → ${repair('--apply')}` };
    const what = facts.record.proven_at === null ? ' if the relay works, so perhaps' : ', so';
    return { mark: '!', text: `${fromGhost} From Masthead too${what} twice, until --apply --switch.` };
  }
  if (there !== undefined) {
    const noted = causeAtGhost(there);
    return noted === undefined
      ? { mark: '✓', text: fromGhost }
      : { mark: '!', text: `${fromGhost} It failed. ${noted}` };
  }
  if (original?.removed === false) return bad(`deleted at Ghost, but not here. → ${repair('--apply')}`);
  if (copy === undefined)
    return bad(
      `deleted here, so nobody sends to it. To have it at Ghost again → ${repair('--undo')}. ` +
        'If that was meant, --apply asks at a terminal.',
    );
  if (copy.status !== 'available')
    return bad(`disabled here, so its events are held. → npm run ops -- webhooks enable ${copy.id}`);
  return judgeMoved(receiver, copy, facts, repair('--apply'), bad);
};

/** Judges one that Masthead alone sends to. */
const judgeMoved = (
  { original }: Receiver,
  copy: NonNullable<Receiver['copy']>,
  facts: Facts,
  repair: string,
  bad: (text: string) => Finding,
): Finding => {
  const events = eventsOf(copy);
  const relays = facts.relays.filter(({ event }) => events.includes(event));
  const missing = events.filter((event) => !relays.some((one) => one.event === event));
  if (missing.length > 0) return bad(`Ghost has no relay of ${missing.join(', ')}. → ${repair}`);
  if (relays.some((one) => !isRight(one, facts)))
    return bad(`its relay has not the target or not the secret that it should have. → ${repair}`);
  const failed = failuresOf(facts).findLast(({ event }) => events.includes(event));
  if (failed !== undefined)
    return bad(
      `${failed.event} ${isTimeout(failed.error) ? 'may have been' : 'was'} lost at ${timeText(failed.at)}. ` +
        `${causeOf(failed.error)} When the cause is mended, this tests the relays again → ${repair}`,
    );
  if (facts.record.proven_at === null && facts.record.failures.length > 0)
    return bad(`the test of its relay failed. → ${repair}`);
  if (copy.last_triggered_error !== null)
    return bad(
      `it refused the last event: ${visible(copy.last_triggered_error)}, status ${copy.last_triggered_status}. ` +
        `→ npm run ops -- deliveries list --webhook ${copy.id}`,
    );
  const last = lastEvent(copy.last_triggered_at);
  const isEdited = original?.copy_secret_hint !== original?.secret_hint;
  return isEdited
    ? { mark: '!', text: `${shown(copy)}: from Masthead, with a secret that was changed here; last event ${last}.` }
    : { mark: '✓', text: `${shown(copy)}: from Masthead; last event ${last}.` };
};
