/**
 * The ledger of the receivers: what each of them received, when, in which attempt, and how it responded. The engine is
 * judged by it and by the ends of invocations as Lambda sees them; nothing is read from the engine's table.
 */
import { createHmac } from 'node:crypto';
import { unpack } from '../../shared/deliveries/records/messages.ts';
import type { SendRequest } from '../../shared/deliveries/sender/send.ts';
import type { DeliveryId } from '../../shared/foundation/ids.ts';
import type { Throttle } from '../../shared/webhooks/options-resource.ts';
import type { Run } from './run.ts';

export interface Post {
  readonly hook: number;
  /** The position of the requested target URL among those of the webhook, from 0. */
  readonly version: number;
  /** The number of the event in its body; -1 for a ping. */
  readonly event: number;
  /** `webhook-id`. */
  readonly delivery: string;
  /** `masthead-trigger`; undefined if the header is missing. */
  readonly trigger: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly at: number;
  readonly run: Run;
}

interface ReceiverAnswer {
  readonly status: number;
  readonly ms: number;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Attempt {
  readonly run: Run;
  /** Whether the invocation ended, and reported the message as done. */
  isAcknowledged: boolean;
}

interface Failure extends Attempt {
  /** The number of the failed attempt, from 1, if every earlier one was seen. */
  readonly number: number;
  readonly at: number;
  readonly notBefore: number;
  /** The end of the time that the receiver asked for. */
  readonly askedUntil: number;
}

/** What receivers' answers imply about a webhook's breaker (shared/webhooks/health.ts, shared/webhooks/backlog.ts). */
interface Breaker {
  /** The latest failed attempts. A recorded answer removes those whose invocations had ended before its own began. */
  failures: { readonly run: Run; readonly hung: boolean }[];
  /** The invocations of failures that may have opened the breaker. A recorded success removes them, as above. */
  openings: readonly Run[];
  hasOpened: boolean;
  successes: Success[];
  version: number;
}

interface Success {
  readonly at: number;
  /** The invocation that received the 2xx. If it records the success, it does so at some time before its end. */
  readonly run: Run;
  /** Whether it may be the first one after the breaker was open, so that what waits becomes due. */
  mayRelease: boolean;
}

interface Delivery {
  readonly successes: Attempt[];
  /** Failed attempts that are known to be recorded. */
  failures: number;
  /** Attempts that may have been made before the schedule, of which they use nothing. */
  early: number;
  lastFailure: Failure | undefined;
}

/** How often a delivery was repeated after its receiver had answered 2xx. */
export interface Repetitions {
  /** The invocation that posted it had succeeded before the one that repeated it started. */
  repeated: number;
  /** The invocation was killed or timed out between post and record. */
  afterKill: number;
  /** The invocation reported the message as failed, because a request to AWS failed. */
  afterFault: number;
  /** Both invocations ran at the same time, because a message was delivered twice. */
  raced: number;
}

/** A receiver that takes longer than this has not responded (docs/receiving.md, "Answer"). */
const longestAnswerMs = 10_000;
/** Tolerance in ms for early attempts, because clocks differ. */
const earlyMs = 1500;
/** The minimum share of the schedule's wait, with jitter. */
const leastWait = 0.8;
/** Failures in a row that open a circuit breaker; a timeout opens it alone. */
const failuresToOpen = 5;
/** How many of the latest failures and successes are remembered. */
const kept = 50;

const pairOf = (hook: number, event: number): number => event * 1_000_000 + hook;

export class Ledger implements Repetitions {
  posts = 0;
  repeated = 0;
  afterKill = 0;
  afterFault = 0;
  raced = 0;
  /** Attempts that came before the schedule or the receiver's `Retry-After` allowed. */
  tooSoon = 0;
  /** Events that reached one webhook in two deliveries, neither of them a redelivery, a replay or a ping. */
  twice = 0;
  unverified = 0;
  withOptions = 0;
  /** Posts whose target, header and body are not of the same version of a webhook's options. */
  mixed = 0;
  /** Posts to webhooks with a throttle, and those beyond it. */
  throttled = 0;
  overThrottle = 0;
  readonly examples: string[] = [];
  /** Returns the secrets with which a webhook's receiver verifies; undefined if it does not. */
  secretsOf: (hook: number) => readonly string[] | undefined = () => undefined;
  /** Returns how many requests a webhook allows in any second or minute; undefined if it has no throttle. */
  throttleOf: (hook: number) => Throttle | undefined = () => undefined;
  onPost: (post: Post) => void = () => {};
  private readonly retryAfterSeconds: readonly number[];
  private readonly deliveries = new Map<string, Delivery>();
  /** By event and webhook: when it first answered 2xx, and the first unrequested delivery that it answered so. */
  private readonly received = new Map<number, { readonly at: number; delivery: string | undefined }>();
  /** For each webhook: the events that it answered with 2xx, by when they were accepted, and when it first did. */
  private readonly accepted = new Map<number, { readonly acceptedAt: number; readonly at: number }[]>();
  private readonly breakers = new Map<number, Breaker>();
  /** For each webhook with a throttle, when its latest requests were sent. */
  private readonly sent = new Map<number, number[]>();
  /** The webhooks that answered in an invocation that has not ended, and whether any answer was a success. */
  private readonly answers = new Map<Run, Map<number, boolean>>();
  private readonly underWay = new Map<
    Run,
    { readonly delivery: string; readonly mark: { isAcknowledged: boolean } }[]
  >();

