/** The overview: what needs attention first, with the action beside it; then counts, times and a chart of a period. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { get } from '../api/client.ts';
import { useDirectory } from '../api/directory.ts';
import type { Stats } from '../api/resources.ts';
import { linkTo, type ViewProps } from '../router.ts';
import { useTexts } from '../texts/dictionary.ts';
import { Loaded } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { useNumbers } from '../ui/use-numbers.ts';
import { useQuery } from '../use-query.ts';
import { Attention } from './attention.tsx';
import type { StatsChartProps } from './stats-chart.tsx';

const periods = ['hour', 'day', 'week'] as const;
type Period = (typeof periods)[number];

const counts = ['accepted', 'delivered', 'retrying', 'failed', 'held'] as const;

export const Overview = ({ place }: ViewProps): JSX.Element => {
  const { frame } = useTexts();
  const period = periods.find((one) => one === place.query.period) ?? 'day';
  const directory = useDirectory(10_000);
  const stats = useQuery(
    `stats ${period}`,
    async (signal) => (await get<{ stats: [Stats] }>('/admin/stats/', { period }, signal)).stats[0],
    5000,
  );
  return (
    <>
      <h1>{frame.views.overview}</h1>
      <Loaded query={directory}>{(data) => <Attention directory={data} failed={stats.data?.failed ?? 0} />}</Loaded>
      <Periods chosen={period} />
      <Loaded query={stats}>{(data) => <Statistics stats={data} />}</Loaded>
    </>
  );
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

/** Only some counts are states of a delivery, which can be listed. */
const looks = {
  accepted: { tone: '', status: undefined },
  delivered: { tone: '', status: 'delivered' },
  retrying: { tone: 'warn', status: 'retrying' },
  failed: { tone: 'bad', status: 'failed' },
  held: { tone: 'warn', status: 'held' },
} as const;

const Statistics = ({ stats }: { readonly stats: Stats }): JSX.Element => {
  const { overview } = useTexts();
  const { count } = useNumbers();
  const isEmpty = counts.every((name) => stats[name] === 0);
  return (
    <>
      <div class="totals">
        {counts.map((name) => (
          <a
            key={name}
            class={`total ${stats[name] > 0 ? looks[name].tone : ''}`}
            href={linkTo(['deliveries'], { status: looks[name].status })}
            title={overview.countHelp[name]}
          >
            <span>{overview.counts[name]}</span>
            <strong>{count(stats[name])}</strong>
          </a>
        ))}
      </div>
      <div class="totals" role="group" aria-label={overview.latency}>
        <Latency label={overview.p50} ms={stats.latency.p50_ms} />
        <Latency label={overview.p95} ms={stats.latency.p95_ms} />
      </div>
      <section class="panel" aria-labelledby="chart">
        <h2 id="chart">{overview.chart}</h2>
        {isEmpty ? <p class="quiet">{overview.nothing}</p> : <Chart stats={stats} />}
        {!isEmpty && <Table stats={stats} />}
      </section>
    </>
  );
};

const Latency = ({ label, ms }: { readonly label: string; readonly ms: number | null }): JSX.Element => {
  const { overview } = useTexts();
  const { duration } = useNumbers();
  return (
    <div class="total" title={overview.latency}>
      <span>
        {overview.latency}: {label}
      </span>
      <strong>{ms === null ? '–' : duration(ms)}</strong>
    </div>
  );
};

/** The chart library is loaded with the first chart. */
const Chart = (props: StatsChartProps): JSX.Element | null => {
  const [Loaded, setLoaded] = useState<typeof import('./stats-chart.tsx').StatsChart>();
  useEffect(() => {
    import('./stats-chart.tsx').then(
      ({ StatsChart }) => setLoaded(() => StatsChart),
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
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard (WCAG 2.1.1) */}
      <div class="scrolled" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{overview.from}</th>
              {counts.map((name) => (
                <th key={name} scope="col">
                  {overview.counts[name]}
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
