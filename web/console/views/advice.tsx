/** What is wrong with a webhook and what to do: since when, waiting deliveries, the next attempt, the last answer. */
import type { JSX } from 'preact';
import { type AuditEntry, readDisabling } from '../api/audit.ts';
import type { Webhook } from '../api/resources.ts';
import { lastFailureOf, readTrouble, type Trouble } from '../api/trouble.ts';
import { useTexts } from '../texts/dictionary.ts';
import { countText } from '../ui/counted.ts';
import { Skeleton } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { useNumbers } from '../ui/use-numbers.ts';
import { useQuery } from '../use-query.ts';

/**
 * Returns the advice. It is read again when the webhook fails in another way, and every so many ms; seldom while nobody
 * touches the page, because it takes several requests.
 */
export const useTrouble = (webhook: Webhook, everyMs?: number): Trouble | undefined => {
  const { id, status, last_triggered_status, last_triggered_error } = webhook;
  const state = `${status} ${last_triggered_status} ${last_triggered_error}`;
  const read = (signal: AbortSignal): Promise<Trouble> => readTrouble(webhook, signal);
  return useQuery(`/admin/webhooks/${id}/trouble ${state}`, read, everyMs, everyMs && 30 * everyMs).data;
};

interface AdviceProps {
  readonly webhook: Webhook;
  readonly trouble: Trouble | undefined;
}

export const Advice = ({ webhook, trouble }: AdviceProps): JSX.Element => {
  const { advice } = useTexts();
  const { host, pathname } = new URL(webhook.target_url);
  const isDeclined = webhook.declined !== undefined;
  const cause = trouble === undefined ? lastFailureOf(webhook) : trouble.cause;
  const mayHaveAnswer = webhook.last_triggered_status !== null && !isDeclined;
  return (
    <div class="advice">
      {webhook.status === 'disabled' && <WhyDisabled webhook={webhook} hasFailed={cause !== undefined} />}
      {cause !== undefined && !isDeclined && <p>{advice.for(cause, { host, path: pathname })}</p>}
      {trouble === undefined ? (
        <Skeleton lines={mayHaveAnswer ? 3 : 1} />
      ) : (
        <Facts webhook={webhook} trouble={trouble} />
      )}
    </div>
  );
};

const Facts = ({ webhook, trouble }: { readonly webhook: Webhook; readonly trouble: Trouble }): JSX.Element => {
  const { advice } = useTexts();
  const { count } = useNumbers();
  const { since, waiting, nextAttempt, answer } = trouble;
  const isDisabled = webhook.status === 'disabled';
  return (
    <>
      <p class="quiet">
        {since !== null && (
          <>
            {advice.began} <Time at={since} />
            {' · '}
          </>
        )}
        {waiting.count === 0
          ? advice.noneWaits
          : advice.waiting(countText(waiting.count, waiting.hasMore, count), waiting.count === 1 && !waiting.hasMore)}
        {!isDisabled && ' · '}
        {!isDisabled && (nextAttempt === null ? advice.noNext : <Next at={nextAttempt} />)}
      </p>
      {answer !== '' && webhook.declined === undefined && (
        <p class="quiet">
          {advice.answer}: <code class="answer">{answer}</code>
        </p>
      )}
    </>
  );
};

const Next = ({ at }: { readonly at: string }): JSX.Element => (
  <>
    {useTexts().advice.next} <Time at={at} isPlanned />
  </>
);

interface WhyDisabledProps {
  readonly webhook: Webhook;
  readonly hasFailed: boolean;
}

const WhyDisabled = ({ webhook, hasFailed }: WhyDisabledProps): JSX.Element => {
  const { advice } = useTexts();
  const { id, declined } = webhook;
  const { data: entry } = useQuery(`/admin/webhooks/${id}/disabled`, (signal) => readDisabling(id, signal));
  if (declined !== undefined)
    return (
      <p>
        {advice.receiverSaid} <code class="answer">{declined.answer}</code> (<Time at={declined.at} />
        ). {advice.disabledByReceiver} {advice.deletedOn} <Time at={declined.deletion_at} />. {advice.isHeld}
      </p>
    );
  return (
    <p>
      {entry !== undefined && <Disabling entry={entry} hasFailed={hasFailed} />} {advice.isHeld}
    </p>
  );
};

interface DisablingProps extends Pick<WhyDisabledProps, 'hasFailed'> {
  readonly entry: AuditEntry | null;
}

const Disabling = ({ entry, hasFailed }: DisablingProps): JSX.Element => {
  const { advice } = useTexts();
  if (entry === null) return <>{hasFailed ? advice.disabledForFailing : `${advice.disabledBy(null)}.`}</>;
  const { actor, at, changes } = entry;
  if (actor.type !== 'masthead')
    return (
      <>
        {advice.disabledBy(actor.name)} (<Time at={at} />
        ).
      </>
    );
  return <>{changes.disabled_for?.to === 'receiver' ? advice.disabledByReceiver : advice.disabledForFailing}</>;
};
