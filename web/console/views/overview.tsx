/** The overview: what needs attention, then the first steps of a new stage, then a period's numbers and chart. */
import type { ComponentType, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { stateOf } from '../../../shared/webhooks/state.ts';
import { get } from '../api/client.ts';
import { useOverview } from '../api/directory.ts';
import type { Stats, Webhook } from '../api/resources.ts';
import { linkTo, type Place, type ViewProps } from '../router.ts';
import { useTexts } from '../texts/dictionary.ts';
import { countText } from '../ui/counted.ts';
import { Loaded } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { useNumbers } from '../ui/use-numbers.ts';
import { useQuery } from '../use-query.ts';
import { writtenTime } from '../written-time.ts';
import { Attention } from './attention.tsx';
import { Checklist } from './checklist.tsx';
import { Relays } from './relays.tsx';
import type { StatsChartProps } from './stats-chart.tsx';

const periods = ['hour', 'day', 'week'] as const;
type Period = (typeof periods)[number];

const minute = 60_000;
/** In ms. */
const lengths: Readonly<Record<Period, number>> = {
  hour: 60 * minute,
  day: 24 * 60 * minute,
  week: 7 * 24 * 60 * minute,
};

const counts = ['accepted', 'delivered', 'retrying', 'failed', 'held'] as const;

/** What a number on the overview counts, and its link lists. */
const listed = {
  retrying: { tone: 'warn', isOfPeriod: false },
  held: { tone: 'warn', isOfPeriod: false },
  failed: { tone: 'bad', isOfPeriod: true },
} as const;
type Listed = keyof typeof listed;
const listedNames = ['retrying', 'held', 'failed'] as const satisfies Listed[];

/** Returns the query that lists exactly the counted deliveries. @param since the start of the period, epoch ms */
const queryOf = (name: Listed, since: number): Place['query'] => ({
  status: name,
  ...(listed[name].isOfPeriod && { since: writtenTime(since) }),
});

export const Overview = ({ place }: ViewProps): JSX.Element => {
  const { frame } = useTexts();
  const period = periods.find((one) => one === place.query.period) ?? 'day';
  const overview = useOverview(period);
  const stats = useStats(period);
  // Rounded to the minute, like a time in a list's address.
  const since = Math.floor((Date.now() - lengths[period]) / minute) * minute;
  const { undelivered } = overview.data ?? {};
  const numbers = listedNames.flatMap((name) =>
    undelivered == null ? [] : { name, query: queryOf(name, since), ...undelivered[name] },
  );
  const shown = stats ?? overview.data?.stats;
  // More failures than the overview has seen, or the first success: something in it has changed.
  const news = newsOf(shown);
  const seen = useRef(news);
  const { reload } = overview;
  useEffect(() => {
    if (seen.current !== undefined && news !== seen.current) reload();
    seen.current = news;
  }, [news, reload]);
  return (
    <>
      <h1>{frame.views.overview}</h1>
      <Loaded query={overview}>
        {(data) => (
          <>
            <Attention overview={data} failed={numbers.find(({ name }) => name === 'failed')} />
            <Checklist webhooks={[...data.directory.webhooks.values()]} invited={data.invited} />
            <Relays relays={data.relays} />
            <Periods chosen={period} />
            {shown !== undefined && <Flow stats={shown} webhooks={[...data.directory.webhooks.values()]} />}
            {numbers.length > 0 && <Undelivered numbers={numbers} />}
            {shown !== undefined && <OverTime stats={shown} />}
          </>
        )}
      </Loaded>
    </>
  );
};

const newsOf = (stats: Stats | undefined): string | undefined =>
  stats && `${stats.period} ${stats.retrying} ${stats.failed} ${stats.held} ${stats.delivered > 0}`;

/** Returns the statistics as they change; undefined before the second read, as the first are in the overview. */
const useStats = (period: Period): Stats | undefined => {
  const isFirst = useRef(true);
  return useQuery(
    `stats ${period}`,
    async (signal) => {
      if (isFirst.current) {
        isFirst.current = false;
        return undefined;
      }
      return (await get<{ stats: [Stats] }>('/admin/stats/', { period }, signal)).stats[0];
    },
    5000,
    120_000,
  ).data;
};

const Periods = ({ chosen }: { readonly chosen: Period }): JSX.Element => {
  const { overview } = useTexts();
  return (
    <nav class="segments" aria-label={overview.period}>
      {periods.map((period) => (
        <a
          key={period}
          href={linkTo(['overview'], { period })}
          {...(period === chosen && { 'aria-current': 'true' as const })}
        >
          {overview.periods[period]}
        </a>
      ))}
    </nav>
  );
};

/** A share of success below it is shown as bad. */
const goodShare = 0.99;

interface FlowProps {
  readonly stats: Stats;
  readonly webhooks: readonly Webhook[];
}

/** What was published and delivered in the period, as sums without a list. The rate alone would hide retries. */
const Flow = ({ stats, webhooks }: FlowProps): JSX.Element => {
  const { overview } = useTexts();
  const { count, duration, percent } = useNumbers();
  const ended = stats.delivered + stats.failed;
  const failing = webhooks.filter((webhook) => stateOf(webhook) === 'failing').length;
  const { p50_ms: p50, p95_ms: p95 } = stats.latency;
  return (
    <div class="totals" role="group" aria-label={overview.flow}>
      <Total label={overview.events} help={overview.eventsHelp} value={count(stats.accepted)} />
      <Total label={overview.delivered} help={overview.deliveredHelp} value={count(stats.delivered)} />
      <Total
        label={overview.success}
        help={failing === 0 ? overview.successHelp : overview.failingNow(failing, webhooks.length)}
        value={ended === 0 ? '–' : percent(stats.delivered / ended)}
        isBad={ended > 0 && stats.delivered / ended < goodShare}
      />
      <Total
        label={overview.p95}
        help={p50 === null ? overview.latency : overview.half(duration(p50))}
        value={p95 === null ? '–' : duration(p95)}
      />
    </div>
  );
};

interface TotalProps {
  readonly label: string;
  readonly help: string;
  readonly value: string;
  readonly isBad?: boolean;
}

const Total = ({ label, help, value, isBad = false }: TotalProps): JSX.Element => (
  <div class={`total ${isBad ? 'bad' : ''}`}>
    <span>{label}</span>
    <strong>{value}</strong>
    <small class="quiet">{help}</small>
  </div>
);

interface UndeliveredProps {
  readonly numbers: readonly {
    readonly name: Listed;
    readonly query: Place['query'];
    readonly count: number;
    readonly has_more: boolean;
  }[];
}

const Undelivered = ({ numbers }: UndeliveredProps): JSX.Element => {
  const { overview } = useTexts();
  const { count } = useNumbers();
  return (
    <div class="totals" role="group" aria-label={overview.undelivered}>
      {numbers.map(({ name, query, count: found, has_more }) => (
        <a key={name} class={`total ${found > 0 ? listed[name].tone : ''}`} href={linkTo(['deliveries'], query)}>
          <span>{overview.counts[name]}</span>
          <strong>{countText(found, has_more, count)}</strong>
          <small class="quiet">{overview.countHelp[name]}</small>
        </a>
      ))}
    </div>
  );
};

const OverTime = ({ stats }: { readonly stats: Stats }): JSX.Element => {
  const { overview } = useTexts();
  const isEmpty = counts.every((name) => stats[name] === 0);
  return (
    <section class="panel" aria-labelledby="chart">
      <h2 id="chart">{overview.chart}</h2>
      {isEmpty ? <p class="quiet">{overview.nothing}</p> : <Chart stats={stats} />}
      {!isEmpty && <Table stats={stats} />}
    </section>
  );
};

/** The chart library is loaded when the first chart is shown. */
const Chart = (props: StatsChartProps): JSX.Element | null => {
  const [Loaded, setLoaded] = useState<ComponentType<StatsChartProps>>();
  useEffect(() => {
    import('./late-views.ts').then(
      ({ lateViews }) => setLoaded(() => lateViews.StatsChart),
      () => {
        // The table below has the same content.
      },
    );
  }, []);
  return Loaded === undefined ? null : <Loaded {...props} />;
};

const Table = ({ stats }: { readonly stats: Stats }): JSX.Element => {
  const { overview } = useTexts();
  const { count } = useNumbers();
  const counted = stats.buckets.filter((bucket) => counts.some((name) => bucket[name] > 0));
  return (
    <details>
      <summary>{overview.table}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region is reachable by keyboard (WCAG 2.1.1) */}
      <div class="scrolled" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{overview.from}</th>
              {counts.map((name) => (
                <th key={name} scope="col">
                  {overview.series[name]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {counted.map((bucket) => (
              <tr key={bucket.start}>
                <th scope="row">
                  <Time at={bucket.start} />
                </th>
                {counts.map((name) => (
                  <td key={name}>{count(bucket[name])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
};
