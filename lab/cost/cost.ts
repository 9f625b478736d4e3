/**
 * `npm --prefix lab run cost`: prints what deliveries, API calls and an idle stage cost on AWS, calculated from recorded measurements and a region's
 * prices. Can measure anew, and writes docs/cost.md and lab/reports/cost.md.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Option } from '@commander-js/extra-typings';
import { parseStage } from '../../infra/cdk/parse-stage.ts';
import { stages } from '../../infra/cdk/stages.ts';
import { command, run, sections } from '../../infra/command-line/command.ts';
import { headRevision } from '../bench/head-revision.ts';
import { countCalls } from './calls.ts';
import { countProfiles } from './count.ts';
import { measureDurations } from './durations.ts';
import { isProfile, type Measured, readMeasured, writeMeasured } from './measured.ts';
import { type Cost, costOfCalls, costOfDeliveries, parts, total } from './model.ts';
import { costPage } from './page.ts';
import { type PriceList, priceList, regions } from './price.ts';
import { behaviours, nameOf, type Profile, profiles } from './profiles.ts';
import { costReport } from './report.ts';
import { restRows } from './rest.ts';

const page = join(import.meta.dirname, '../../docs/cost.md');
const report = join(import.meta.dirname, '../reports/cost.md');
/** `missing`: profiles that an interrupted run has not counted yet. */
const measurable = [...behaviours, 'missing', 'calls', 'durations'] as const;

/** Replaces earlier results by those of this run, and saves them after each part so that a run can be interrupted. */
const measure = async (what: readonly string[]): Promise<void> => {
  let found: Measured = { ...readMeasured(), date: new Date().toISOString().slice(0, 10), revision: headRevision() };
  const keep = (part: Partial<Measured>) => {
    found = { ...found, ...part };
    writeMeasured(found);
  };
  const isMissing = (one: Profile) => !found.profiles.some((known) => isProfile(known, one));
  const wanted = profiles.filter((one) => what.includes(one.receivers) || (what.includes('missing') && isMissing(one)));
  for await (const use of countProfiles(wanted)) {
    console.error(`counted: ${nameOf(use)}`);
    const isOther = (one: Profile) => !isProfile(one, use);
    keep({
      profiles: profiles.flatMap(
        (one) => [...found.profiles.filter(isOther), use].find((known) => isProfile(known, one)) ?? [],
      ),
    });
  }
  if (what.includes('calls')) keep({ calls: await countCalls() });
  if (what.includes('durations')) keep({ durations: await measureDurations() });
};

const print = (name: string, cost: Cost): void => {
  const shown = parts.map((part) => `${part} ${cost[part].toFixed(2)}`).join(', ');
  console.log(`  ${name.padEnd(34)} ${total(cost).toFixed(2).padStart(6)}   ${shown}`);
};

const show = (measured: Measured, prices: PriceList): void => {
  console.log(
    `USD in ${prices.region}, prices of ${prices.date}, measured on ${measured.date}\n\nA million deliveries`,
  );
  for (const use of measured.profiles) print(nameOf(use), costOfDeliveries(prices, measured, use));
  console.log('\nA million API calls');
  for (const use of measured.calls) print(use.function, costOfCalls(prices, measured, use));
  console.log('\nA month at rest');
  for (const name of ['dev', 'prod'] as const) {
    const rows = restRows(prices, parseStage(name, stages[name]));
    const [all, afterFree] = [
      rows.reduce((sum, { usd }) => sum + usd, 0),
      rows.reduce((sum, one) => sum + one.afterFree, 0),
    ];
    console.log(`  ${name.padEnd(34)} ${all.toFixed(2).padStart(6)}   after the free tier ${afterFree.toFixed(2)}`);
  }
};

await run(
  command('npm --prefix lab run cost --')
    .description('Calculates what deliveries, API calls and an idle stage cost on AWS, in US dollars.')
    .addOption(new Option('--region <name>', 'Region of the prices.').choices(regions).default(regions[0]))
    .addOption(
      new Option('--measure [what...]', 'Measure anew on this machine, about fifteen minutes for all.').choices(
        measurable,
      ),
    )
    .option('--page', 'Write docs/cost.md and lab/reports/cost.md.', false)
    .option('--json', 'Print JSON.', false)
    .addHelpText(
      'after',
      sections({
        examples: {
          'Print the cost in Frankfurt': 'npm --prefix lab run cost -- --region eu-central-1',
          'Count healthy deliveries again and write the page and the report':
            'npm --prefix lab run cost -- --measure healthy --page',
        },
      }),
    )
    .action(async ({ region, measure: what, page: writes, json }) => {
      if (what !== undefined) await measure(what === true ? measurable : what);
      const measured = readMeasured();
      const prices = priceList(region);
      if (writes) {
        writeFileSync(page, costPage(measured));
        writeFileSync(report, costReport(measured));
      }
      if (json) {
        const deliveries = measured.profiles.map((use) => {
          const { receivers, fanOut, payloadKb, publishing } = use;
          const usdPerMillion = costOfDeliveries(prices, measured, use);
          return { receivers, fanOut, payloadKb, publishing, usdPerMillion };
        });
        const calls = measured.calls.map((use) => ({
          endpoint: use.function,
          usdPerMillion: costOfCalls(prices, measured, use),
        }));
        console.log(JSON.stringify({ region, date: prices.date, measured: measured.date, deliveries, calls }, null, 2));
      } else show(measured, prices);
    }),
);
process.exit();
