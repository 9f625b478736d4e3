/** Charts the counts of a period; a table next to it has the same content for assistive technology. */
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import type { Stats } from '../api/resources.ts';
import { useIsDark, useLanguage } from '../preferences.ts';
import { useTexts } from '../texts/dictionary.ts';
import { useNumbers } from '../ui/use-numbers.ts';

export interface StatsChartProps {
  readonly stats: Stats;
}

/** Colours of the theme. Dashes distinguish the lines for people who cannot see the colours. */
const lines = [
  { name: 'accepted', colour: '--wa-color-neutral-60', dash: [2, 3] },
  { name: 'delivered', colour: '--wa-color-green-60', dash: [] },
  { name: 'retrying', colour: '--wa-color-yellow-60', dash: [6, 3] },
  { name: 'failed', colour: '--wa-color-red-60', dash: [] },
  { name: 'held', colour: '--wa-color-purple-60', dash: [6, 3] },
] as const;

const height = 220;

/** There are no half events. */
const steps = Array.from({ length: 12 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();

/** In pixels: a label such as the German `10.000` would lose its first digit in uPlot's default. */
const widthOf = (labels: readonly string[] | null): number =>
  24 + 8 * Math.max(3, ...(labels ?? []).map(({ length }) => length));

export const StatsChart = ({ stats }: StatsChartProps): JSX.Element => {
  const { overview } = useTexts();
  const language = useLanguage();
  const isDark = useIsDark();
  const { count } = useNumbers();
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot | undefined>(undefined);
  const latest = useRef(stats);
  latest.current = stats;
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const style = getComputedStyle(element);
    const colour = (name: string): string => style.getPropertyValue(name).trim();
    const axis = {
      stroke: colour('--wa-color-text-quiet'),
      grid: { stroke: colour('--wa-color-surface-border'), width: 1 },
      ticks: { stroke: colour('--wa-color-surface-border'), width: 1 },
    };
    const time = new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit', hour12: false });
    const date = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short' });
    const compact = new Intl.NumberFormat(language, { notation: 'compact' });
    const isLong = Date.parse(stats.until) - Date.parse(stats.since) > 2 * 24 * 60 * 60 * 1000;
    const drawn = new uPlot(
      {
        width: element.clientWidth,
        height,
        series: [
          {
            label: overview.from,
            value: (_, at) => (at === null ? overview.whole : `${date.format(at * 1000)} ${time.format(at * 1000)}`),
          },
          ...lines.map((line) => ({
            label: overview.series[line.name],
            // While nothing is hovered, the legend shows the sums.
            value: (_: uPlot, at: number | null) => count(at ?? latest.current[line.name]),
            stroke: colour(line.colour),
            dash: [...line.dash],
            width: 2,
            points: { show: false },
          })),
        ],
        axes: [
          { ...axis, values: (_, splits) => splits.map((at) => (isLong ? date : time).format(at * 1000)) },
          {
            ...axis,
            incrs: steps,
            size: (_, labels) => widthOf(labels),
            values: (_, splits) => splits.map((value) => compact.format(value)),
          },
        ],
        scales: { y: { range: (_, __, max) => [0, Math.max(1, max * 1.1)] } },
      },
      dataOf(latest.current),
      element,
    );
    chart.current = drawn;
    const observer = new ResizeObserver(() => drawn.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      drawn.destroy();
      chart.current = undefined;
    };
  }, [language, isDark, overview, stats.buckets.length]);
  useEffect(() => chart.current?.setData(dataOf(stats)), [stats]);
  return <div class="chart" ref={place} aria-hidden="true" />;
};

const dataOf = ({ buckets }: Stats): uPlot.AlignedData => [
  buckets.map(({ start }) => Date.parse(start) / 1000),
  ...lines.map(({ name }) => buckets.map((bucket) => bucket[name])),
];
