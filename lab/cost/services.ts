/** Published prices of other webhook services, and what a million deliveries cost there at a given fan-out. */
import { costOf, type PriceList } from './price.ts';

export interface Service {
  readonly name: string;
  readonly price: string;
  /** The page with the price, and when it was read. */
  readonly source: string;
  readonly date: string;
  /** Dollars of a million deliveries at a fan-out, as a range; undefined if the price is not confirmed. */
  readonly usd: (fanOut: number, prices: PriceList) => readonly [number, number] | undefined;
  readonly note: string;
}

const million = 1_000_000;
const svixMessage = 0.0001;

export const services: readonly Service[] = [
  {
    name: 'Svix',
    price: '0.0001 per message beyond 50,000 a month; Professional from 490 a month',
    source: 'https://www.svix.com/pricing/',
    date: '2026-09-20',
    usd: (fanOut) => [(million / fanOut) * svixMessage, million * svixMessage],
    note: 'a message goes to one application, regardless of its number of endpoints; the range is from all subscribers in one application to one application each; without the fee of the plan',
  },
  {
    name: 'Hookdeck Event Gateway',
    price: 'Team from 39, Growth from 499 a month with 10,000 events; beyond: metered',
    source: 'https://hookdeck.com/pricing',
    date: '2026-09-20',
    usd: () => undefined,
    note: 'the price of a further event is not confirmed',
  },
  {
    name: 'Convoy Cloud',
    price: 'not confirmed; self-hosted Premium 999 a month, not metered',
    source: 'https://www.getconvoy.io/pricing',
    date: '2026-09-20',
    usd: () => undefined,
    note: 'the copy of the page lacks the tab with the prices of the cloud',
  },
  {
    name: 'EventBridge API destinations',
    price: '1.00 per million events, 0.20 per million invocations',
    source: 'https://cloudburn.io/blog/amazon-eventbridge-pricing',
    date: '2026-03-13',
    usd: (fanOut, prices) => {
      const usd = costOf(prices, 'busEvents', million / fanOut) + costOf(prices, 'apiDestinations', million);
      return [usd, usd];
    },
    note: 'without a history of deliveries, signatures, circuit breakers and transfer out; five targets a rule',
  },
];
