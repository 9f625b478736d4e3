/** The last hundred deliveries of a webhook as a strip, oldest first: one bar each, in the colour of its state. */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { get } from '../api/client.ts';
import type { Delivery } from '../api/resources.ts';
import { linkTo } from '../router.ts';
import { useTexts } from '../texts/dictionary.ts';
import { useQuery } from '../use-query.ts';
import { stateLooks } from './status.tsx';

const shown = 100;

interface HealthStripProps {
  readonly webhook: string;
}

/** Reads only when it comes into view, because a page can have many strips. */
export const HealthStrip = (props: HealthStripProps): JSX.Element => {
  const place = useRef<HTMLDivElement>(null);
  const [isSeen, setIsSeen] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting !== true) return;
      setIsSeen(true);
      observer.disconnect();
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <div class="strip-place" ref={place}>
      {isSeen && <ReadStrip {...props} />}
    </div>
  );
};

const ReadStrip = ({ webhook }: HealthStripProps): JSX.Element | null => {
  const path = `/admin/webhooks/${webhook}/deliveries/`;
  const { data } = useQuery(path, async (signal) => {
    const { deliveries } = await get<{ deliveries: readonly Delivery[] }>(path, { limit: String(shown) }, signal);
    return deliveries;
  });
  return data === undefined ? null : <Strip webhook={webhook} rows={data} />;
};

interface StripProps {
  readonly webhook: string;
  /** Newest first; the newest hundred are shown. */
  readonly rows: readonly Pick<Delivery, 'id' | 'status'>[];
}

export const Strip = ({ webhook, rows }: StripProps): JSX.Element => {
  const { webhooks } = useTexts();
  const newest = rows.slice(0, shown);
  const failed = newest.filter(({ status }) => stateLooks[status].tone === 'bad' || status === 'held').length;
  return (
    <a class="health" href={linkTo(['deliveries'], { webhook })}>
      <span class="strip" aria-hidden="true">
        {Array.from({ length: shown - newest.length }, (_, index) => (
          <span key={index} class="bar" />
        ))}
        {newest.toReversed().map(({ id, status }) => (
          <span key={id} class={`bar ${stateLooks[status].tone}`} />
        ))}
      </span>
      {webhooks.strip(newest.length, failed)}
    </a>
  );
};
