/** How a webhook does, what can be recovered, and its newest deliveries, live: each opens with attempts and answers. */
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { get } from '../api/client.ts';
import { useLiveDeliveries } from '../api/live-deliveries.ts';
import type { Delivery, DeliveryWithLog, Page, Webhook } from '../api/resources.ts';
import { linkTo } from '../router.ts';
import { useTexts } from '../texts/dictionary.ts';
import { Strip } from '../ui/health-strip.tsx';
import { Problem, Skeleton } from '../ui/states.tsx';
import { Status } from '../ui/status.tsx';
import { Time } from '../ui/time.tsx';
import { useNumbers } from '../ui/use-numbers.ts';
import { useQuery } from '../use-query.ts';
import { resultOf } from './deliveries.tsx';
import { Attempts } from './delivery.tsx';
import { Recover } from './recover.tsx';

const shown = 20;
/** They count a thousand deliveries, so they cost more than the rows. */
const figuresEveryMs = 60_000;

interface Summary {
  readonly deliveries: number;
  readonly delivered: number;
  readonly undelivered: number;
  readonly p50_ms: number | null;
  readonly p95_ms: number | null;
}

interface WebhookLogProps {
  readonly webhook: Webhook;
  /** What is below it, which the log would move when it arrives. */
  readonly children: ComponentChildren;
}

export const WebhookLog = ({ webhook, children }: WebhookLogProps): JSX.Element => {
  const { id } = webhook;
  const { webhooks, deliveries } = useTexts();
  const { rows, error, reload } = useLiveDeliveries({ webhook_id: id });
  const isKnown = rows !== undefined || error !== undefined;
  return (
    <>
      <section class="panel" aria-labelledby="log">
        <div class="title">
          <h2 id="log">{webhooks.newest}</h2>
          <a class="at-end" href={linkTo(['deliveries'], { webhook: id })}>
            {webhooks.deliveries}
          </a>
        </div>
        {error !== undefined && <Problem error={error} onRetry={reload} />}
        {!isKnown && <Skeleton />}
        {rows !== undefined && (
          <>
            <Strip webhook={id} rows={rows} />
            {rows.length > 0 && (
              <div class="figures">
                <Figures webhook={id} />
                {webhook.status === 'available' && <Recover webhook={webhook} rows={rows} />}
              </div>
            )}
            {rows.length === 0 && <p class="quiet">{deliveries.emptyHelp}</p>}
            <ul class="openable">
              {rows.slice(0, shown).map((row) => (
                <Openable key={row.id} row={row} />
              ))}
            </ul>
          </>
        )}
      </section>
      {isKnown && children}
    </>
  );
};

const Figures = ({ webhook }: { readonly webhook: string }): JSX.Element | null => {
  const { webhooks } = useTexts();
  const { count, duration, percent } = useNumbers();
  const path = `/admin/webhooks/${webhook}/deliveries/`;
  const { data } = useQuery(
    `${path} summary`,
    async (signal) => {
      const query = { include: 'summary', limit: '1' };
      return (await get<Page & { readonly meta: { readonly summary: Summary } }>(path, query, signal)).meta.summary;
    },
    figuresEveryMs,
    5 * figuresEveryMs,
  );
  if (data === undefined || data.deliveries === 0) return null;
  const { deliveries, delivered, undelivered, p50_ms: p50, p95_ms: p95 } = data;
  const ended = delivered + undelivered;
  return (
    <p>
      {ended > 0 ? (
        <strong>{webhooks.share(percent(delivered / ended), count(deliveries))}</strong>
      ) : (
        <span class="quiet">{webhooks.noOutcome}</span>
      )}
      {p50 !== null && p95 !== null && ` · ${webhooks.answered(duration(p50), duration(p95))}`}
    </p>
  );
};

const Openable = ({ row }: { readonly row: Delivery }): JSX.Element => {
  const { deliveries } = useTexts();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <li>
      <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary>
          <Status state={row.status} />
          <span class="grow">{row.title ?? row.event}</span>
          {row.trigger !== 'event' && <span class="tag">{deliveries.triggers[row.trigger]}</span>}
          {row.replayed_by !== null && <span class="tag">{deliveries.sentAgain}</span>}
          <span class="quiet">{resultOf(row, deliveries)}</span>
          <Time at={row.created_at} />
        </summary>
        {isOpen && <Opened row={row} />}
      </details>
    </li>
  );
};

/** Its attempts are read again after each further one. */
const Opened = ({ row: { webhook_id, id, attempts, status } }: { readonly row: Delivery }): JSX.Element => {
  const { webhooks } = useTexts();
  const path = `/admin/webhooks/${webhook_id}/deliveries/${id}/`;
  const { data, error } = useQuery(
    `${path} ${attempts} ${status}`,
    async (signal) => (await get<{ deliveries: [DeliveryWithLog] }>(path, {}, signal)).deliveries[0],
  );
  return (
    <>
      {error !== undefined && <Problem error={error} />}
      {data === undefined ? error === undefined && <Skeleton /> : <Attempts log={data.log} />}
      <a href={linkTo(['deliveries', webhook_id, id])}>{webhooks.showDelivery}</a>
    </>
  );
};
