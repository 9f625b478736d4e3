/** One delivery: what is wrong and what to do, why it waits, its attempts, and its request and responses. */
import type { JSX } from 'preact';
import { causeOf } from '../../../shared/webhooks/cause.ts';
import { webhookName } from '../../../shared/webhooks/name.ts';
import { get } from '../api/client.ts';
import { type Directory, useDirectory } from '../api/directory.ts';
import type { Attempt, DeliveryWithLog, Webhook } from '../api/resources.ts';
import { curlOf } from '../curl.ts';
import { linkTo } from '../router.ts';
import { useTexts } from '../texts/dictionary.ts';
import { announce } from '../ui/announcer.tsx';
import { BackLink } from '../ui/back-link.tsx';
import { Copy } from '../ui/copy.tsx';
import { Body, Headers } from '../ui/http-content.tsx';
import { Icon } from '../ui/icon.tsx';
import { RotateCw } from '../ui/icons.ts';
import { Loaded, Problem } from '../ui/states.tsx';
import { Status } from '../ui/status.tsx';
import { Time } from '../ui/time.tsx';
import { useNumbers } from '../ui/use-numbers.ts';
import { useAction } from '../use-action.ts';
import { useQuery } from '../use-query.ts';
import { redeliver } from './redeliver.tsx';

interface OneDeliveryProps {
  readonly webhook: string;
  readonly id: string;
}

export const OneDelivery = ({ webhook, id }: OneDeliveryProps): JSX.Element => {
  const { frame } = useTexts();
  const path = `/admin/webhooks/${encodeURIComponent(webhook)}/deliveries/${encodeURIComponent(id)}/`;
  const query = useQuery(
    path,
    async (signal) => (await get<{ deliveries: [DeliveryWithLog] }>(path, {}, signal)).deliveries[0],
    2000,
  );
  const directory = useDirectory();
  return (
    <>
      <BackLink to={['deliveries']} label={frame.views.deliveries} />
      <Loaded query={query}>{(delivery) => <Details delivery={delivery} directory={directory.data} />}</Loaded>
    </>
  );
};

interface DetailsProps {
  readonly delivery: DeliveryWithLog;
  readonly directory: Directory | undefined;
}

const Details = ({ delivery, directory }: DetailsProps): JSX.Element => {
  const { deliveries } = useTexts();
  const { run, isRunning, error } = useAction(async () => {
    await redeliver(delivery);
    announce(deliveries.redelivered(1, 0));
  });
  const webhook = directory?.webhooks.get(delivery.webhook_id);
  return (
    <>
      <div class="title">
        <h1>{delivery.event}</h1>
        <Status state={delivery.status} />
        <wa-button class="at-end" size="s" variant="brand" loading={isRunning} onClick={run}>
          <Icon of={RotateCw} slot="start" />
          {deliveries.redeliver}
        </wa-button>
      </div>
      {error !== undefined && <Problem error={error} />}
      <WhatToDo delivery={delivery} webhook={webhook} />
      <Waiting delivery={delivery} />
      <dl class="panel facts">
        <dt>{deliveries.columns.webhook}</dt>
        <dd>
          <a href={linkTo(['webhooks', delivery.webhook_id])}>
            {webhook === undefined ? <code>{delivery.webhook_id}</code> : webhookName(webhook)}
          </a>
          {' · '}
          <a href={linkTo(['deliveries'], { webhook: delivery.webhook_id })}>{deliveries.toWebhook}</a>
        </dd>
        <dt>{deliveries.target}</dt>
        <dd>
          <code>POST {delivery.request?.url ?? webhook?.target_url}</code>
        </dd>
        <dt>{deliveries.ids.delivery}</dt>
        <dd>
          <code>{delivery.id}</code>
        </dd>
        <dt>{deliveries.ids.event}</dt>
        <dd>
          <a href={linkTo(['deliveries'], { event_id: delivery.event_id })}>
            <code>{delivery.event_id}</code>
          </a>
        </dd>
        <dt>{deliveries.trigger}</dt>
        <dd>{deliveries.triggers[delivery.trigger]}</dd>
        <dt>{deliveries.columns.created}</dt>
        <dd>
          <Time at={delivery.created_at} />
        </dd>
      </dl>
      <section class="panel" aria-labelledby="attempts">
        <h2 id="attempts">{deliveries.attemptsTitle}</h2>
        <Attempts log={delivery.log} />
      </section>
      <Request request={delivery.request} />
    </>
  );
};