  constructor(retryAfterSeconds: readonly number[]) {
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** Reads a request as its receiver does. Target URLs are of the form `https://<host>/hook/<number>/<version>`. */
  postOf({ url, headers, body }: SendRequest, run: Run, at: number): Post {
    const [, hook = '', version = ''] = /\/hook\/(\d+)\/(\d+)$/.exec(url) ?? [];
    const text = typeof body === 'string' ? body : Buffer.from(body).toString();
    const [, event = '-1'] = /"id":"e(\d+)"/.exec(text) ?? [];
    const named = lowerCase(headers);
    return {
      hook: Number(hook),
      version: Number(version),
      event: Number(event),
      delivery: named['webhook-id'] ?? '',
      trigger: named['masthead-trigger'],
      headers: named,
      body: text,
      at,
      run,
    };
  }

  /** Records a request and the response of its receiver; `undefined` means no response. */
  arrive(post: Post, answer: ReceiverAnswer | undefined): void {
    this.posts++;
    this.onPost(post);
    this.watchThrottle(post);
    if (this.isForged(post)) {
      this.unverified++;
      this.note('did not verify', post);
    }
    if (post.headers['x-version'] !== undefined) this.withOptions++;
    if (isMixed(post)) {
      this.mixed++;
      this.note('mixed options', post);
    }
    let delivery = this.deliveries.get(post.delivery);
    if (delivery === undefined) {
      delivery = { successes: [], failures: 0, early: 0, lastFailure: undefined };
      this.deliveries.set(post.delivery, delivery);
    }
    this.judge(post, delivery);
    this.observe(post, answer);
    const mark = { run: post.run, isAcknowledged: false };
    const isSuccess =
      answer !== undefined && answer.status >= 200 && answer.status < 300 && answer.ms <= longestAnswerMs;
    if (isSuccess) {
      delivery.successes.push(mark);
      this.receive(post, post.at + answer.ms);
    } else {
      const number = delivery.failures + 1;
      const askedMs = Number(answer?.headers?.['retry-after'] ?? 0) * 1000;
      const waitMs = Math.max(askedMs, (this.retryAfterSeconds[number - delivery.early] ?? 0) * 1000 * leastWait);
      const from = post.at + (answer?.ms ?? 0) - earlyMs;
      const limits = { notBefore: from + waitMs, askedUntil: from + askedMs };
      delivery.lastFailure = Object.assign(mark, { number, at: post.at, ...limits });
    }
    const marks = this.underWay.get(post.run) ?? [];
    this.underWay.set(post.run, marks);
    marks.push({ delivery: post.delivery, mark });
  }

  miss(post: Post): void {
    this.watchThrottle(post);
    this.fail(post.hook, post.run, false);
  }

  /** Records the end of an invocation; `failed` are the bodies of the messages that it did not process. */
  end(run: Run, failed: readonly string[]): void {
    const again = new Set(failed.flatMap((body) => unpack(JSON.parse(body)).map(({ delivery_id }) => delivery_id)));
    for (const { delivery, mark } of this.underWay.get(run) ?? [])
      mark.isAcknowledged = !run.isKilled && !again.has(delivery as DeliveryId);
    this.underWay.delete(run);
    // An answer counts only if its invocation recorded it: one with a failed AWS request may not have recorded the
    // health (attempt/findings.ts). It removes only failures that it could read: one that read none writes nothing.
    const hasRead = (other: Run): boolean => (other.endedAt ?? Number.POSITIVE_INFINITY) <= run.startedAt;
    for (const [hook, hasSucceeded] of run.isKilled || run.hasFailed ? [] : (this.answers.get(run) ?? [])) {
      const breaker = this.breakerOf(hook);
      breaker.failures = breaker.failures.filter((failure) => !hasRead(failure.run));
      if (hasSucceeded) breaker.openings = breaker.openings.filter((opening) => !hasRead(opening));
    }
    this.answers.delete(run);
  }

  /** Returns when a webhook's receiver first answered an event with 2xx, in epoch ms; undefined if it never did. */
  receivedAt(hook: number, event: number): number | undefined {
    return this.received.get(pairOf(hook, event))?.at;
  }

  /** Returns when a receiver first answered 2xx to an event accepted at a time or later, all in epoch ms. */
  receivedSince(hook: number, acceptedAt: number): number | undefined {
    const later = (this.accepted.get(hook) ?? []).filter((one) => one.acceptedAt >= acceptedAt - earlyMs);
    return later.length === 0 ? undefined : Math.min(...later.map(({ at }) => at));
  }

  hasSucceeded(delivery: string): boolean {
    return (this.deliveries.get(delivery)?.successes.length ?? 0) > 0;
  }

  get repetitions(): Repetitions {
    const { repeated, afterKill, afterFault, raced } = this;
    return { repeated, afterKill, afterFault, raced };
  }

  /** Counts a request beyond its webhook's throttle: with those just before, too many in a second or minute. */
  private watchThrottle(post: Post): void {
    const throttle = this.throttleOf(post.hook);
    if (throttle === undefined) return;
    const { requests, per } = throttle;
    this.throttled++;
    const before = this.sent.get(post.hook) ?? [];
    const first = before.at(-requests);
    if (first !== undefined && post.at - first < (per === 'minute' ? 60_000 : 1000)) {
      this.overThrottle++;
      this.note(`more than ${requests} a ${per}`, post);
    }
    this.sent.set(post.hook, [...before, post.at].slice(-requests));
  }

  private receive({ hook, event, delivery, trigger, headers }: Post, at: number): void {
    if (event < 0) return;
    const acceptedAt = Date.parse(headers['masthead-event-time'] ?? '');
    const accepted = this.accepted.get(hook);
    if (accepted === undefined) this.accepted.set(hook, [{ acceptedAt, at }]);
    else accepted.push({ acceptedAt, at });
    const pair = pairOf(hook, event);
    const isAsked = trigger !== 'event';
    const known = this.received.get(pair);
    if (known === undefined) this.received.set(pair, { at, delivery: isAsked ? undefined : delivery });
    else if (!isAsked && known.delivery === undefined) known.delivery = delivery;
    else if (!isAsked && known.delivery !== delivery) {
      this.twice++;
      if (this.examples.length < 10)
        this.examples.push(`twice: event ${event} at webhook ${hook}: ${known.delivery}, ${delivery}`);
    }
  }

  private judge(post: Post, delivery: Delivery): void {
    const { successes, lastFailure } = delivery;
    const isRecorded = lastFailure?.isAcknowledged === true && hasEnded(lastFailure.run, post.run);
    if (isRecorded) delivery.failures = Math.max(delivery.failures, lastFailure.number);
    if (successes.length > 0) {
      if (successes.some(({ run, isAcknowledged }) => isAcknowledged && hasEnded(run, post.run))) {
        this.repeated++;
        this.note('repeated', post);
      } else if (successes.some(({ run }) => !hasEnded(run, post.run) && !run.isKilled)) this.raced++;
      else if (successes.some(({ run }) => run.isKilled)) this.afterKill++;
      else this.afterFault++;
    } else if (isRecorded) {
      const isReleased = this.isReleased(post, lastFailure);
      if (isReleased) delivery.early++;
      const earliest = isReleased ? lastFailure.askedUntil : lastFailure.notBefore;
      if (post.at >= earliest) return;
      this.tooSoon++;
      this.note(`${Math.round(earliest - post.at)} ms too soon`, post);
    }
  }

  /**
   * Follows a webhook's breaker: five failures in a row or one timeout open it, and any answer below 500 closes it.
   * The first success after that releases what waits (docs/receiving.md).
   */
  private observe({ hook, version, at, run }: Post, answer: ReceiverAnswer | undefined): void {
    const hung = answer === undefined || answer.ms > longestAnswerMs;
    if (hung || answer.status >= 500) {
      this.fail(hook, run, hung);
      return;
    }
    const breaker = this.breakerOf(hook);
    // A new target and a request to be disabled break a release off. The next success begins it again.
    const breaksOff = version !== breaker.version || answer.headers?.['webhook-delivery'] === 'disable';
    if (breaksOff && breaker.hasOpened) breaker.openings = [...breaker.openings, run];
    breaker.version = version;
    const isSuccess = answer.status >= 200 && answer.status < 300;
    const mayRelease = breaker.openings.length > 0;
    if (isSuccess) breaker.successes = latest([...breaker.successes, { at: at + answer.ms, run, mayRelease }]);
    const answered = this.answers.get(run) ?? new Map<number, boolean>();
    this.answers.set(run, answered.set(hook, isSuccess || answered.get(hook) === true));
  }

  private fail(hook: number, run: Run, hung: boolean): void {
    const breaker = this.breakerOf(hook);
    breaker.failures = [...breaker.failures, { run, hung }].slice(-kept);
    if (!mayBeOpen(breaker)) return;
    breaker.openings = [...new Set([...breaker.openings, ...breaker.failures.map((failure) => failure.run)])].slice(
      -2 * kept,
    );
    breaker.hasOpened = true;
    // A success that is not recorded yet may be recorded after this failure.
    for (const success of breaker.successes) if (success.run.endedAt === undefined) success.mayRelease = true;
  }

  /**
   * Returns whether a delivery may come before its schedule: a success since its last failure may have been the first
   * after the breaker was open, so that what waits becomes due (docs/receiving.md).
   */
  private isReleased({ hook, at }: Post, lastFailure: Failure): boolean {
    return this.breakerOf(hook).successes.some(
      (success) =>
        success.mayRelease &&
        success.at <= at &&
        lastFailure.at - earlyMs < (success.run.endedAt ?? Number.POSITIVE_INFINITY),
    );
  }

  private breakerOf(hook: number): Breaker {
    const known = this.breakers.get(hook);
    if (known !== undefined) return known;
    const breaker: Breaker = { failures: [], openings: [], hasOpened: false, successes: [], version: 0 };
    this.breakers.set(hook, breaker);
    return breaker;
  }

  /** Returns whether none of the signatures matches a secret of the receiver (Standard Webhooks 1.0). */
  private isForged({ hook, headers, body }: Post): boolean {
    const secrets = this.secretsOf(hook);
    if (secrets === undefined) return false;
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const sent = headers['webhook-signature']?.split(' ') ?? [];
    return !secrets.some((secret) => {
      const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
      return sent.includes(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
    });
  }

  private note(what: string, { delivery, hook, event, at, run }: Post): void {
    if (this.examples.length < 10)
      this.examples.push(
        `${what}: delivery ${delivery} of event ${event} to webhook ${hook} at ${new Date(at).toISOString()}, by ` +
          `invocation ${run.number} of ${run.functionName}`,
      );
  }
}

/** Keeps the latest successes, and the latest that may have released what waits, which may arrive much later. */
const latest = (successes: readonly Success[]): Success[] => {
  const releasing = successes.filter(({ mayRelease }) => mayRelease);
  const remembered = new Set([...successes.slice(-kept), ...releasing.slice(-kept)]);
  return successes.filter((success) => remembered.has(success));
};

/** Returns whether failures in a row may have opened a circuit breaker. */
const mayBeOpen = ({ failures }: Breaker): boolean =>
  failures.length >= failuresToOpen || failures.some(({ hung }) => hung);

/** Returns whether one invocation had succeeded before the other one started. */
const hasEnded = (run: Run, other: Run): boolean =>
  !run.isKilled && run.endedAt !== undefined && run.endedAt <= other.startedAt;

const lowerCase = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** Returns whether a request's header, body and target name different versions of the options; none is not mixed. */
const isMixed = ({ headers, body, version }: Post): boolean => {
  const named = headers['x-version'];
  const [, inBody] = /"version":"(\d+)"/.exec(body) ?? [];
  return named !== inBody || (named !== undefined && Number(named) !== version);
};