const WhatToDo = ({
  delivery: { status, last_status, last_error },
  webhook,
}: Pick<DetailsProps, 'delivery'> & { readonly webhook: Webhook | undefined }): JSX.Element | null => {
  const { advice, deliveries } = useTexts();
  if (status === 'delivered' || webhook === undefined || (last_status === null && last_error === null)) return null;
  const { host, pathname } = new URL(webhook.target_url);
  return (
    <wa-callout variant={status === 'retrying' || status === 'held' ? 'warning' : 'danger'}>
      <strong>{last_status === null ? deliveries.error(last_error ?? '') : `HTTP ${last_status}`}</strong>
      <p>{advice.for(causeOf(last_status, last_error), { host, path: pathname })}</p>
    </wa-callout>
  );
};

/** The attempts, newest first; the newest one shows its answer. */
export const Attempts = ({ log }: Pick<DeliveryWithLog, 'log'>): JSX.Element => {
  const { deliveries } = useTexts();
  if (log.length === 0) return <p class="quiet">{deliveries.noAttempt}</p>;
  return (
    <ol class="timeline">
      {log.toReversed().map((attempt, index) => (
        <AttemptRow key={attempt.number} attempt={attempt} isOpen={index === 0} />
      ))}
    </ol>
  );
};

const Waiting = ({ delivery }: { readonly delivery: DeliveryWithLog }): JSX.Element | null => {
  const { deliveries } = useTexts();
  const { waiting_for: waiting, replayed_by, superseded_by, webhook_id } = delivery;
  const other = replayed_by ?? superseded_by;
  if (other !== null)
    return (
      <wa-callout variant="neutral">
        {other === replayed_by ? deliveries.sentAgainAs : deliveries.sentInstead}{' '}
        <a href={linkTo(['deliveries', webhook_id, other])}>
          <code>{other}</code>
        </a>
      </wa-callout>
    );
  if (waiting === null) return null;
  return (
    <wa-callout variant="warning">
      {deliveries.waiting[waiting.reason]}{' '}
      {waiting.until !== null && (
        <>
          {deliveries.until_time} <Time at={waiting.until} isPlanned />
        </>
      )}
    </wa-callout>
  );
};

const phases = ['dns_ms', 'connect_ms', 'tls_ms', 'first_byte_ms'] as const;

const AttemptRow = ({ attempt, isOpen }: { readonly attempt: Attempt; readonly isOpen: boolean }): JSX.Element => {
  const { deliveries } = useTexts();
  const { duration } = useNumbers();
  const isGood = attempt.error === null && attempt.status !== null;
  const measured = phases.flatMap((phase) => {
    const ms = attempt.timings[phase];
    return ms === null ? [] : [{ phase, ms }];
  });
  const known = measured.reduce((sum, { ms }) => sum + ms, 0);
  const parts = [...measured, { phase: 'rest' as const, ms: Math.max(0, attempt.duration_ms - known) }];
  return (
    <li>
      <div class="title">
        <strong>{deliveries.attempt(attempt.number)}</strong>
        <span class={`status ${isGood ? 'good' : 'bad'}`}>
          {attempt.status === null ? '' : `HTTP ${attempt.status}`}{' '}
          {attempt.error !== null && deliveries.error(attempt.error)}
        </span>
        <span class="quiet">
          <Time at={attempt.started_at} /> · {duration(attempt.duration_ms)}
        </span>
      </div>
      <div class="phases" aria-hidden="true">
        {parts.map(({ phase, ms }) => (
          <span key={phase} class={phase} style={{ flexGrow: ms }} />
        ))}
      </div>
      <ul class="phase-list quiet">
        {parts.map(({ phase, ms }) => (
          <li key={phase}>
            <span class={`key ${phase}`} aria-hidden="true" /> {deliveries.phases[phase]} {duration(ms)}
          </li>
        ))}
      </ul>
      {attempt.response !== null && attempt.response !== '' && (
        <details open={isOpen}>
          <summary>{deliveries.answer}</summary>
          <Body text={attempt.response} />
        </details>
      )}
    </li>
  );
};

const Request = ({ request }: { readonly request: DeliveryWithLog['request'] }): JSX.Element => {
  const { deliveries } = useTexts();
  return (
    <section class="panel" aria-labelledby="request">
      <h2 id="request">{deliveries.request}</h2>
      {request === null ? (
        <p class="quiet">{deliveries.noRequest}</p>
      ) : (
        <>
          <div class="actions">
            <Copy text={curlOf(request)} label={deliveries.copyCurl} />
          </div>
          <h3>{deliveries.headers}</h3>
          <Headers of={request.headers} />
          <h3>{deliveries.body}</h3>
          <Body text={request.body} />
        </>
      )}
    </section>
  );
};
